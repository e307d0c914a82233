import {
  createRuleCache,
  findNestedRules,
  findRuleSources,
  formatProblem,
  loadRulebook,
  type NestedRules,
  type Rulebook,
  type RuleDirectory,
  type RuleProblem,
  readState,
  type SourceInput,
} from "@opencode-rulebook/rule-schema"
import type { Snapshot } from "../engine/session.ts"

/** Loads rules for sessions: those of all their places at the start, and those of nested folders when they come up. */
export interface RuleLoader {
  load(sessionID: string): Promise<Snapshot>
  findNested(folders: readonly string[], known?: readonly string[]): Promise<readonly NestedRules[]>
  /** What a session that began now would load; nothing is reported. */
  survey(): Promise<LoadedRules>
}

/** Who is told what. None may throw. */
export interface LoaderReports {
  /** Of each problem of a rule or a rules directory. */
  ofRule(message: string): void
  /** Of each pack that can't be read. */
  ofSource(message: string): void
  /** Of what was loaded for a session's start. */
  loaded(loaded: LoadedRules): void
}

/** A rulebook, and the directories that it is of. */
export interface LoadedRules {
  readonly rulebook: Rulebook
  readonly directories: readonly RuleDirectory[]
}

/**
 * @param input where the session's folder, its project and the user's home are, and what is read beside OpenCode's own places.
 * @param states where the Matched-rule states are, absolute: one says which nested folders a session had before a restart.
 */
export function createRuleLoader(input: SourceInput, states: string, reports: LoaderReports): RuleLoader {
  const cache = createRuleCache()

  function report(problems: readonly RuleProblem[]): void {
    for (const problem of problems) reports.ofRule(formatProblem(problem))
  }

  async function findNested(
    folders: readonly string[],
    known: readonly string[] = [],
  ): Promise<readonly NestedRules[]> {
    const found = await findNestedRules(input, folders, known)
    for (const { rulebook } of found) report(rulebook.problems)
    return found
  }

  return {
    findNested,
    async survey() {
      const { directories } = await findRuleSources(input)
      return { rulebook: await loadRulebook(directories, cache), directories }
    },
    async load(sessionID) {
      const { directories, problems } = await findRuleSources(input)
      const rulebook = await loadRulebook(directories, cache)
      for (const problem of problems) reports.ofSource(formatProblem(problem))
      report(rulebook.problems)
      reports.loaded({ rulebook, directories })
      const state = await readState(states, sessionID)
      const nested = state?.directory === input.directory ? (state.nested ?? []) : []
      return { ...rulebook, nested: await findNested(nested.filter(isInside)) }
    },
  }
}

function isInside(folder: string): boolean {
  return !folder.split("/").includes("..")
}
