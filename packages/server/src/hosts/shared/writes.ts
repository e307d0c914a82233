import type { FileWrite } from "../../engine/file-write.ts"
import { type Hunk, type PatchOperation, parsePatch } from "./patch-grammar.ts"
import { type FileDiff, hunksOf } from "./unified-diff.ts"
import { text } from "./untyped.ts"

/**
 * What a call of Write, Edit or Apply Patch is about to write, file by file, by its arguments alone, in the form of either major of
 * OpenCode; nothing of other tools. A call that fails by itself writes nothing: one without a path or a text, with an empty patch, with an
 * edit that changes nothing. Arguments come from a model: what is not of the expected type counts as absent, and nothing throws.
 */
export function writesOf(tool: string, args: unknown): FileWrite[] {
  switch (tool) {
    case "write":
      return writeOf(args)
    case "edit":
      return editOf(args)
    case "apply_patch":
    case "patch":
      return writesOfPatch(text(args, "patchText") ?? "")
    default:
      return []
  }
}

function pathOf(args: unknown): string | undefined {
  return text(args, "filePath") || text(args, "path") || undefined
}

function writeOf(args: unknown): FileWrite[] {
  const path = pathOf(args)
  const content = text(args, "content")
  return path === undefined || content === undefined ? [] : [wholeFile(path, content)]
}

/** An edit of nothing makes a new file; of a file that is there it fails (measured on OpenCode 1.18.33). */
function editOf(args: unknown): FileWrite[] {
  const path = pathOf(args)
  const [before, after] = [text(args, "oldString"), text(args, "newString")]
  if (path === undefined || before === undefined || after === undefined || before === after) return []
  if (before === "") return [wholeFile(path, after)]
  return [{ path, kind: "edit", whole: undefined, added: [after], removed: [before] }]
}

function wholeFile(path: string, whole: string): FileWrite {
  return { path, kind: "write", whole, added: [whole], removed: [] }
}

/** The operations on one file are one write of it. What a patch has done to a file before it deletes that leaves nothing. */
function writesOfPatch(patchText: string): FileWrite[] {
  const byPath = new Map<string, FileWrite>()
  for (const operation of parsePatch(patchText)) {
    const earlier = operation.kind === "update" ? byPath.get(operation.path) : undefined
    const write = writeOfOperation(operation)
    byPath.set(operation.path, earlier ? joined(earlier, write) : write)
  }
  return [...byPath.values()]
}

function writeOfOperation(operation: PatchOperation): FileWrite {
  const { path } = operation
  switch (operation.kind) {
    case "add":
      // Measured: the host ends what it adds with a line break.
      return wholeFile(path, operation.text.replace(/[^\n]$/, "$&\n"))
    case "delete":
      return { path, kind: "delete", whole: undefined, added: [], removed: [] }
    case "update": {
      const { from, hunks } = operation
      const pieces = (side: keyof Hunk) => hunks.map((hunk) => hunk[side].map((line) => `${line}\n`).join(""))
      const movedFrom = from === path ? undefined : from
      return { path, movedFrom, kind: "edit", whole: undefined, added: pieces("after"), removed: pieces("before") }
    }
    default:
      return operation satisfies never
  }
}

function joined(earlier: FileWrite, later: FileWrite): FileWrite {
  return {
    ...later,
    movedFrom: later.movedFrom ?? earlier.movedFrom,
    added: [...earlier.added, ...later.added],
    removed: [...earlier.removed, ...later.removed],
  }
}

/** The same writes with what the host shows of the changes that they have made. Hosts show absolute paths for relative ones. */
export function withDiffs(writes: readonly FileWrite[], diffs: readonly FileDiff[]): readonly FileWrite[] {
  return writes.map((write) => {
    const path = write.path.replace(/^(?:\.\/)+/, "")
    // Of a file that a patch names twice, what it came to last.
    const own = diffs.findLast((one) => one.path === path || one.path.endsWith(`/${path}`))
    return own === undefined ? write : { ...write, shown: hunksOf(own.diff) }
  })
}
