import {
  type CompiledRule,
  evaluateRule,
  explainObservation,
  type Facts,
  type FamilyName,
  isMatched,
  type Lifetime,
  type Rulebook,
  ruleLifetime,
} from "@opencode-rulebook/rule-schema"
import {
  createSession,
  dispatchFacts,
  durableFacts,
  type FactSources,
  fireHooks,
  type Turn,
} from "@opencode-rulebook/server/dry-run"
import type { GivenFile } from "./flags.ts"
import { type Seen, seenBy } from "./seen.ts"

/** What a dry run is told. */
export interface Scenario {
  readonly directory: string
  readonly turn: Turn
  readonly sources: FactSources
  readonly files: readonly GivenFile[]
  readonly call: { readonly tool: string; readonly args: unknown } | undefined
}

/** The first request that carries a rule: the turn's first, or the one after a file was read or a tool called. */
export type Moment = "first-request" | "after-file" | "after-call"

export interface Delivery {
  readonly lifetime: Lifetime
  readonly moment: Moment
  /** The file or the tool that it comes after. */
  readonly after: string | undefined
}

export interface FamilyExplanation extends Seen {
  readonly family: FamilyName
  readonly met: boolean
  readonly why: string
}

export interface RuleExplanation {
  readonly rule: CompiledRule
  readonly deliveries: readonly Delivery[]
  /** Why it is delivered or not, in a few words. */
  readonly why: string
  readonly families: readonly FamilyExplanation[]
  /** Whether the call is rejected. */
  readonly blocks: boolean
}

/**
 * Plays a scenario with the plugin's own session and evaluation: the prompt, the turn's first request, the files being read,
 * the tool call.
 */
export async function simulate(rulebook: Rulebook, scenario: Scenario): Promise<readonly RuleExplanation[]> {
  const { directory, turn, sources, files, call } = scenario
  const session = await createSession("dry-run", directory, async () => rulebook)
  session.turn = turn
  const atPrompt = matchAll(rulebook, await durableFacts(session, sources))
  const atFirst = matchAll(rulebook, await dispatchFacts(session, sources))
  for (const { path, content } of files) session.observations.record({ path, tool: "read", content })
  const facts = await dispatchFacts(session, sources)
  const afterFiles = matchAll(rulebook, facts)
  const [before, after] = (["PreToolUse", "PostToolUse"] as const).map((type) =>
    fireHooks(call ? rulebook.rules : [], { type, sessionID: session.id, tool: call?.tool ?? "", args: call?.args }),
  )

  return rulebook.rules.map((rule) => {
    const deliveries: Delivery[] = []
    const first = atPrompt.get(rule) === "durable" ? "durable" : atFirst.get(rule)
    const last = afterFiles.get(rule)
    if (first) deliveries.push({ lifetime: first, moment: "first-request", after: undefined })
    if (last && last !== first && first !== "durable") {
      deliveries.push({ lifetime: last, moment: "after-file", after: session.observations.met.get(rule.id) })
    }
    const blocks = before?.blocking.includes(rule) === true
    const isFired = [before, after].some((fired) => fired?.activated.includes(rule) === true)
    const isThere = deliveries.some(({ lifetime }) => lifetime === "durable" || ruleLifetime(rule) === "transient")
    if (isFired && !isThere) deliveries.push({ lifetime: ruleLifetime(rule), moment: "after-call", after: call?.tool })
    const { why, verdicts } = evaluateRule(rule, facts)
    const families = verdicts.map((verdict) => ({
      ...verdict,
      ...seenBy(verdict.family, facts, files, directory),
      why: verdict.family === "file" ? explainFiles(rule, scenario) : verdict.why,
    }))
    return { rule, deliveries, why: isFired ? "a hook fires" : why, families, blocks }
  })
}

function matchAll({ rules }: Rulebook, facts: Facts): ReadonlyMap<CompiledRule, Lifetime | undefined> {
  return new Map(rules.map((rule) => [rule, isMatched(rule, facts)]))
}

function explainFiles(rule: CompiledRule, { files, directory }: Scenario): string {
  if (files.length === 0) return "no file was read"
  const reasons = files.map(({ path, content }) => explainObservation(rule, { path, tool: "read", content }, directory))
  return reasons.filter((reason) => reason !== undefined).join("; ")
}
