import type { ToolStep } from "./host.ts"

/**
 * What differs between the two lines of OpenCode v2 that the model follows: a preview of July 2026, which was measured (recordings beside
 * the tests), and the stable line, read in the sources of 2.0.26 (docs/opencode-2.md, the section is named at each).
 */
export interface V2Line {
  readonly name: "preview" | "stable"
  /** Of what waits in the inbox, and of what left it. Events. */
  enqueued(
    inboxID: string,
    input: { readonly type: string; readonly text: string; readonly delivery: string },
  ): HostNews
  delivered(inboxID: string): HostNews
  /** The names that a call's id has in a hook's event. Calls. */
  callID(id: string): Readonly<Record<string, string>>
  /** What `execute.after` tells of how a call ended. Calls. */
  outcome(step: ToolStep): Readonly<Record<string, unknown>>
  /** The result as the model reads it. Messages. */
  result(step: ToolStep): unknown
}

type HostNews = readonly [type: string, data: Readonly<Record<string, unknown>>]

export const PREVIEW: V2Line = {
  name: "preview",
  enqueued: (inputID, { type, text, delivery }) => [
    "session.input.admitted",
    { inputID, input: { type, data: { text, files: [] }, delivery } },
  ],
  delivered: (inputID) => ["session.input.promoted", { inputID }],
  callID: (callID) => ({ callID }),
  outcome(step) {
    if (step.failed) return { result: { type: "error", value: step.output } }
    return { result: previewResult(step), output: { structured: step.structured ?? {}, content: previewContent(step) } }
  },
  result: previewResult,
}

export const STABLE: V2Line = {
  name: "stable",
  enqueued: (inboxID, { type, text, delivery }) => [
    "session.inbox.enqueued",
    { inboxID, item: { type, payload: { text }, delivery } },
  ],
  delivered: (inboxID) => ["session.inbox.delivered", { inboxID }],
  callID: (id) => ({ id }),
  outcome(step) {
    if (step.failed) return { status: "error", error: { message: step.output } }
    return { status: "completed", result: { output: stableRecord(step), content: stableContent(step) } }
  },
  result(step) {
    const content = stableContent(step)
    const [only] = content
    return content.length === 1 && only?.type === "text"
      ? { type: "text", value: only.text }
      : { type: "content", value: content }
  },
}

function previewResult(step: ToolStep): unknown {
  return step.result ?? { type: "text", value: step.output }
}

function previewContent(step: ToolStep): unknown[] {
  const { type, value } = previewResult(step) as { type: string; value: unknown }
  if (type === "text") return [{ type: "text", text: value }]
  return type === "content" && Array.isArray(value) ? value : []
}

interface Content {
  readonly type: "text" | "file"
  readonly text?: string
}

/** Records say what they are. Tools. */
function stableRecord({ tool, structured }: ToolStep): unknown {
  if (tool !== "read" || typeof structured !== "object" || structured === null || "type" in structured)
    return structured
  return { type: "entries" in structured ? "list-page" : "file", ...structured }
}

/** Read shows a heading, and each line with its number. Tools. */
function stableContent(step: ToolStep): readonly Content[] {
  const record = stableRecord(step)
  if (step.tool !== "read" || typeof record !== "object" || record === null)
    return [{ type: "text", text: step.output }]
  const { content, encoding, entries, offset, next } = record as Readonly<Record<string, unknown>>
  const path = String(step.args["path"])
  if (Array.isArray(entries)) {
    const names = entries.map(({ path: name }: { path: string }) => name)
    return [{ type: "text", text: [`Read directory ${path}, entries 1-${names.length}`, ...names].join("\n") }]
  }
  if (encoding === "base64") return [{ type: "text", text: "Image read successfully" }, { type: "file" }]
  const first = typeof offset === "number" ? offset : 1
  const lines = String(content).replace(/\n$/, "").split("\n")
  const heading = `Read file ${path}, lines ${first}-${first + lines.length - 1}`
  const rest = next === undefined ? [] : [`[Output truncated. Continue reading with offset: ${String(next)}]`]
  return [
    { type: "text", text: [heading, ...lines.map((line, index) => `${first + index}: ${line}`), ...rest].join("\n") },
  ]
}
