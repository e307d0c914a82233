import { compilePathPattern, type Pattern } from "../glob/compile.ts"
import { type PathForm, pathForm } from "../glob/path-form.ts"
import { listed, quoted, visible } from "../text.ts"
import { readEntries } from "./entries.ts"
import { defineFamily } from "./family.ts"
import { textField } from "./fields.ts"
import { type FileCondition, findLiteral, normaliseLines } from "./file-condition.ts"
import { compilePatterns } from "./patterns.ts"

const globs = textField({
  key: "globs",
  aliases: ["paths", "applyTo", "fileMatchPattern"],
  description:
    "Active when the path of a file that the agent read or wrote matches one of these patterns; `!pattern` excludes",
  example: '["src/**/*.rs", "!**/generated/**"]',
  text: "patterns",
  takesScalars: false,
})

const fileContains = textField({
  key: "fileContains",
  description:
    "Active when the text of a file that the agent read or wrote contains one of these literals; case counts",
  example: '"unsafe {"',
  text: "whole",
  takesScalars: false,
})

/** Path and text of one File observation; both must hold of the same one. */
export const file = defineFamily<"file", FileCondition>({
  name: "file",
  lifetime: "durable",
  fields: [globs, fileContains],
  compile(frontmatter, problems) {
    const words = readEntries(frontmatter, globs, problems)
    const literals = readEntries(frontmatter, fileContains, problems)?.map((word) => normaliseLines(word.text))
    const patterns = words && compilePatterns(words, compilePathPattern, problems)
    if (patterns === undefined && literals === undefined) return undefined
    return { globs: patterns, literals }
  },
  isMet: (_, facts, rule) => facts.observed.has(rule),
  explain(declared, facts, rule) {
    const path = facts.observed.get(rule)
    return `${path === undefined ? "no observed file" : visible(path)}: ${describe(declared, 3)}`
  },
  seen: (_, facts, rule) => facts.observed.get(rule),
  summarise: (declared) => describe(declared, 2),
  describe: (declared) => describe(declared, Number.POSITIVE_INFINITY),
  file: (declared) => declared,
  explainObservation({ globs: patterns, literals }, { path, content }, place) {
    const reasons: string[] = []
    if (patterns) {
      const verdict = explainInclusion(patterns, pathForm(path, place))
      if (!verdict.included) return `path ${verdict.why}`
      reasons.push(`path ${verdict.why}`)
    }
    if (literals) {
      const found = content === undefined ? undefined : findLiteral(content, literals)
      const none =
        content === undefined ? "its text is not known" : `its text has none of ${listLiterals(literals, 3)} literally`
      reasons.push(found === undefined ? none : `its text has ${quoted(found)}`)
    }
    return reasons.join(", ")
  },
})

function explainInclusion(patterns: readonly Pattern[], form: PathForm): { included: boolean; why: string } {
  const excluding = patterns.find((pattern) => pattern.excludes && pattern.matches(form))
  const including = patterns.find((pattern) => !pattern.excludes && pattern.matches(form))
  const list = listed(patterns.filter((pattern) => !pattern.excludes).map(({ source }) => visible(source)))
  if (!including) return { included: false, why: `does not match ${list}` }
  if (excluding)
    return { included: false, why: `matches ${visible(including.source)}, but also ${visible(excluding.source)}` }
  return { included: true, why: `matches ${visible(including.source)}` }
}

function describe({ globs: patterns, literals }: FileCondition, shown: number): string {
  const parts: string[] = []
  if (patterns)
    parts.push(
      listed(
        patterns.map((pattern) => visible(pattern.source)),
        shown,
      ),
    )
  if (literals) parts.push(`contains ${listLiterals(literals, shown)}`)
  return parts.join(" · ")
}

function listLiterals(literals: readonly string[], shown: number): string {
  return listed(
    literals.map((literal) => quoted(literal, shown > 3 ? 500 : 40)),
    shown,
  )
}
