import type { FileObservation } from "@opencode-rulebook/rule-schema"

/**
 * One File observation per file that a submitted patch touches, in order of first touch; undefined when the host could not
 * have read it as a patch. Paths are verbatim. An added file has its full text; an updated one its hunk lines, under its destination
 * when it moves; a file that ends up deleted, or whose update has no hunk lines, only its path. The grammar is the one measured on
 * OpenCode 1.18.33: prose or a heredoc around the two markers is allowed, and a section lasts until the next line that starts with `***`.
 */
export function observationsOfPatch(patchText: string, tool: string): FileObservation[] | undefined {
  const operations = parsePatch(patchText.split(/\r?\n/))
  if (operations.length === 0) return undefined

  const byPath = new Map<string, Operation[]>()
  for (const operation of operations) {
    const earlier = byPath.get(operation.path)
    // A deleted file leaves nothing to match, also of what the same patch said about it before.
    if (earlier && operation.kind !== "delete") earlier.push(operation)
    else byPath.set(operation.path, [operation])
  }
  return Array.from(byPath, ([path, group]) => ({
    path,
    tool,
    content: joinApart(group.flatMap(({ texts }) => texts)),
  }))
}

/**
 * Path-only observations from what a successful patch told the model: the run of `A|M|D path` lines below its heading. What comes
 * after that run (diagnostics of the language server) is not read.
 */
export function observationsOfPatchSummary(output: string, tool: string): FileObservation[] {
  const entries = output.split(/\r?\n/).map((line) => /^[AMD] (.+)$/.exec(line)?.[1])
  const start = entries.findIndex((path) => path !== undefined)
  const paths = new Set<string>()
  for (const path of entries.slice(Math.max(start, 0))) {
    if (path === undefined) break
    paths.add(path)
  }
  return Array.from(paths, (path) => ({ path, tool, content: undefined }))
}

/**
 * Pieces of text from one file that do not stand next to each other, as one content in which no literal can match across a joint:
 * source text has no NUL. undefined when there are no pieces.
 */
export function joinApart(texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined
  return texts.filter((text) => text !== "").join("\0")
}

type Operation = { readonly kind: "add" | "update" | "delete"; readonly path: string; readonly texts: string[] }

const headers = [
  { kind: "add", prefix: "*** Add File:" },
  { kind: "update", prefix: "*** Update File:" },
  { kind: "delete", prefix: "*** Delete File:" },
] as const

const moveHeader = "*** Move to:"

function parsePatch(lines: readonly string[]): Operation[] {
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch")
  const end = lines.findIndex(isEndMarker)
  const operations: Operation[] = []
  if (begin === -1) return operations
  // Measured: the host refuses a patch without both markers, in this order, and one without a section between them.
  for (let index = begin + 1; index < end; index++) {
    const operation = operationAt(lines, index)
    if (operation) operations.push(operation)
  }
  return operations
}

function operationAt(lines: readonly string[], index: number): Operation | undefined {
  const line = lines[index] ?? ""
  const header = headers.find(({ prefix }) => line.startsWith(prefix))
  if (!header) return undefined
  const path = line.slice(header.prefix.length).trim()
  if (path === "") return undefined

  const next = lines[index + 1] ?? ""
  switch (header.kind) {
    case "add":
      return { kind: "add", path, texts: [addedText(lines, index + 1)] }
    case "delete":
      return { kind: "delete", path, texts: [] }
    case "update":
      if (!next.startsWith(moveHeader)) return { kind: "update", path, texts: hunkTexts(lines, index + 1) }
      // Measured: a move is one only right below its header, and one that names no place is none.
      return { kind: "update", path: next.slice(moveHeader.length).trim() || path, texts: hunkTexts(lines, index + 2) }
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
 * The texts of an update's hunks. Each hunk gives its old side and its new side, so that a literal of several lines is found where
 * it stands in the file before or after, and not where a removed line only happens to precede an added one. The anchor after `@@` is
 * syntax. Lines that carry no sign are skipped, blank ones too: the host skips them, so the file has no such line there.
 */
function hunkTexts(lines: readonly string[], start: number): string[] {
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
  return hunks.flatMap(sidesOf)
}

interface Hunk {
  readonly before: string[]
  readonly after: string[]
}

function emptyHunk(): Hunk {
  return { before: [], after: [] }
}

function sidesOf({ before, after }: Hunk): string[] {
  const sides = [before, after].filter((side) => side.length > 0).map((side) => side.join("\n"))
  return [...new Set(sides)]
}

function isEndMarker(line: string): boolean {
  return line.trim() === "*** End Patch"
}
