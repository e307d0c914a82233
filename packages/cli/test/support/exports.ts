/** One turn of an exported session: what the user wrote, and the calls of each step. */
export interface ExportedTurn {
  readonly prompt: string
  readonly agent?: string
  readonly steps?: readonly (readonly ExportedCall[])[]
  /** What the message with the prompt delivers. */
  readonly delivers?: readonly string[]
}

export interface ExportedCall {
  readonly tool: string
  readonly input: object
  readonly output?: string
  readonly metadata?: object
}

export interface ExportedSession {
  readonly id?: string
  readonly parentID?: string
  readonly directory?: string
  readonly title?: string
  /** When it began, in milliseconds since 1970: each message is a second later than the one before. */
  readonly at?: number
  readonly turns: readonly ExportedTurn[]
}

/** 2026-11-30 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 30, 12)

/** What `opencode export` of OpenCode 1 writes of a session, as far as it matters here. */
export function exportOf({ id = "ses_1", directory = "/home/dev/app", at = NOON, turns, ...info }: ExportedSession) {
  let clock = at
  let ids = 0
  const time = () => {
    clock += 1000
    return clock
  }
  const message = (own: object, parts: readonly object[]) => {
    ids += 1
    return { info: { id: `msg_${String(ids).padStart(6, "0")}`, time: { created: time() }, ...own }, parts }
  }
  const toolPart = ({ tool, input, output = "ok", metadata = {} }: ExportedCall) => {
    const start = time()
    const state = { status: "completed", input, output, metadata, time: { start, end: time() } }
    return { type: "tool", tool, callID: `call_${start}`, state }
  }
  const messages = turns.flatMap(({ prompt, agent = "build", steps = [], delivers = [] }) => {
    const settings = { role: "user", agent, model: { providerID: "lab", modelID: "plain" } }
    const metadata = { "opencode-rulebook": { delivery: "d", rules: delivers } }
    const delivery = delivers.length > 0 ? [{ type: "text", text: "rules", synthetic: true, metadata }] : []
    return [
      message(settings, [{ type: "text", text: prompt }, ...delivery]),
      ...steps.map((calls) => {
        const answer = message({ role: "assistant", finish: "tool-calls" }, [])
        return { ...answer, parts: [{ type: "step-start" }, ...calls.map(toolPart)] }
      }),
      message({ role: "assistant", finish: "stop" }, [{ type: "step-start" }, { type: "text", text: "done" }]),
    ]
  })
  return { info: { id, directory, title: "A session", ...info, time: { created: at, updated: clock } }, messages }
}

/** A successful Read of a file of one line. */
export function readOf(path: string, text = "nothing"): ExportedCall {
  const output = `<path>${path}</path>\n<type>file</type>\n<content>\n1: ${text}\n\n(End of file - total 1 lines)\n</content>`
  return { tool: "read", input: { filePath: path }, output }
}
