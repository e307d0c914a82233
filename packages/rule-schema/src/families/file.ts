import { compilePathPattern, isIncluded, type Pattern } from "../glob/compile.ts"
import { type Spelling, spellPath } from "../glob/spelling.ts"
import { listed, quoted, visible } from "../text.ts"
import { defineFamily } from "./family.ts"
import { wordField } from "./fields.ts"
import { compilePatterns } from "./patterns.ts"
import { readWords } from "./words.ts"

/** What a rule asks of a file: path, text, or both of the same one. */
export interface FileCondition {
  readonly globs: readonly Pattern[] | undefined
  readonly literals: readonly string[] | undefined
}

const globs = wordField({
  key: "globs",
  aliases: ["paths", "applyTo"],
  description: "Path patterns: an observed file's path matches one of them",
  example: '["src/**/*.rs", "!**/generated/**"]',
  text: "patterns",
  takesScalars: false,
})

const fileContains = wordField({
  key: "fileContains",
  description: "Literal texts: an observed file's text contains one of them, case-sensitively",
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
    const words = readWords(frontmatter, globs, problems)
    const literals = readWords(frontmatter, fileContains, problems)?.map((word) => normaliseLines(word.text))
    const patterns = words && compilePatterns(words, compilePathPattern, problems)
    if (patterns === undefined && literals === undefined) return undefined
    return { globs: patterns, literals }
  },
  isMet: (_, facts, rule) => facts.observed.has(rule),
  explain(declared, facts, rule) {
    const path = facts.observed.get(rule)
    return `${path === undefined ? "no observed file" : visible(path)}: ${describe(declared, 3)}`
  },
  summarise: (declared) => describe(declared, 2),
  describe: (declared) => describe(declared, Number.POSITIVE_INFINITY),
  file: (declared) => declared,
  observes(declared, observation, place) {
    if (declared.globs && !isIncluded(declared.globs, spellPath(observation.path, place))) return false
    if (declared.literals === undefined) return true
    return observation.content !== undefined && findLiteral(observation.content, declared.literals) !== undefined
  },
  explainObservation({ globs: patterns, literals }, { path, content }, place) {
    const reasons: string[] = []
    if (patterns) {
      const verdict = explainInclusion(patterns, spellPath(path, place))
      if (!verdict.included) return `path ${verdict.why}`
      reasons.push(`path ${verdict.why}`)
    }
    if (literals) {
      const found = content === undefined ? undefined : findLiteral(content, literals)
      const none = content === undefined ? "its text is not known" : `its text has none of ${listLiterals(literals, 3)}`
      reasons.push(found === undefined ? none : `its text has ${quoted(found)}`)
    }
    return reasons.join(", ")
  },
})

function explainInclusion(patterns: readonly Pattern[], spelling: Spelling): { included: boolean; why: string } {
  const excluding = patterns.find((pattern) => pattern.excludes && pattern.matches(spelling))
  const including = patterns.find((pattern) => !pattern.excludes && pattern.matches(spelling))
  const list = listed(patterns.filter((pattern) => !pattern.excludes).map(({ source }) => visible(source)))
  if (!including) return { included: false, why: `does not meet ${list}` }
  if (excluding) return { included: false, why: `meets ${visible(including.source)}, but ${visible(excluding.source)}` }
  return { included: true, why: `meets ${visible(including.source)}` }
}

/** The first literal that the content has. One of several lines meets text with either line end. */
function findLiteral(content: string, literals: readonly string[]): string | undefined {
  const needsLines = literals.some((literal) => literal.includes("\n")) && content.includes("\r")
  const text = needsLines ? normaliseLines(content) : content
  return literals.find((literal) => text.includes(literal))
}

export function normaliseLines(text: string): string {
  return text.replaceAll("\r\n", "\n")
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
