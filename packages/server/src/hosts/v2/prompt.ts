import type { Turn } from "../../engine/session.ts"
import { createLruMap } from "../../lru-map.ts"
import { field, text } from "../shared/untyped.ts"
import type { V2Message } from "./host.ts"
import { isOwnID } from "./ids.ts"

/** Tells what the user asked for from what dispatches show, with the help of what the host told of its inputs. */
export interface PromptReader {
  /** Takes in an input that the host is about to admit, has admitted, or has stored. */
  admitted(input: unknown): void
  /** The newest prompt that a dispatch shows; nothing when it shows none, as after a compaction. */
  read(messages: readonly V2Message[]): Partial<Pick<Turn, "prompt" | "promptID" | "command">>
  /** Whether a message is the user's, or known not to be. */
  knows(message: V2Message): boolean
}

/** How many inputs are remembered: more than a session's newest messages and what can be waiting for one step. */
const MOST_INPUTS = 100

/** What the host puts before the prompt of a subagent that begins (docs/opencode-2.md, Prompts). */
const SUBAGENT_LINE = "You are a subagent spawned by another session.\n"

interface Input {
  readonly isUsers: boolean
  readonly text: string | undefined
  readonly command: string | undefined
}

/**
 * A user's message and a synthetic one have the same role, and so have the output of a `!` command and the text of a skill. The
 * user's has metadata, if only empty (recorded; so on the stable line), or was announced as the user's input.
 */
export function createPromptReader(): PromptReader {
  /** By message id. */
  const inputs = createLruMap<Partial<Input>>({ most: MOST_INPUTS, create: () => ({}) })
  const inputOf = ({ id }: V2Message) => inputs.peek(id ?? "")

  function isWritten(message: V2Message): boolean {
    const { id, role, metadata } = message
    if (role !== "user" || isOwnID(id)) return false
    return inputOf(message)?.isUsers ?? (typeof metadata === "object" && metadata !== null)
  }

  return {
    admitted(input) {
      const id = idOf(input)
      if (id === undefined) return
      const known = inputs.open(id)
      const { isUsers, text: written = known.text, command = known.command } = described(input)
      Object.assign(known, { isUsers, text: written, command })
    },

    read(messages) {
      const written = newestOf(messages, new Set(messages.filter(isWritten)))
      if (written.length === 0) return {}
      const commands = written.flatMap((message) => commandOf(message.metadata) ?? inputOf(message)?.command ?? [])
      const texts = written.map((message) => inputOf(message)?.text ?? writtenText(message))
      const promptID = written.at(-1)?.id
      return { prompt: texts.map(withoutHostLine).join("\n"), promptID, command: commands.at(-1) }
    },

    knows: (message) => message.role !== "user" || isWritten(message) || inputOf(message) !== undefined,
  }
}

/** The names that the hook, the events of either line, and stored messages have for it. */
function idOf(input: unknown): string | undefined {
  return text(input, "inboxID") ?? text(input, "inputID") ?? text(input, "messageID") ?? text(input, "id")
}

function described(input: unknown): Input {
  const item = field(input, "item") ?? field(input, "input") ?? input
  const content = field(item, "payload") ?? field(item, "data") ?? field(item, "prompt") ?? item
  const type = text(item, "type")
  return {
    isUsers: type === undefined || type === "user",
    text: text(content, "text"),
    command: commandOf(item) ?? commandOf(content),
  }
}

/** The newest of the given messages that have no answer between them: several prompts can be promoted in one step. */
function newestOf(messages: readonly V2Message[], given: ReadonlySet<V2Message>): V2Message[] {
  const end = messages.findLastIndex((message) => given.has(message))
  const start = messages.slice(0, end).findLastIndex(({ role }) => role === "assistant")
  return messages.slice(start + 1, end + 1).filter((message) => given.has(message))
}

/** Previews tell the slash command of an input as a name or as an object with a name, or not at all. The stable line never does. */
function commandOf(record: unknown): string | undefined {
  return text(record, "command") ?? text(field(record, "command"), "name")
}

/** Without the files that are attached to it, whose texts stand in the same message. */
function writtenText({ content }: V2Message): string {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .filter(
      (part: unknown) => text(part, "type") === "text" && field(field(part, "metadata"), "attachment") === undefined,
    )
    .flatMap((part: unknown) => text(part, "text") ?? [])
    .join("\n")
}

function withoutHostLine(prompt: string): string {
  return prompt.startsWith(SUBAGENT_LINE) ? prompt.slice(SUBAGENT_LINE.length) : prompt
}
