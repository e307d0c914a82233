import type { Turn } from "../../engine/session.ts"
import { field, text } from "../shared/untyped.ts"
import type { V2Message } from "./host.ts"
import { isOwnID } from "./ids.ts"

/** Tells what the user asked for from what dispatches show, with the help of what the host told of its inputs. */
export interface PromptReader {
  /** Takes in an input that the host is about to admit or has admitted. */
  admitted(input: unknown): void
  /** The newest prompt that a dispatch shows; nothing when it shows none, as after a compaction. */
  read(messages: readonly V2Message[]): Partial<Pick<Turn, "prompt" | "command">>
}

/** How many inputs are remembered: more than can be waiting for one step. */
const MOST_INPUTS = 100

/**
 * A user's message and a synthetic one have the same role. The user's has metadata, if only empty (recorded), or was
 * announced as the user's input. On a host that marks no message in either way, each that isn't ours counts.
 */
export function createPromptReader(): PromptReader {
  /** Commands of the user's inputs, by message id. */
  const inputs = new Map<string, string | undefined>()
  let marks = false

  const isWritten = ({ id, metadata }: V2Message) => metadata !== undefined || (id !== undefined && inputs.has(id))

  return {
    admitted(input) {
      const described = field(input, "input") ?? input
      const id = text(input, "inputID") ?? text(input, "messageID") ?? text(input, "id")
      const type = text(described, "type")
      if (id === undefined || isOwnID(id) || (type !== undefined && type !== "user")) return
      const command = commandOf(described) ?? commandOf(field(described, "data"))
      inputs.set(id, command ?? inputs.get(id))
      const oldest = inputs.keys().next()
      if (inputs.size > MOST_INPUTS && !oldest.done) inputs.delete(oldest.value)
    },

    read(messages) {
      const asked = messages.filter(({ role, id }) => role === "user" && !isOwnID(id))
      marks ||= asked.some(isWritten)
      const written = newestOf(messages, new Set(marks ? asked.filter(isWritten) : asked))
      if (written.length === 0) return {}
      const commands = written.flatMap((message) => commandOf(message.metadata) ?? inputs.get(message.id ?? "") ?? [])
      return { prompt: written.map(writtenText).join("\n"), command: commands.at(-1) }
    },
  }
}

/** The newest of the given messages that have no answer between them: several prompts can be promoted in one step. */
function newestOf(messages: readonly V2Message[], given: ReadonlySet<V2Message>): V2Message[] {
  const end = messages.findLastIndex((message) => given.has(message))
  const start = messages.findLastIndex(({ role }, index) => index < end && role !== "user")
  return messages.slice(start + 1, end + 1).filter((message) => given.has(message))
}

/** Previews tell the slash command of an input as a name or as an object with a name, or not at all. */
function commandOf(record: unknown): string | undefined {
  return text(record, "command") ?? text(field(record, "command"), "name")
}

function writtenText({ content }: V2Message): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .flatMap((part: unknown) => (text(part, "type") === "text" ? (text(part, "text") ?? []) : []))
    .join("\n")
}
