import {
  type CompiledRule,
  explainHook,
  explainObservation,
  type FamilyName,
  type HookVerdict,
  type Lifetime,
  type RuleHook,
} from "@opencode-rulebook/rule-schema"
import type { RuleTrace } from "@opencode-rulebook/server/dry-run"
import type { Played, PlayedCall } from "../play/play.ts"
import { type Seen, seenBy } from "./seen.ts"

/** The first request that carries a rule: the turn's first, or the one after a file was read or a tool called. */
export type Moment = "first-request" | "after-file" | "after-call"

export interface Delivery {
  readonly lifetime: Lifetime
  readonly moment: Moment
  /** The file or the tool that it comes after. */
  readonly after: string | undefined
  readonly why: string
}

export interface FamilyExplanation extends Seen {
  readonly family: FamilyName
  readonly met: boolean
  readonly why: string
}

export interface RuleExplanation {
  readonly rule: CompiledRule
  /** The lifetime with which each request of the turn has the rule; undefined where it does not. */
  readonly requests: readonly (Lifetime | undefined)[]
  readonly deliveries: readonly Delivery[]
  /** Why it is delivered or not, in a few words. */
  readonly why: string
  readonly families: readonly FamilyExplanation[]
  /** What each of its hooks made of the turn's calls, in their order; undefined in a turn without calls. */
  readonly hooks: readonly (HookVerdict | undefined)[]
  /** The tools whose calls it rejects. */
  readonly blocks: readonly string[]
}

/**
 * Says what a played turn came to, rule by rule.
 *
 * @param directory paths below it are shown relative to it, absolute.
 */
export function explainTurn({ calls: before, requests }: Played, directory: string): readonly RuleExplanation[] {
  const last = requests.at(-1)
  if (last === undefined) return []
  const calls = before.flat()
  const files = calls.flatMap(({ observations }) => observations)
  return last.rules.map(({ rule, evaluation }, index) => {
    const traces = requests.map((request) => request.rules[index])
    const deliveries = deliveriesOf(traces, before)
    const families = evaluation.verdicts.map((verdict) => ({
      ...verdict,
      ...seenBy(verdict.family, last.facts, files, directory),
      why: verdict.family === "file" ? explainFiles(rule, calls, directory) : verdict.why,
    }))
    return {
      rule,
      requests: traces.map((trace) => trace?.appliesAs),
      deliveries,
      why: deliveries.at(-1)?.why ?? evaluation.why,
      families,
      hooks: rule.hooks.map((hook) => explainCalls(hook, calls)),
      blocks: [...new Set(calls.filter((call) => isBlockedBy(rule, call)).map(({ tool }) => tool))],
    }
  })
}

/** Where a rule first comes in, with each lifetime; a durable one stays. */
function deliveriesOf(traces: readonly (RuleTrace | undefined)[], calls: Played["calls"]): readonly Delivery[] {
  const deliveries: Delivery[] = []
  for (const [index, trace] of traces.entries()) {
    const lifetime = trace?.appliesAs
    if (trace === undefined || lifetime === undefined) continue
    if (deliveries.some((known) => known.lifetime === lifetime)) continue
    const isByHook = !trace.evaluation.matched
    const why = trace.evaluation.matched ? trace.evaluation.why : "a hook fires"
    deliveries.push({ lifetime, ...momentAfter(calls[index] ?? [], trace.rule, isByHook), why })
    if (lifetime === "durable") break
  }
  return deliveries
}

/** @param calls those between the request that has the rule and the one before it: several, where they ran in parallel. */
function momentAfter(
  calls: readonly PlayedCall[],
  rule: CompiledRule,
  isByHook: boolean,
): Pick<Delivery, "moment" | "after"> {
  const isCause = (call: PlayedCall) =>
    isByHook ? rule.hooks.some((hook) => explainHook(hook, call).met) : call.file !== undefined
  const call = calls.find(isCause) ?? calls.at(-1)
  if (call === undefined) return { moment: "first-request", after: undefined }
  if (isByHook || call.file === undefined) return { moment: "after-call", after: call.tool }
  return { moment: "after-file", after: call.file }
}

/** The first call that a hook fires at, or why the last one doesn't make it fire. */
function explainCalls(hook: RuleHook, calls: readonly PlayedCall[]): HookVerdict | undefined {
  const verdicts = calls.map((call): HookVerdict => {
    const verdict = explainHook(hook, call)
    const isTooLate = verdict.met && call.blocked && hook.type === "PostToolUse"
    return isTooLate ? { met: false, why: `${verdict.why}, but the call is blocked and never runs` } : verdict
  })
  return verdicts.find(({ met }) => met) ?? verdicts.at(-1)
}

function isBlockedBy(rule: CompiledRule, call: PlayedCall): boolean {
  return (
    call.blocked &&
    rule.hooks.some((hook) => hook.type === "PreToolUse" && hook.block === true && explainHook(hook, call).met)
  )
}

function explainFiles(rule: CompiledRule, calls: readonly PlayedCall[], directory: string): string {
  const seen = calls.filter(({ blocked }) => !blocked).flatMap(({ observations }) => observations)
  if (seen.length > 0) return seen.flatMap((one) => explainObservation(rule, one, directory) ?? []).join("; ")
  return calls.some(({ observations }) => observations.length > 0) ? "a hook blocks the read" : "no file was read"
}
