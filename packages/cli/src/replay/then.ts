import {
  type Condition,
  type FamilyName,
  NO_FACTS,
  type Receipt,
  type Rulebook,
  type RuleId,
} from "@opencode-rulebook/rule-schema"
import type { FactSources, StoredEvent, StoredSession } from "@opencode-rulebook/server/dry-run"
import { type PastVerdicts, pastVerdicts } from "./verdicts.ts"

/** The families whose facts an export does not tell. */
const UNTOLD = ["branch", "ci", "command", "os", "project", "tools"] as const satisfies readonly FamilyName[]

/** A fact that rules ask for and that nothing tells of a session's time. */
export type AssumedFact = (typeof UNTOLD)[number]

/** The facts of a session's time, as far as its receipts tell them; else those of now. */
export interface FactsThen {
  /** @param at the time of what is being played, in milliseconds since 1970. */
  sources(now: FactSources, at: () => number): FactSources
  /** The session with the commands of its prompts. */
  withCommands(session: StoredSession): StoredSession
  /** Whether the receipts tell anything of a family's facts. */
  tells(family: AssumedFact): boolean
}

/**
 * Reads what a session's receipts tell of the facts of its time: the verdicts of its rules' conditions, and the names that decided them.
 *
 * @param receipts none when the session has none.
 */
export function factsThen(
  receipts: readonly Receipt[],
  events: readonly StoredEvent[],
  { rules }: Rulebook,
): FactsThen {
  const verdicts = pastVerdicts(receipts, events)
  const digests = new Map(
    receipts
      .flatMap((receipt) => (receipt.kind === "session" ? receipt.rules : []))
      .map(({ id, digest }) => [id, digest]),
  )

  /** A rule's condition, if the rule is as it was: what it came to then says nothing of another one. */
  function conditionOf(id: RuleId, family: AssumedFact): Condition | undefined {
    const rule = rules.find((one) => one.id === id && one.digest.startsWith(digests.get(id) ?? "none"))
    return rule?.conditions.find((condition) => condition.family === family)
  }

  return {
    tells: (family) => verdicts.families.has(family),
    sources: (now, at) => ({
      os: nameIn(verdicts, "os", at()) ?? now.os,
      ci: ciIn(verdicts, conditionOf) ?? now.ci,
      branch: async () => (verdicts.families.has("branch") ? nameIn(verdicts, "branch", at()) : await now.branch()),
      project: async () => namesIn(verdicts, "project", at(), await now.project(), conditionOf),
      tools: async (id) => namesIn(verdicts, "tools", at(), await now.tools(id), conditionOf),
    }),
    withCommands(session) {
      if (!verdicts.families.has("command")) return session
      const told = session.events.map((event): StoredEvent => {
        if (event.kind !== "prompt") return event
        return {
          ...event,
          turn: { ...event.turn, command: event.turn.command ?? nameIn(verdicts, "command", event.at) },
        }
      })
      return { ...session, events: told }
    },
  }
}

/** The one name that a family's conditions saw: that of the newest verdict. Undefined: there was none. */
function nameIn(verdicts: PastVerdicts, family: AssumedFact, at: number): string | undefined {
  return verdicts.at(family, at).toSorted((one, other) => other.turn - one.turn)[0]?.seen
}

type ConditionOf = (rule: RuleId, family: AssumedFact) => Condition | undefined

/** Names of now, with those that met a condition then, and without those that would have met one that was not met. */
function namesIn(
  verdicts: PastVerdicts,
  family: "project" | "tools",
  at: number,
  now: ReadonlySet<string> | undefined,
  conditionOf: ConditionOf,
): ReadonlySet<string> | undefined {
  const told = verdicts.at(family, at)
  if (told.length === 0) return now
  const names = new Set([...(now ?? []), ...told.flatMap(({ met, seen }) => (met ? (seen ?? []) : []))])
  for (const { met, rule } of told) {
    const condition = met ? undefined : conditionOf(rule, family)
    for (const name of names) if (condition?.isMet({ ...NO_FACTS, [family]: new Set([name]) }, rule)) names.delete(name)
  }
  return names
}

/** Whether it ran in CI: the same in each turn. */
function ciIn(verdicts: PastVerdicts, conditionOf: ConditionOf): boolean | undefined {
  for (const { rule, met } of verdicts.at("ci", 0)) {
    const condition = conditionOf(rule, "ci")
    const fits = [true, false].filter((ci) => condition?.isMet({ ...NO_FACTS, ci }, rule) === met)
    if (fits.length === 1) return fits[0]
  }
  return undefined
}

/**
 * The facts that the rules ask for and that are as now when the session is played, as nothing tells them; a slash command is then
 * recognised by its template, if at all.
 */
export function assumedFacts({ rules }: Rulebook, { host }: StoredSession, then: FactsThen): readonly AssumedFact[] {
  const asked = new Set(rules.flatMap(({ conditions }) => conditions.map(({ family }) => family)))
  // OpenCode 2 tells plugins of no command.
  return UNTOLD.filter(
    (family) => asked.has(family) && !then.tells(family) && (family !== "command" || host === "OpenCode 1"),
  )
}
