import { compileNamePattern, isIncluded, type Pattern } from "../glob/compile.ts"
import { spellName } from "../glob/spelling.ts"
import { listed, quoted, visible } from "../text.ts"
import { defineFamily } from "./family.ts"
import { wordField } from "./fields.ts"
import { compilePatterns } from "./patterns.ts"
import { readWords } from "./words.ts"

const field = wordField({
  key: "branch",
  description: "Names or patterns of which the current git branch meets one",
  example: '[main, "release/*"]',
  text: "patterns",
})

export const branch = defineFamily<"branch", readonly Pattern[]>({
  name: "branch",
  lifetime: "transient",
  fields: [field],
  compile(frontmatter, problems) {
    const words = readWords(frontmatter, field, problems)
    return words && compilePatterns(words, compileNamePattern, problems)
  },
  isMet: (declared, facts) => facts.branch !== undefined && isIncluded(declared, spellName(facts.branch)),
  explain(declared, facts) {
    if (facts.branch === undefined) return "no git branch known"
    const verdict = isIncluded(declared, spellName(facts.branch)) ? "meets" : "does not meet"
    return `branch ${quoted(facts.branch)} ${verdict} ${list(declared, 3)}`
  },
  summarise: (declared) => `branch ${list(declared, 3)}`,
  describe: (declared) => `branch is one of ${list(declared, Number.POSITIVE_INFINITY)}`,
})

function list(declared: readonly Pattern[], shown: number): string {
  return listed(
    declared.map((pattern) => visible(pattern.source)),
    shown,
  )
}
