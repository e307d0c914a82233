import {
  type CompiledRule,
  createFileMatcher,
  type Facts,
  type FileMatcher,
  foldersAbove,
  type Lifetime,
  matchLifetime,
  type RuleId,
} from "@opencode-rulebook/rule-schema"
import { type FileWrite, gain } from "./file-write.ts"

/** A rule for which a call is held, and for which of its files. */
export interface Hold {
  readonly rule: CompiledRule
  /** With what lifetime the call would make it match; undefined for a hook. */
  readonly lifetime: Lifetime | undefined
  /** As the call has them; none for a hook. */
  readonly paths: readonly string[]
}

/** A rule that a call's writes would make match by their files, if its other conditions hold. */
export interface HoldCandidate {
  readonly rule: CompiledRule
  readonly paths: readonly string[]
}

/** Finds the rules with `hold` that writes would make match. */
export interface HoldingRules {
  /** @param folder the nested folder that the rules are of, relative to the session's; "" for the session's own. */
  add(rules: readonly CompiledRule[], folder: string): void
  /** Of the rules that may hold, in their order. */
  candidates(writes: readonly FileWrite[], mayHold: (rule: CompiledRule) => boolean): readonly HoldCandidate[]
}

/** @param directory the folder that relative paths start from, absolute. */
export function createHoldingRules(directory: string): HoldingRules {
  const matchers: FileMatcher[] = []
  /** Rules of nested folders that any file below makes match. */
  const byFolder: { readonly folder: string; readonly rules: readonly CompiledRule[] }[] = []

  function concernedBy(write: FileWrite, mayHold: (rule: CompiledRule) => boolean): readonly CompiledRule[] {
    const folders = byFolder.length === 0 ? [] : foldersAbove(write.path, directory)
    const below = byFolder
      .filter(({ folder }) => folders.includes(folder))
      .flatMap(({ rules }) => rules.filter(mayHold))
    // Pieces do not stand next to each other: source text has no NUL.
    const content = write.kind === "delete" ? undefined : write.added.join("\0")
    const observation = { path: write.path, tool: "", content }
    const met = matchers.flatMap((matcher) => matcher.metBy(observation, mayHold))
    return [...below, ...met.filter((rule) => isNewText(rule, write))]
  }

  return {
    add(rules, folder) {
      const holding = rules.filter(({ hold }) => hold)
      const isOfFiles = ({ conditions }: CompiledRule) => conditions.some(({ file }) => file !== undefined)
      if (holding.some(isOfFiles)) matchers.push(createFileMatcher(holding, directory))
      const others = holding.filter((rule) => !isOfFiles(rule))
      if (folder !== "" && others.length > 0) byFolder.push({ folder, rules: others })
    },
    candidates(writes, mayHold) {
      if (matchers.length === 0 && byFolder.length === 0) return []
      const found = new Map<CompiledRule, string[]>()
      for (const write of writes) {
        for (const rule of concernedBy(write, mayHold)) found.set(rule, [...(found.get(rule) ?? []), write.path])
      }
      return Array.from(found, ([rule, paths]) => ({ rule, paths }))
    },
  }
}

/** Text that a call only repeats is not new. */
function isNewText({ conditions }: CompiledRule, write: FileWrite): boolean {
  const literals = conditions.flatMap(({ file }) => file?.literals ?? [])
  return literals.length === 0 || literals.some((literal) => gain(write, literal) > 0)
}

/**
 * The candidates that the call would make match.
 *
 * @param matched durable rules that match already: by a parallel call, say.
 * @param facts as they are, without what the call would bring.
 */
export function holdsOf(
  candidates: readonly HoldCandidate[],
  matched: ReadonlySet<RuleId>,
  facts: Facts,
): readonly Hold[] {
  // A rule looks up its own path only, so one map serves all.
  const observed = new Map(facts.observed)
  for (const { rule, paths } of candidates) observed.set(rule.id, paths[0] ?? "")
  const written = { ...facts, observed }
  return candidates.flatMap(({ rule, paths }) => {
    const lifetime = matched.has(rule.id) ? "durable" : matchLifetime(rule, written)
    return lifetime === undefined ? [] : [{ rule, lifetime, paths }]
  })
}
