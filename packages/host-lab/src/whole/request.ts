import type { ProviderRequest } from "../request.ts"
import { hasMark, withoutFrames } from "./frames.ts"
import { isHosts } from "./host-texts.ts"
import { isOfFile, type KnownRules, mayRepeat } from "./known-rules.ts"
import { type Lasting, lastingOf, mayReplace, type ReadMessage, type ReadRequest, readMessage } from "./read-request.ts"

/** What a test knows of a session when a request of it arrives. */
export type Known = {
  readonly rules: KnownRules
  /** The prompts that the request must have, whole and in this order. */
  readonly prompts: readonly string[]
  /** Whether this is a text of the user's, or a subagent's task. */
  readonly isAsked: (text: string) => boolean
  /** Texts of other plugins in user messages, which they may take out again. */
  readonly others: readonly string[]
  /** The session's request before it, unless OpenCode has rewritten the conversation since. */
  readonly before: ReadRequest | undefined
}

const WORKING_CONTEXT = /\n\nFiles the session has been working on \(paths only\):(?:\n- .+){1,20}$/

/**
 * Checks a whole request: each of the user's prompts is there, word by word and in order; what the plugin has added is whole frames with
 * whole rules that the test's files have, none of them twice; nobody has added anything else; and the request begins with all that the one before it
 * had, but for what OpenCode takes back and for rules that hold no longer.
 *
 * @throws with the first thing that is wrong.
 */
export function checkRequest({ kind, raw }: ProviderRequest, known: Known): ReadRequest {
  const before = known.before?.messages ?? []
  const messages = raw.messages.map((message, index) => readMessage(message, before[index]))
  if (kind !== "dispatch") {
    for (const { texts } of messages) for (const text of texts) checkRetold(text)
    return { messages }
  }
  for (const [index, message] of messages.entries()) if (message !== before[index]) checkMessage(message, known)
  checkOnce(messages, known.rules)
  checkPrompts(messages, known.prompts)
  checkExtends(before, messages, (message) => lastingOf(message, known.rules, known.others))
  return { messages }
}

/** A text that OpenCode has made of a conversation, for a title or a summary. */
function checkRetold(text: string): void {
  const rest = withoutFrames(text).replace(WORKING_CONTEXT, "")
  if (hasMark(rest) || rest.includes("(paths only):")) throw wrong("has a frame that is not whole", rest)
}

function checkMessage({ role, parts, texts, rules }: ReadMessage, known: Known): void {
  if (role !== "user") {
    const marked = texts.find((text) => text.includes("opencode-rulebook plugin"))
    if (marked !== undefined) throw wrong(`has a frame in a message of the role ${role}`, marked)
    return
  }
  if (texts.length > 0 && typeof parts[0] !== "string") throw wrong("has a frame ahead of the prompt", texts.join("\n"))
  for (const text of texts) {
    if (known.isAsked(text) || known.others.includes(text) || isHosts(text)) continue
    throw wrong(hasMark(text) ? "has a frame that is not whole" : "has a text that nobody wrote", text)
  }
  for (const rule of rules) {
    if (isOfFile(rule, known.rules)) continue
    throw wrong(`has a text of the rule ${JSON.stringify(rule.name)} that its file has not`, rule.body)
  }
}

function checkOnce(messages: readonly ReadMessage[], known: KnownRules): void {
  const seen = new Set<string>()
  for (const rule of messages.flatMap(({ rules }) => rules)) {
    const whole = `${rule.name}\n${rule.body}`
    if (seen.has(whole) && !mayRepeat(rule, known))
      throw wrong(`has the rule ${JSON.stringify(rule.name)} twice`, rule.body)
    seen.add(whole)
  }
}

function checkPrompts(messages: readonly ReadMessage[], prompts: readonly string[]): void {
  const texts = messages.flatMap(({ role, texts }) => (role === "user" ? texts : []))
  let at = 0
  for (const prompt of prompts) {
    at = texts.indexOf(prompt, at) + 1
    if (at === 0) throw wrong("lacks a prompt of the user, or has it in another place", prompt)
  }
}

function checkExtends(
  before: readonly ReadMessage[],
  after: readonly ReadMessage[],
  lastingOf: (message: ReadMessage) => Lasting[],
): void {
  const lasting = (messages: readonly ReadMessage[]) => messages.flatMap(lastingOf)
  const now = lasting(after)
  for (const [index, was] of lasting(before).entries()) {
    const is = now[index]
    if (is === undefined || (was.text !== is.text && !mayReplace(is, was)))
      throw wrong("does not begin with what the request before it had", `${was.text}\nbut has there: ${is?.text}`)
  }
}

function wrong(what: string, text: string): Error {
  const cut = text.length > 1_200 ? `${text.slice(0, 1_200)} …` : text
  return new Error(`a request ${what}: ${JSON.stringify(cut)}`)
}
