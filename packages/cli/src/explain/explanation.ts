import {
  type CompiledRule,
  explainHook,
  explainObservation,
  type FamilyName,
  type FileObservation,
  type HookVerdict,
  type Lifetime,
  type RuleHook,
} from "@opencode-rulebook/rule-schema"
import type { RuleTrace } from "@opencode-rulebook/server/dry-run"
import type { Played, PlayedCall, Stop } from "../play/play.ts"
import { type Seen, seenBy } from "./seen.ts"

/** Why a rule is delivered that a held call waits for. */
export const HELD = "a call is held"

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
  /** The tools whose calls its hooks reject. */
  readonly blocks: readonly string[]
  /** The tools whose calls are held until the model has it. */
  readonly holds: readonly string[]
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
  const ran = observedIn(calls.filter(({ stops }) => stops.length === 0))
  // Of a file that only stopped calls were about, the paths at least are of interest.
  const files = ran.length > 0 ? ran : observedIn(calls)
  return last.rules.map(({ rule, evaluation }, index) => {
    const traces = requests.map((request) => request.rules[index])
    const deliveries = deliveriesOf(traces, before)
    const families = evaluation.verdicts.map((verdict) => ({
      ...verdict,
      ...seenBy(verdict.family, last.facts, files, directory),
      why: verdict.family === "file" ? explainFiles(rule, { ran, files }, directory) : verdict.why,
    }))
    return {
      rule,
      requests: traces.map((trace) => trace?.appliesAs),
      deliveries,
      why: deliveries.at(-1)?.why ?? evaluation.why,
      families,
      hooks: rule.hooks.map((hook) => explainCalls(hook, calls)),
      blocks: toolsStopped(calls, rule, "blocked"),
      holds: toolsStopped(calls, rule, "held"),
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
    const why = whyDelivered(trace, calls[index] ?? [])
    deliveries.push({ lifetime, ...momentAfter(calls[index] ?? [], trace.rule, why), why })
    if (lifetime === "durable") break
  }
  return deliveries
}

function whyDelivered({ rule, evaluation }: RuleTrace, calls: readonly PlayedCall[]): string {
  if (evaluation.matched) return evaluation.why
  return calls.some((call) => isStoppedBy(rule, call, "held")) ? HELD : "a hook fires"
}

/** @param calls those between the request that has the rule and the one before it: several, where they ran in parallel. */
function momentAfter(
  calls: readonly PlayedCall[],
  rule: CompiledRule,
  why: string,
): Pick<Delivery, "moment" | "after"> {
  const isHeld = why === HELD
  const isByHook = why === "a hook fires"
  const isCause = (call: PlayedCall) => {
    if (isHeld) return isStoppedBy(rule, call, "held")
    return isByHook ? rule.hooks.some((hook) => explainHook(hook, call).met) : call.file !== undefined
  }
  const call = calls.find(isCause) ?? calls.at(-1)
  if (call === undefined) return { moment: "first-request", after: undefined }
  if (isHeld || isByHook || call.file === undefined) return { moment: "after-call", after: call.tool }
  return { moment: "after-file", after: call.file }
}

/** The first call that a hook fires at, or why the last one doesn't make it fire. */
function explainCalls(hook: RuleHook, calls: readonly PlayedCall[]): HookVerdict | undefined {
  const verdicts = calls.map((call): HookVerdict => {
    const verdict = explainHook(hook, call)
    const [stop] = call.stops
    const isTooLate = verdict.met && stop !== undefined && hook.type === "PostToolUse"
    return isTooLate ? { met: false, why: `${verdict.why}, but the call is ${stop.reason} and never runs` } : verdict
  })
  return verdicts.find(({ met }) => met) ?? verdicts.at(-1)
}

/** The tools whose calls a rule has stopped, each once. */
function toolsStopped(calls: readonly PlayedCall[], rule: CompiledRule, reason: Stop["reason"]): readonly string[] {
  return [...new Set(calls.filter((call) => isStoppedBy(rule, call, reason)).map(({ tool }) => tool))]
}

function isStoppedBy({ id }: CompiledRule, { stops }: PlayedCall, reason: Stop["reason"]): boolean {
  return stops.some((stop) => stop.rule === id && stop.reason === reason)
}

function observedIn(calls: readonly PlayedCall[]): readonly FileObservation[] {
  return calls.flatMap(({ observations }) => observations)
}

/** @param seen.ran what calls that ran have shown of files; `files` are those of stopped calls where none ran. */
function explainFiles(
  rule: CompiledRule,
  { ran, files }: { readonly ran: readonly FileObservation[]; readonly files: readonly FileObservation[] },
  directory: string,
): string {
  if (ran.length > 0) return ran.flatMap((one) => explainObservation(rule, one, directory) ?? []).join("; ")
  return files.length > 0 ? "the call is stopped" : "no file was read"
}
