import { listed, quoted } from "../text.ts"
import { readEntries } from "./entries.ts"
import { defineFamily } from "./family.ts"
import { textField } from "./fields.ts"
import { type KeywordPattern, keywordPattern } from "./keyword-pattern.ts"

interface Keyword {
  readonly text: string
  readonly pattern: KeywordPattern
}

const field = textField({
  key: "keywords",
  description:
    "Active when the user's prompt contains one of these words or phrases, at the start of a word and in any case",
  example: "[deploy, release]",
})

export const keywords = defineFamily<"keywords", readonly Keyword[]>({
  name: "keywords",
  lifetime: "durable",
  fields: [field],
  compile: (frontmatter, problems) =>
    readEntries(frontmatter, field, problems)?.map(({ text }) => ({ text, pattern: keywordPattern(text) })),
  isMet: (declared, facts) => foundIn(declared, facts.prompt) !== undefined,
  explain(declared, facts) {
    if (facts.prompt === undefined) return "no prompt given"
    const found = foundIn(declared, facts.prompt)
    return found ? `prompt has ${quoted(found.text)}` : `prompt has none of ${list(declared, 3)} literally`
  },
  summarise: (declared) => `prompt ${list(declared, 3)}`,
  describe: (declared) => `prompt has one of ${list(declared, Number.POSITIVE_INFINITY)}`,
})

function foundIn(declared: readonly Keyword[], prompt: string | undefined): Keyword | undefined {
  if (prompt === undefined) return undefined
  const text = prompt.normalize("NFC")
  return declared.find((keyword) => keyword.pattern.test(text))
}

function list(declared: readonly Keyword[], shown: number): string {
  return listed(
    declared.map((keyword) => quoted(keyword.text)),
    shown,
  )
}
