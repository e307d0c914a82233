import { type FileCondition, normaliseLines } from "../families/file-condition.ts"
import { isIncluded } from "../glob/compile.ts"
import { type PathForm, pathForm } from "../glob/path-form.ts"
import type { FileObservation } from "../observation.ts"
import type { CompiledRule } from "../rule.ts"
import { type LiteralMatcher, literalMatcher, matchersIn } from "./literal-matcher.ts"

/** Tells which rules' file conditions File observations meet: `observes` for many rules at once. */
export interface FileObserver {
  /** The rules that this observation is the first to meet, in their order. */
  observe(observation: FileObservation): readonly CompiledRule[]
}

interface Open extends LiteralMatcher {
  readonly rule: CompiledRule
  readonly condition: FileCondition
  /** Whether a literal is of several lines: it meets text with either line end, and then so do all of its rule. */
  readonly spansLines: boolean
}

/**
 * @param rules the rules; those without a file condition are never met.
 * @param directory what a relative path is relative to, absolute.
 */
export function createFileObserver(rules: readonly CompiledRule[], directory: string): FileObserver {
  let open = rules.flatMap((rule) => rule.conditions.flatMap(({ file }) => (file ? [openOf(rule, file)] : [])))
  return {
    observe(observation) {
      if (open.length === 0) return []
      const met = meets(open, observation, directory)
      if (met.size > 0) open = open.filter((entry) => !met.has(entry))
      return [...met].map(({ rule }) => rule)
    },
  }
}

function openOf(rule: CompiledRule, condition: FileCondition): Open {
  const literals = condition.literals ?? []
  return { rule, condition, ...literalMatcher(literals), spansLines: literals.some((text) => text.includes("\n")) }
}

function meets(open: readonly Open[], { path, content }: FileObservation, directory: string): Set<Open> {
  const forms = new Map<string, PathForm>()
  const formFor = (root: string): PathForm => {
    const known = forms.get(root)
    if (known) return known
    const form = pathForm(path, { root, directory })
    forms.set(root, form)
    return form
  }
  const inPlace = open.filter(({ rule, condition }) => {
    if (content === undefined && condition.literals) return false
    return condition.globs === undefined || isIncluded(condition.globs, formFor(rule.root))
  })
  if (content === undefined) return new Set(inPlace)

  const matchers = inPlace.filter(({ condition }) => condition.literals)
  const hasReturns = content.includes("\r")
  const asIs = matchers.filter(({ spansLines }) => !hasReturns || !spansLines)
  const byLine = matchers.filter(({ spansLines }) => hasReturns && spansLines)
  const found = matchersIn(content, asIs)
  const foundByLine = byLine.length > 0 ? matchersIn(normaliseLines(content), byLine) : found
  return new Set(
    inPlace.filter((entry) => entry.condition.literals === undefined || found.has(entry) || foundByLine.has(entry)),
  )
}
