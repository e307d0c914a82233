import { expect } from "bun:test"
import { frameRules } from "../../src/engine/framing.ts"

/** One message of a request: who it is of, and its parts' texts in order. */
export interface RequestMessage {
  readonly role: string
  readonly texts: readonly string[]
}

const [PREAMBLE = ""] = frameRules([]).split("\n").slice(1, -1)
const RULE = /<rule name="[^"<>\n]*">\n[\s\S]*?\n<\/rule>\n/y

/**
 * Checks one whole request against what the host had for it: whatever is of the user, the model, its tools, the host and other
 * plugins is there in its order, word by word; what is not of them is whole frames of rules; and no rule is there twice.
 *
 * @param before what the host showed the plugin, stored deliveries included.
 * @param after what the plugin made of it.
 * @param repeats texts of rules with `remind` that come again as they are.
 */
export function expectWholeRequest(
  before: readonly RequestMessage[],
  after: readonly RequestMessage[],
  repeats: readonly string[] = [],
): void {
  expect(withoutFrames(after)).toEqual(withoutFrames(before))
  const all = after.flatMap(({ texts }) => texts.flatMap((text) => rulesOfFrame(text) ?? []))
  const rules = all.filter((rule) => !repeats.some((text) => rule.includes(text)))
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
}

function withoutFrames(messages: readonly RequestMessage[]): RequestMessage[] {
  return messages.flatMap((message) => {
    const texts = message.texts.filter((text) => rulesOfFrame(text) === undefined)
    const isOnlyFrames = texts.length === 0 && message.texts.length > 0
    return isOnlyFrames ? [] : [{ role: message.role, texts }]
  })
}

/** The rules of a text that is one whole frame, each with its name; undefined for any other text, a frame without a rule among them. */
export function rulesOfFrame(text: string): string[] | undefined {
  const [head, tail] = [`<system-message>\n${PREAMBLE}\n`, "</system-message>"]
  if (!text.startsWith(head) || !text.endsWith(tail)) return undefined
  const inside = text.slice(head.length, -tail.length)
  const rules: string[] = []
  for (let at = 0; at < inside.length; at = RULE.lastIndex) {
    RULE.lastIndex = at
    const rule = RULE.exec(inside)?.[0]
    if (rule === undefined) return undefined
    rules.push(rule)
  }
  return rules.length === 0 ? undefined : rules
}
