import { readFile } from "node:fs/promises"
import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import { observeCall } from "@opencode-rulebook/server/dry-run"
import type { GivenTurn, Step } from "../play/play.ts"
import { UsageError } from "../usage-error.ts"

/**
 * The turns of a session that `opencode export` wrote: what the user wrote, with agent and model, and each call that succeeded.
 *
 * @param path the file's, absolute.
 * @throws UsageError when it can't be read, or is not such a session.
 */
export async function readSession(path: string): Promise<readonly GivenTurn[]> {
  const messages = await messagesIn(path)
  const turns: { turn: GivenTurn["turn"]; steps: Step[] }[] = []
  for (const { info, parts } of messages) {
    if (info["role"] === "user") {
      const prompt = writtenText(parts)
      if (prompt !== undefined) turns.push({ turn: { prompt, command: undefined, ...settingsOf(info) }, steps: [] })
    } else {
      turns.at(-1)?.steps.push(...parts.flatMap(stepsOf))
    }
  }
  return turns
}

type Fields = Readonly<Record<string, unknown>>

async function messagesIn(
  path: string,
): Promise<readonly { readonly info: Fields; readonly parts: readonly Fields[] }[]> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new UsageError(`${path}: can't be read (${error.message})`)
  })
  const value = parsed(textOf(bytes))
  const messages = isRecord(value) ? value["messages"] : undefined
  if (!Array.isArray(messages)) throw new UsageError(`${path}: not a session that \`opencode export\` wrote`)
  return messages.flatMap((message: unknown) => {
    if (!isRecord(message) || !isRecord(message["info"]) || !Array.isArray(message["parts"])) return []
    return [{ info: message["info"], parts: message["parts"].filter(isRecord) }]
  })
}

/** What Windows PowerShell redirects into a file is UTF-16 behind a mark; without one it is UTF-8. */
function textOf(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** What a person wrote: parts that a host or a plugin added do not count. Undefined where nothing else is there. */
function writtenText(parts: readonly Fields[]): string | undefined {
  const texts = parts
    .filter((part) => part["type"] === "text" && part["synthetic"] !== true)
    .map((part) => String(part["text"]))
  return texts.length === 0 ? undefined : texts.join("\n")
}

function settingsOf(info: Fields): Pick<GivenTurn["turn"], "agent" | "model"> {
  const { agent, model } = info
  const isModel = isRecord(model) && typeof model["providerID"] === "string" && typeof model["modelID"] === "string"
  return {
    agent: typeof agent === "string" ? agent : undefined,
    model: isModel ? { providerID: String(model["providerID"]), modelID: String(model["modelID"]) } : undefined,
  }
}

/** A call whose result the session has; one that failed observed nothing. */
function stepsOf(part: Fields): readonly Step[] {
  const { tool, state } = part
  if (part["type"] !== "tool" || typeof tool !== "string" || !isRecord(state) || state["status"] !== "completed")
    return []
  const observations = observeCall(tool, state["input"], state)
  return [{ tool, args: state["input"], file: observations[0]?.path, observations }]
}
