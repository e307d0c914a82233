import type { Case } from "../../config/cases.ts"
import { findAtLoad } from "../../lints/at-load.ts"
import { describeFinding } from "../../lints/finding.ts"
import type { SourcedRule } from "../../opencode/rules.ts"
import type { Place } from "../../permissions/places.ts"
import type { HostContext } from "./host.ts"
import { agentRulesOf } from "./rules.ts"

/** The agent that a session begins with, unless the config names another (2.0.26, `core/agent.ts`). */
const defaultAgent = "build"

/**
 * Reports what is wrong with an agent's permissions at its first shell call, and at the very first one the failed cases:
 * while plugins are set up, the config's rules are not there yet.
 */
export function createFindingsReport(
  context: HostContext,
  cases: readonly Case[],
  place: Place,
  warn: (message: string) => void,
): (agent: string) => Promise<void> {
  const reported = new Set<string>()

  async function read(name: string): Promise<readonly (readonly [string, readonly SourcedRule[]])[]> {
    const rules = await agentRulesOf(context, name).catch(() => undefined)
    if (rules === undefined) return []
    return [[name, rules.map((rule): SourcedRule => ({ ...rule, origin: undefined, scope: "user" }))]]
  }

  async function report(names: readonly string[], checked: readonly Case[]): Promise<void> {
    const agents = new Map((await Promise.all([...new Set(names)].map(read))).flat())
    for (const finding of findAtLoad({ agents, defaultAgent }, checked, place)) {
      const text = describeFinding(finding)
      if (!reported.has(text)) warn(text)
      reported.add(text)
    }
  }

  const seen = new Set<string>()
  return async (agent) => {
    if (seen.has(agent)) return
    const isFirst = seen.size === 0
    seen.add(agent)
    await report([agent], [])
    if (isFirst && cases.length > 0)
      await report(
        cases.map((one) => one.agent ?? defaultAgent),
        cases,
      )
  }
}
