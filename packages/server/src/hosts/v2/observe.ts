import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { joinApart, observationsOfPatch, observationsOfPatchSummary } from "../shared/patch.ts"
import { field, text, texts } from "../shared/untyped.ts"
import type { ToolCall } from "./host.ts"

/** Whether a call in `execute.after` failed: unlike v1, the hook is called for those too (measured). */
export function hasFailed(call: ToolCall): boolean {
  return call.status === "error" || text(call.result, "type") === "error"
}

/**
 * The File observations in an `execute.after` event of OpenCode v2. Only Read, Write, Edit, Patch and LSP give any; a failed
 * call gives none. Paths are as the model gave them. What is not of the expected type counts as absent, and nothing throws.
 */
export function observeToolResult(call: ToolCall): FileObservation[] {
  if (hasFailed(call)) return []
  const { tool, input } = call
  if (tool === "patch" || tool === "apply_patch") return observePatch(call)

  const path = text(input, "path") ?? text(input, "filePath")
  if (path === undefined || path === "") return []
  switch (tool) {
    case "read":
      return observeRead(path, call)
    case "write":
      return [{ path, tool, content: text(input, "content") }]
    case "edit":
      return [{ path, tool, content: joinApart(texts(input, ["oldString", "newString"])) }]
    case "lsp":
      return [{ path, tool, content: shownText(call) }]
    default:
      return []
  }
}

/** A directory is no file. The MIME type says nothing: that of a `.ts` file is a video's (measured). */
function observeRead(path: string, call: ToolCall): FileObservation[] {
  const record = structured(call)
  if (Array.isArray(field(record, "entries"))) return []
  const isText = field(record, "encoding") !== "base64"
  return [{ path, tool: "read", content: isText ? (text(record, "content") ?? plainText(call)) : undefined }]
}

function observePatch(call: ToolCall): FileObservation[] {
  return (
    observationsOfPatch(text(call.input, "patchText") ?? "", call.tool) ??
    observationsOfPatchSummary(shownText(call) ?? "", call.tool)
  )
}

/** The machine-readable result: previews have it in one place or another. */
function structured({ output, result }: ToolCall): unknown {
  const places = [field(output, "structured"), field(result, "value"), field(result, "structured"), result]
  return places.find((place) => Array.isArray(field(place, "entries")) || text(place, "content") !== undefined)
}

/** A result that is nothing but text: with no line numbers in it (measured), that is the file's. */
function plainText({ result }: ToolCall): string | undefined {
  return typeof result === "string" ? result : text(result, "type") === "text" ? text(result, "value") : undefined
}

/** What the model is shown, as far as it is text. */
function shownText({ output, result }: ToolCall): string | undefined {
  const parts = [field(output, "content"), field(result, "value"), field(result, "content")].find(Array.isArray)
  const lines = parts?.flatMap((part: unknown) => text(part, "text") ?? [])
  return lines?.join("\n") ?? (typeof result === "string" ? result : text(result, "value"))
}
