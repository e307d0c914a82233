import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { joinApart, observationsOfPatch, observationsOfPatchSummary } from "../shared/patch.ts"
import { field, text, texts } from "../shared/untyped.ts"
import { parseReadOutput } from "./read.ts"

/**
 * The File observations in a `tool.execute.after` event of OpenCode v1. Only Read, Write, Edit, Apply Patch and LSP give any (1.18.33
 * has no other tool for single files; one named `patch` is a plugin's own). A failed call never reaches that hook. Arguments come from
 * a model and results possibly from another plugin's tool of the same name: what is not of the expected type counts as absent, and
 * nothing throws.
 */
export function observeToolResult(
  input: { readonly tool: string; readonly args: unknown },
  output: unknown,
): FileObservation[] {
  const { tool, args } = input
  if (tool === "apply_patch") return observePatch(tool, args, output)

  const path = text(args, "filePath")
  if (path === undefined || path === "") return []
  switch (tool) {
    case "read":
      return observeRead(path, output)
    case "write":
      return [{ path, tool, content: text(args, "content") }]
    case "edit":
      return [{ path, tool, content: joinApart(texts(args, ["oldString", "newString"])) }]
    case "lsp":
      // Also "No results found for …". Paths and URIs inside stay text of the queried file.
      return [{ path, tool, content: text(output, "output") }]
    default:
      return []
  }
}

/** The model-visible output is the source; the metadata can only tell that there is no file at all. */
function observeRead(path: string, output: unknown): FileObservation[] {
  const source = text(output, "output") ?? ""
  const result = parseReadOutput(source)
  if (result.kind === "directory") return []
  const display = field(field(output, "metadata"), "display")
  if (text(display, "type") === "directory") return []
  if (result.kind === "opaque") return [{ path, tool: "read", content: undefined }]
  const observation: FileObservation = {
    path,
    tool: "read",
    source,
    isPart: isPart(display),
    get content() {
      return result.text
    },
  }
  return [observation]
}

/** A file that is cut at its end is said to be truncated, one that is shown from a later line on is not (recorded). */
function isPart(display: unknown): true | undefined {
  const first = field(display, "lineStart")
  return field(display, "truncated") === true || (typeof first === "number" && first > 1) || undefined
}

function observePatch(tool: string, args: unknown, output: unknown): FileObservation[] {
  return (
    observationsOfPatch(text(args, "patchText") ?? "", tool) ??
    observationsOfPatchSummary(text(output, "output") ?? "", tool)
  )
}
