import { expect } from "bun:test"
import type { ProviderRequest } from "../../src/index.ts"

const PREAMBLE = "The rules below come from the opencode-rulebook plugin, not from the user\\.[^\\n]*"
/** A text without a frame's tags, taken in runs: of a rule of a megabyte, too. */
const NO_TAG = "[^<]*(?:<(?!/?rule\\b|/?system-message>)[^<]*)*"
const RULE = `<rule name="[^"<>\\n]*">\\n${NO_TAG}(?<=\\n)</rule>`
const FRAME = `<system-message>\\n${PREAMBLE}\\n(?:${RULE}\\n)+</system-message>`

/** A text without the plugin's frames. Only whole ones are taken out: what is like one and is none stays, for a comparison to see. */
export function withoutFrames(text: string): string {
  return text.replace(new RegExp(`\\n*(?:\\[User\\]: )?${FRAME}`, "g"), "")
}

/**
 * Checks what the plugin adds to a conversation: whole frames, each with a rule, and no rule twice in a request.
 *
 * @param repeats texts of rules with `remind` that come again as they are.
 */
export function expectWholeFrames(requests: readonly ProviderRequest[], repeats: readonly string[] = []): void {
  for (const { kind, messages } of requests) {
    if (kind !== "dispatch") continue
    const texts = messages.filter(({ role }) => role === "user").map(({ text }) => text)
    expect(texts.map(withoutFrames).filter((text) => /<\/?system-message>|<rule name=/.test(text))).toEqual([])
    const rules = texts
      .flatMap((text) => text.match(new RegExp(FRAME, "g")) ?? [])
      .flatMap((frame) => frame.match(new RegExp(RULE, "g")) ?? [])
      .filter((rule) => !repeats.some((text) => rule.includes(text)))
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([])
  }
}
