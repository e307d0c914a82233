import { type FileCondition, hasContent, isMetBy } from "../families/file-condition.ts"
import { type PathForm, pathForms } from "../glob/path-form.ts"
import { groupBy } from "../group-by.ts"
import type { FileObservation } from "../observation.ts"
import type { CompiledRule } from "../rule.ts"
import { createPathIndex } from "./path-index.ts"
import { createTextSearch } from "./text-search.ts"

/** Tells which rules' file conditions File observations meet, for many rules at once. */
export interface FileObserver {
  /** The rules that this observation is the first to meet, in their order. */
  observe(observation: FileObservation): readonly CompiledRule[]
}

/** The same without a memory: each observation for itself. */
export interface FileMatcher {
  /** The rules whose file condition an observation meets, in their order; of those that are wanted, where not all are. */
  metBy(observation: FileObservation, isWanted?: (rule: CompiledRule) => boolean): readonly CompiledRule[]
  /** Those of which it meets the patterns, whatever its text. A rule with `fileContains` alone takes every path. */
  includedBy(path: string, isWanted?: (rule: CompiledRule) => boolean): readonly CompiledRule[]
}

interface Entry {
  readonly rule: CompiledRule
  readonly condition: FileCondition
}

/**
 * Few rules are looked at one by one: those that may be met by the path alone, and those of which the text may have a literal.
 *
 * @param rules the rules; those without a file condition are never met.
 * @param directory what a relative path is relative to, absolute.
 */
export function createFileObserver(rules: readonly CompiledRule[], directory: string): FileObserver {
  const entries = entriesOf(rules)
  const open = new Set(entries.keys())
  const match = createMatch(entries, directory)
  return {
    observe(observation) {
      if (open.size === 0) return []
      const met = match(observation, (at) => open.has(at))
      for (const at of met) open.delete(at)
      return met.flatMap((at) => entries[at]?.rule ?? [])
    },
  }
}

/**
 * @param rules the rules; those without a file condition are never met.
 * @param directory what a relative path is relative to, absolute.
 */
export function createFileMatcher(rules: readonly CompiledRule[], directory: string): FileMatcher {
  const entries = entriesOf(rules)
  const match = createMatch(entries, directory)
  const anywhere = [...entries.keys()].filter((at) => entries[at]?.condition.globs === undefined)
  const byPath = createMatch(
    entries.map(({ rule, condition }) => ({ rule, condition: { ...condition, literals: undefined } })),
    directory,
  )
  const isOpen = (isWanted: (rule: CompiledRule) => boolean) => (at: number) => {
    const rule = entries[at]?.rule
    return rule !== undefined && isWanted(rule)
  }
  const rulesAt = (numbers: readonly number[]) => numbers.flatMap((at) => entries[at]?.rule ?? [])
  return {
    metBy(observation, isWanted = () => true) {
      return rulesAt(match(observation, isOpen(isWanted)))
    },
    includedBy(path, isWanted = () => true) {
      const included = byPath({ path, tool: "", content: undefined }, isOpen(isWanted))
      return rulesAt([...anywhere.filter(isOpen(isWanted)), ...included].toSorted((a, b) => a - b))
    },
  }
}

function entriesOf(rules: readonly CompiledRule[]): readonly Entry[] {
  return rules.flatMap((rule) =>
    rule.conditions.flatMap(({ file }): Entry[] => (file ? [{ rule, condition: file }] : [])),
  )
}

/** The numbers of the entries that an observation meets, in order. */
function createMatch(entries: readonly Entry[], directory: string) {
  const roots = rootsOf(entries, directory)
  const byText = texts(entries)
  return (observation: FileObservation, isOpen: (at: number) => boolean): readonly number[] => {
    const forms = new Map(Array.from(roots, ([root, { formOf }]) => [root, formOf(observation.path)]))
    const candidates = new Set(hasContent(observation) ? byText(observation) : [])
    for (const [root, form] of forms) {
      for (const at of roots.get(root)?.byPath(form) ?? []) candidates.add(at)
    }
    const met = Array.from(candidates).filter((at) => {
      const entry = entries[at]
      const form = entry && forms.get(entry.rule.root)
      return form && isOpen(at) && isMetBy(entry.condition, observation, form)
    })
    return met.toSorted((a, b) => a - b)
  }
}

/** What is the same for all rules of one root. */
interface Root {
  /** How a path is compared with their patterns. */
  readonly formOf: (path: string) => PathForm
  /** The numbers of the entries that ask for a path and no text, and may be met by this one. */
  readonly byPath: (form: PathForm) => readonly number[]
}

function rootsOf(entries: readonly Entry[], directory: string): ReadonlyMap<string, Root> {
  const byRoot = groupBy(entries.keys(), (at) => entries[at]?.rule.root ?? "")
  const roots = Array.from(byRoot, ([root, all]): readonly [string, Root] => {
    const numbers = all.filter((at) => entries[at]?.condition.literals === undefined)
    const index = createPathIndex(numbers.map((at) => entries[at]?.condition.globs ?? []))
    const byPath = (form: PathForm) => Array.from(index.candidatesFor(form), (member) => numbers[member] ?? -1)
    // Rules of one root are of one project.
    const project = entries[all[0] ?? -1]?.rule.project
    return [root, { formOf: pathForms({ root, directory, project }), byPath }]
  })
  return new Map(roots)
}

/** Finds entries that ask for a text: with a literal that the observation's text has, or may have where it is of several lines. */
function texts(entries: readonly Entry[]): (observation: FileObservation) => readonly number[] {
  const literals = entries.flatMap(({ condition }, at) =>
    (condition.literals ?? []).map((literal) => ({ literal, at })),
  )
  const search = createTextSearch(literals.map(({ literal }) => literal))
  return (observation) => {
    const text = observation.source ?? observation.content ?? ""
    return search.candidatesIn(text).flatMap((number) => {
      const { literal, at } = literals[number] ?? { literal: "", at: -1 }
      return literal.includes("\n") || text.includes(literal) ? [at] : []
    })
  }
}
