import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { joinApart, observationsOfPatch, observationsOfPatchSummary } from "../shared/patch.ts"
import { diffsOf, type FileDiff } from "../shared/unified-diff.ts"
import { field, text, texts } from "../shared/untyped.ts"
import type { ToolCall } from "./host.ts"
import { isSurelyWhole, readRecord, shownText, surelySeen } from "./read.ts"
import type { UnsureRead } from "./unsure-reads.ts"

/** What a call tells of files. */
export interface Observed {
  readonly observations: readonly FileObservation[]
  /** A Read of which the model may get less than the event has. Its path is observed already. */
  readonly unsure: UnsureRead | undefined
}

/** The id of a call; calls inside `execute` have their parent's. */
export function callID(call: ToolCall): string {
  return call.callID ?? call.id ?? call.tool
}

/** Whether a call in `execute.after` failed: unlike v1, the hook is called for those too (measured). */
export function hasFailed(call: ToolCall): boolean {
  return call.status === "error" || text(call.result, "type") === "error"
}

/**
 * What an `execute.after` event of OpenCode v2 tells of files. Only Read, Write, Edit, Patch and LSP give observations; a failed
 * call gives none. Paths are as the model gave them. What is not of the expected type counts as absent, and nothing throws.
 */
export function observeToolResult(call: ToolCall): Observed {
  if (call.tool === "read" && !hasFailed(call)) return observeRead(call)
  return { observations: hasFailed(call) ? [] : observationsOf(call), unsure: undefined }
}

function observationsOf(call: ToolCall): FileObservation[] {
  const { tool, input } = call
  if (tool === "patch" || tool === "apply_patch") return observePatch(call)
  const path = pathOf(call)
  if (path === undefined) return []
  switch (tool) {
    case "write":
      return [{ path, tool, content: text(input, "content") }]
    case "edit":
      return [{ path, tool, content: joinApart(texts(input, ["oldString", "newString"])) }]
    case "lsp":
      return [{ path, tool, content: shownByCall(call) }]
    default:
      return []
  }
}

function observeRead(call: ToolCall): Observed {
  const path = pathOf(call)
  const record = readRecord(call)
  if (path === undefined || record.kind === "directory") return { observations: [], unsure: undefined }
  if (record.kind === "no text")
    return { observations: [{ path, tool: "read", content: undefined }], unsure: undefined }
  const shown = record.isNumbered ? shownText(call.result) : undefined
  const isSure = isSurelyWhole(record)
  const content = isSure ? surelySeen(record, shown) : undefined
  return {
    observations: [{ path, tool: "read", content, isPart: record.isPage || undefined }],
    unsure: isSure ? undefined : { callID: callID(call), path, record, shown },
  }
}

/** How the host shows the changes of a call: where it keeps its record is as with Read (recorded in July; not known of the stable line). */
export function shownDiffs({ result, output }: ToolCall): readonly FileDiff[] {
  const places = [field(output, "structured"), field(result, "output"), field(result, "structured"), result]
  return places.map(diffsOf).find((diffs) => diffs.length > 0) ?? []
}

function pathOf({ input }: ToolCall): string | undefined {
  return text(input, "path") || text(input, "filePath") || undefined
}

function observePatch(call: ToolCall): FileObservation[] {
  return (
    observationsOfPatch(text(call.input, "patchText") ?? "", call.tool) ??
    observationsOfPatchSummary(shownByCall(call) ?? "", call.tool)
  )
}

/** What the model is shown: July has it in `output` where it is structured. */
function shownByCall({ output, result }: ToolCall): string | undefined {
  return shownText(output) || shownText(result)
}
