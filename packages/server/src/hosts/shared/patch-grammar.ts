/**
 * What a submitted patch does to one file. `update.path` is where the file is afterwards, `from` where it was. The grammar is the one
 * measured on OpenCode 1.18.33: prose or a heredoc around the two markers is allowed, and a section lasts until the next line that
 * starts with `***`.
 */
export type PatchOperation =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly from: string; readonly hunks: readonly Hunk[] }

/** One place of a file: its lines before and after. Both have the context lines. */
export interface Hunk {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const headers = [
  { kind: "add", prefix: "*** Add File:" },
  { kind: "update", prefix: "*** Update File:" },
  { kind: "delete", prefix: "*** Delete File:" },
] as const

const moveHeader = "*** Move to:"

/** The operations of a patch, in their order; none when the host could not have read it as a patch. */
export function parsePatch(patchText: string): PatchOperation[] {
  const lines = patchText.split(/\r?\n/)
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch")
  const end = lines.findIndex(isEndMarker)
  const operations: PatchOperation[] = []
  if (begin === -1) return operations
  // Measured: the host refuses a patch without both markers, in this order, and one without a section between them.
  for (let index = begin + 1; index < end; index++) {
    const operation = operationAt(lines, index)
    if (operation) operations.push(operation)
  }
  return operations
}

function operationAt(lines: readonly string[], index: number): PatchOperation | undefined {
  const line = lines[index] ?? ""
  const header = headers.find(({ prefix }) => line.startsWith(prefix))
  if (!header) return undefined
  const path = line.slice(header.prefix.length).trim()
  if (path === "") return undefined

  const next = lines[index + 1] ?? ""
  switch (header.kind) {
    case "add":
      return { kind: "add", path, text: addedText(lines, index + 1) }
    case "delete":
      return { kind: "delete", path }
    case "update":
      if (!next.startsWith(moveHeader)) return { kind: "update", path, from: path, hunks: hunksAt(lines, index + 1) }
      // Measured: a move is one only right below its header, and one that names no place is none.
      return {
        kind: "update",
        path: next.slice(moveHeader.length).trim() || path,
        from: path,
        hunks: hunksAt(lines, index + 2),
      }
    default:
      return header satisfies never
  }
}

function addedText(lines: readonly string[], start: number): string {
  const text: string[] = []
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (line.startsWith("***")) break
    if (line.startsWith("+")) text.push(line.slice(1))
  }
  return text.join("\n")
}

/**
 * The hunks of an update. The anchor after `@@` is syntax. Lines that carry no sign are skipped, blank ones too: the host skips them, so
 * the file has no such line there.
 */
function hunksAt(lines: readonly string[], start: number): Hunk[] {
  let hunk = emptyHunk()
  const hunks = [hunk]
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? ""
    if (line.startsWith("@@") || line.trimEnd() === "*** End of File") {
      hunk = emptyHunk()
      hunks.push(hunk)
      continue
    }
    if (line.startsWith("***")) break
    // Below `@@` an indented end marker is a context line, which the host has found in the file; above, it is the marker.
    if (hunks.length === 1 && isEndMarker(line)) break
    const sign = line[0]
    if (sign === " " || sign === "-") hunk.before.push(line.slice(1))
    if (sign === " " || sign === "+") hunk.after.push(line.slice(1))
  }
  return hunks.filter(({ before, after }) => before.length + after.length > 0)
}

function emptyHunk(): { readonly before: string[]; readonly after: string[] } {
  return { before: [], after: [] }
}

function isEndMarker(line: string): boolean {
  return line.trim() === "*** End Patch"
}
