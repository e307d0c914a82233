import { compileNamePattern, isIncluded, type Pattern } from "../glob/compile.ts"
import { nameForm } from "../glob/path-form.ts"
import { listed, quoted, visible } from "../text.ts"
import { readEntries } from "./entries.ts"
import { defineFamily } from "./family.ts"
import { textField } from "./fields.ts"
import { compilePatterns } from "./patterns.ts"

const field = textField({
  key: "branch",
  description: "Active when the current git branch matches one of these names or patterns",
  example: '[main, "release/*"]',
  text: "patterns",
})

export const branch = defineFamily<"branch", readonly Pattern[]>({
  name: "branch",
  lifetime: "transient",
  fields: [field],
  compile(frontmatter, problems) {
    const words = readEntries(frontmatter, field, problems)
    return words && compilePatterns(words, compileNamePattern, problems)
  },
  isMet: (declared, facts) => facts.branch !== undefined && isIncluded(declared, nameForm(facts.branch)),
  explain(declared, facts) {
    if (facts.branch === undefined) return "no git branch: not a git repository, or no branch is checked out"
    const verdict = isIncluded(declared, nameForm(facts.branch)) ? "matches" : "does not match"
    return `branch ${quoted(facts.branch)} ${verdict} ${list(declared, 3)}`
  },
  seen: (_, facts) => facts.branch,
  summarise: (declared) => `branch ${list(declared, 3)}`,
  describe: (declared) => `branch is one of ${list(declared, Number.POSITIVE_INFINITY)}`,
})

function list(declared: readonly Pattern[], shown: number): string {
  return listed(
    declared.map((pattern) => visible(pattern.source)),
    shown,
  )
}
