import { listed, quoted } from "@opencode-rulebook/rule-schema/authoring"
import { EVERYDAY_WORDS, PREFIX_WORDS } from "./everyday-words.ts"
import type { Lint } from "./lint.ts"

const everyday = new Set(EVERYDAY_WORDS)

/** Alone or with another condition under `match: any`; under `match: all` the other conditions narrow it. */
export const broadKeyword: Lint = {
  code: "broad-keyword",
  about: "A keyword that nearly every prompt has, or that begins many unrelated words.",
  check({ rule, source }) {
    if (rule.match === "all" && rule.conditions.length > 1) return []
    return source.entries("keywords").flatMap(({ text, offset, field }) => {
      const reason = whyBroad(text.toLowerCase())
      if (reason === undefined) return []
      const remedy = "Use words or phrases that only prompts about this rule's subject have"
      return [{ offset, field, reason: `${quoted(text)} ${reason}`, remedy }]
    })
  },
}

function whyBroad(word: string): string | undefined {
  if (everyday.has(word)) return "is in nearly every prompt"
  if (/^\p{Script=Latin}$/u.test(word)) return "matches every word that begins with this letter"
  const others = Object.hasOwn(PREFIX_WORDS, word) ? PREFIX_WORDS[word] : undefined
  return others && `also matches words that begin with it, such as ${listed(others.map((other) => quoted(other)))}`
}
