import { type FileCondition, normaliseLines } from "../families/file.ts"
import { isIncluded } from "../glob/compile.ts"
import { type Spelling, spellPath } from "../glob/spelling.ts"
import type { CompiledRule, FileObservation } from "../types.ts"
import { type Seeker, seekerOf, seekersIn } from "./seekers.ts"

/** Tells which rules' file conditions File observations meet: `observes` for many rules at once. */
export interface FileObserver {
  /** The rules that this observation is the first to meet, in their order. */
  observe(observation: FileObservation): readonly CompiledRule[]
}

interface Open extends Seeker {
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
  return { rule, condition, ...seekerOf(literals), spansLines: literals.some((text) => text.includes("\n")) }
}

function meets(open: readonly Open[], { path, content }: FileObservation, directory: string): Set<Open> {
  const spellings = new Map<string, Spelling>()
  const spellingFor = (root: string): Spelling => {
    const known = spellings.get(root)
    if (known) return known
    const spelling = spellPath(path, { root, directory })
    spellings.set(root, spelling)
    return spelling
  }
  const inPlace = open.filter(({ rule, condition }) => {
    if (content === undefined && condition.literals) return false
    return condition.globs === undefined || isIncluded(condition.globs, spellingFor(rule.root))
  })
  if (content === undefined) return new Set(inPlace)

  const seekers = inPlace.filter(({ condition }) => condition.literals)
  const hasReturns = content.includes("\r")
  const asIs = seekers.filter(({ spansLines }) => !hasReturns || !spansLines)
  const byLine = seekers.filter(({ spansLines }) => hasReturns && spansLines)
  const found = seekersIn(content, asIs)
  const foundByLine = byLine.length > 0 ? seekersIn(normaliseLines(content), byLine) : found
  return new Set(
    inPlace.filter((entry) => entry.condition.literals === undefined || found.has(entry) || foundByLine.has(entry)),
  )
}
