import {
  type CompiledRule,
  evaluateRule,
  explainObservation,
  type Facts,
  type FamilyName,
  type Lifetime,
  matchLifetime,
  type Rulebook,
  ruleLifetime,
} from "@opencode-rulebook/rule-schema"
import {
  createSession,
  dispatchFacts,
  durableFacts,
  type FactSources,
  fireHooks,
  type Session,
  type Turn,
} from "@opencode-rulebook/server/dry-run"
import type { GivenFile } from "./flags.ts"
import { type Seen, seenBy } from "./seen.ts"

/** What a dry run is told. */
export interface Scenario {
  readonly directory: string
  readonly turn: Turn
  readonly sources: FactSources
  /** Files that the agent reads, in order. */
  readonly files: readonly GivenFile[]
  /** A tool call after that. */
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
  /** The tools whose calls it rejects. */
  readonly blocks: readonly string[]
}

/**
 * Plays a scenario with the plugin's own session, hooks and evaluation: the prompt, the turn's first request, the files being
 * read, the tool call.
 */
export async function simulate(rulebook: Rulebook, scenario: Scenario): Promise<readonly RuleExplanation[]> {
  const { directory, turn, sources, files } = scenario
  const session = await createSession("dry-run", directory, async () => rulebook)
  session.turn = turn
  const atPrompt = matchAll(rulebook, await durableFacts(session, sources))
  const atFirst = matchAll(rulebook, await dispatchFacts(session, sources))
  const played = playCalls(session, scenario)
  const facts = await dispatchFacts(session, sources)
  const atLast = matchAll(rulebook, facts)

  return rulebook.rules.map((rule) => {
    const deliveries: Delivery[] = []
    const first = atPrompt.get(rule) === "durable" ? "durable" : atFirst.get(rule)
    const last = atLast.get(rule)
    if (first) deliveries.push({ lifetime: first, moment: "first-request", after: undefined })
    if (last && last !== first && first !== "durable") {
      deliveries.push({ lifetime: last, moment: "after-file", after: session.observations.met.get(rule.id) })
    }
    const firedBy = played.activated.get(rule)
    const isThere = deliveries.some(({ lifetime }) => lifetime === "durable" || ruleLifetime(rule) === "transient")
    if (firedBy !== undefined && !isThere) {
      deliveries.push({ lifetime: ruleLifetime(rule), moment: "after-call", after: firedBy })
    }
    const { why, verdicts } = evaluateRule(rule, facts)
    const families = verdicts.map((verdict) => ({
      ...verdict,
      ...seenBy(verdict.family, facts, files, directory),
      why: verdict.family === "file" ? explainFiles(rule, played.read, scenario) : verdict.why,
    }))
    return {
      rule,
      deliveries,
      why: firedBy === undefined ? why : "a hook fires",
      families,
      blocks: played.blocks.get(rule) ?? [],
    }
  })
}

function matchAll({ rules }: Rulebook, facts: Facts): ReadonlyMap<CompiledRule, Lifetime | undefined> {
  return new Map(rules.map((rule) => [rule, matchLifetime(rule, facts)]))
}

interface PlayedCalls {
  /** The tool at whose call a rule's hook fired first. */
  readonly activated: ReadonlyMap<CompiledRule, string>
  readonly blocks: ReadonlyMap<CompiledRule, readonly string[]>
  /** The files whose reading no hook rejected. */
  readonly read: readonly GivenFile[]
}

/** The reads and the call, one after the other: a call that a hook rejects does not happen. */
function playCalls(session: Session, { files, call }: Scenario): PlayedCalls {
  const activated = new Map<CompiledRule, string>()
  const blocks = new Map<CompiledRule, readonly string[]>()
  const { rules } = session.rulebook

  function happens(tool: string, args: unknown): boolean {
    const before = fireHooks(rules, { type: "PreToolUse", sessionID: session.id, tool, args })
    activate(before.activated, tool)
    for (const rule of before.blocking) blocks.set(rule, [...new Set([...(blocks.get(rule) ?? []), tool])])
    if (before.blocking.length > 0) return false
    activate(fireHooks(rules, { type: "PostToolUse", sessionID: session.id, tool, args }).activated, tool)
    return true
  }

  function activate(fired: readonly CompiledRule[], tool: string): void {
    for (const rule of fired) if (!activated.has(rule)) activated.set(rule, tool)
  }

  const read = files.filter(({ path }) => happens("read", { filePath: path }))
  for (const { path, content } of read) session.observations.record({ path, tool: "read", content })
  if (call) happens(call.tool, call.args)
  return { activated, blocks, read }
}

function explainFiles(rule: CompiledRule, read: readonly GivenFile[], { files, directory }: Scenario): string {
  if (read.length === 0) return files.length === 0 ? "no file was read" : "a hook rejects the read"
  const reasons = read.map(({ path, content }) => explainObservation(rule, { path, tool: "read", content }, directory))
  return reasons.filter((reason) => reason !== undefined).join("; ")
}
