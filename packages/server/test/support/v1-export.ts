import type { Message, Part } from "@opencode-ai/sdk"

/** What a session's record tells in an export. */
interface ExportedSession {
  readonly id: string
  readonly parentID: string | undefined
  readonly directory: string
  /** The message that it is reverted to, until its next prompt. */
  readonly reverted: string | undefined
}

/**
 * A session of the model as `opencode export` writes it, as far as it matters here (recorded in recordings/opencode-1.18.33/exports.json): an answer
 * says how it finished, and the calls of a model stand in a step.
 */
export function exportOf(
  { id, parentID, directory, reverted }: ExportedSession,
  history: readonly { readonly info: Message; readonly parts: readonly Part[] }[],
) {
  const times = history.map(({ info }) => info.time.created)
  return structuredClone({
    info: {
      ...{ id, title: "A session of the model", version: "1.18.33", directory },
      ...(parentID === undefined ? {} : { parentID }),
      ...(reverted === undefined ? {} : { revert: { messageID: reverted } }),
      time: { created: times[0] ?? 0, updated: times.at(-1) ?? 0 },
    },
    messages: history.map(({ info, parts }) => {
      if (info.role === "user" || info.summary) return { info, parts }
      const isCalling = parts.some(({ type }) => type === "tool")
      const isHosts = parts.some((part) => part.type === "tool" && part.callID.startsWith("prt"))
      const step = isHosts ? [] : [{ type: "step-start" }]
      return { info: { ...info, finish: isCalling ? "tool-calls" : "stop" }, parts: [...step, ...parts] }
    }),
  })
}
