import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { type Hunk, type PatchOperation, parsePatch } from "./patch-grammar.ts"

/**
 * One File observation per file that a submitted patch touches, in order of first touch; undefined when the host could not
 * have read it as a patch. Paths are verbatim. An added file has its full text; an updated one its hunk lines, under its destination
 * when it moves; a file that ends up deleted, or whose update has no hunk lines, only its path.
 */
export function observationsOfPatch(patchText: string, tool: string): FileObservation[] | undefined {
  const operations = parsePatch(patchText)
  if (operations.length === 0) return undefined

  const byPath = new Map<string, PatchOperation[]>()
  for (const operation of operations) {
    const earlier = byPath.get(operation.path)
    // A deleted file leaves nothing to match, also of what the same patch said about it before.
    if (earlier && operation.kind !== "delete") earlier.push(operation)
    else byPath.set(operation.path, [operation])
  }
  return Array.from(byPath, ([path, group]) => ({
    path,
    tool,
    content: joinApart(group.flatMap(textsOf)),
  }))
}

/**
 * Path-only observations from what a successful patch told the model: the run of `A|M|D path` lines below its heading. What comes
 * after that run (diagnostics of the language server) is not read.
 */
export function observationsOfPatchSummary(output: string, tool: string): FileObservation[] {
  const paths = new Set<string>()
  for (const line of output.split(/\r?\n/)) {
    const path = /^[AMD] (.+)/.exec(line)?.[1]
    if (path !== undefined) paths.add(path)
    else if (paths.size > 0) break
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

function textsOf(operation: PatchOperation): readonly string[] {
  switch (operation.kind) {
    case "add":
      return [operation.text]
    case "delete":
      return []
    case "update":
      return operation.hunks.flatMap(sidesOf)
    default:
      return operation satisfies never
  }
}

/**
 * Each hunk gives its old side and its new side, so that a literal of several lines is found where it stands in the file before or
 * after, and not where a removed line only happens to precede an added one.
 */
function sidesOf({ before, after }: Hunk): string[] {
  return [...new Set([before.join("\n"), after.join("\n")])]
}
