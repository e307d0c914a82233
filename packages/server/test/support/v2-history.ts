import type { V2Message } from "../../src/hosts/v2/host.ts"
import { shown } from "./v2-calls.ts"

/** What waits to become history. */
export interface Input {
  readonly id: string
  readonly text: string
  readonly kind: "user" | "synthetic" | "instructions"
  readonly delivery: "steer" | "queue"
  readonly metadata?: unknown
}

/** One stored message: as dispatches show it, and what they don't tell of it. */
export interface Stored {
  readonly message: V2Message
  readonly type: "user" | "synthetic" | "assistant" | "tool" | "system" | "shell" | "skill" | "compaction"
  readonly metadata?: unknown
}

/** An input as a message: the user's has metadata, if only empty, others have none (docs/opencode-2.md, Messages). */
export function storedInput({ id, text, kind, metadata }: Input): Stored {
  const message = { id, role: "user", content: [{ type: "text", text }] }
  if (kind === "user") return { message: { ...message, metadata: {} }, type: "user" }
  return { message, type: "synthetic", metadata }
}

/** What `session.context` answers: the messages behind the last compaction, without the results of calls. */
export function asAnswered(history: readonly Stored[]): unknown[] {
  return fromCheckpoint(history).flatMap(({ message, type, metadata }) =>
    message.id === undefined ? [] : [{ id: message.id, type, text: textOf(message), metadata }],
  )
}

/** What dispatches show: all from the last compaction's checkpoint on. */
export function fromCheckpoint(history: readonly Stored[]): readonly Stored[] {
  return history.slice(
    Math.max(
      history.findLastIndex(({ type }) => type === "compaction"),
      0,
    ),
  )
}

/**
 * The copies that a fork begins with: their ids are the event's with a number each, what they hold is the same, metadata too
 * (docs/opencode-2.md, Forks).
 */
export function forked(history: readonly Stored[], event: string): Stored[] {
  return history.map((stored, index) => {
    const { message } = stored
    return message.id === undefined ? stored : { ...stored, message: { ...message, id: `${event}_${index}` } }
  })
}

/** A compaction's checkpoint: the newest messages stand in it as text, synthetic ones marked as such (docs/opencode-2.md, Compaction). */
export function checkpoint(id: string, history: readonly Stored[]): Stored {
  const recent = history
    .slice(-4)
    .map(({ message, type }) => (type === "synthetic" ? `[Synthetic context]: ${textOf(message)}` : shown(message)))
  const text = [
    "<conversation-checkpoint>",
    "<summary>a summary of what came before</summary>",
    `<recent-context>${recent.join("\n")}</recent-context>`,
  ]
  return { message: { id, role: "user", content: [{ type: "text", text: text.join("\n") }] }, type: "compaction" }
}

export function textOf({ content }: V2Message): string {
  return [content]
    .flat()
    .map((part) => (part as { text?: string }).text ?? "")
    .join("\n")
}
