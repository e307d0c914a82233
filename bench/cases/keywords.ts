import { type CompiledRule, type Facts, matchLifetime, NO_FACTS } from "@opencode-rulebook/rule-schema"
import { compiled, sourceText } from "../fixtures.ts"
import { compare, type Table } from "../measure.ts"

const RULES = 1_000
const PROMPT = sourceText(2_000)
const FACTS: Facts = { ...NO_FACTS, prompt: PROMPT }

function keywordsOf(index: number): readonly string[] {
  return [`deploy${index}`, `release ${index}`, `.env${index}`]
}

function keywordRules(): readonly CompiledRule[] {
  return Array.from({ length: RULES }, (_, index) =>
    compiled(`k${index}`, `---\nkeywords: ${JSON.stringify(keywordsOf(index))}\n---\nText.\n`),
  )
}

/** A prompt that has none of the keywords: all are looked for. */
export function keywords(): Promise<Table> {
  const words = Array.from({ length: RULES }, (_, index) => keywordsOf(index)).flat()
  const known = keywordRules()
  let fresh = known
  const match = (rules: readonly CompiledRule[]) => rules.filter((rule) => matchLifetime(rule, FACTS))
  return compare("A prompt of 2 KB, 1,000 rules with three keywords each", 7, [
    {
      name: "one `includes` for each keyword",
      run: () => {
        const text = PROMPT.toLowerCase()
        return words.filter((word) => text.includes(word))
      },
    },
    { name: "the plugin", run: () => match(known) },
    {
      name: "the plugin, rules just read",
      before: () => {
        fresh = keywordRules()
      },
      run: () => match(fresh),
    },
    { name: "the plain way: one expression for each keyword, just made", run: plainWay },
  ])

  function plainWay(): readonly string[] {
    return words.filter((word) => {
      const literal = word.replace(".", "\\.").replace(" ", "\\s+")
      return new RegExp(`(?<![[\\p{L}\\p{M}\\p{N}_]--\\p{scx=Han}])${literal}`, "iv").test(PROMPT)
    })
  }
}
