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
import type { Played, PlayedCall } from "../play/play.ts"
import { type Seen, seenBy } from "./seen.ts"
import { type Effects, effectsOf, stoppedFirst } from "./stops.ts"

/** The first request that carries a rule: the turn's first, or the one after a file was read or a tool called. */
export type Moment = "first-request" | "after-file" | "after-call"

/** Why a rule is delivered whose conditions are not met. */
const BY_STOP = { held: "a call is held", refused: "a call is refused" } as const
const BY_HOOK = "a hook fires"

export interface Delivery {
  readonly lifetime: Lifetime
  readonly moment: Moment
  /** The file or the tool that it comes after. */
  readonly after: string | undefined
  /** How the call was stopped that it comes after; undefined: it ran. */
  readonly stopped?: "held" | "refused" | undefined
  readonly why: string
}

export interface FamilyExplanation extends Seen {
  readonly family: FamilyName
  readonly met: boolean
  readonly why: string
}

export interface RuleExplanation extends Effects {
  readonly rule: CompiledRule
  /** The lifetime with which each request of the turn has the rule; undefined where it does not. */
  readonly requests: readonly (Lifetime | undefined)[]
  readonly deliveries: readonly Delivery[]
  /** Why it is delivered or not, in a few words. */
  readonly why: string
  readonly families: readonly FamilyExplanation[]
  /** What each of its hooks made of the turn's calls, in their order; undefined in a turn without calls. */
  readonly hooks: readonly (HookVerdict | undefined)[]
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
      ...effectsOf(rule, calls),
    }
  })
}

/** Where a rule first comes in, with each lifetime. */
function deliveriesOf(traces: readonly (RuleTrace | undefined)[], calls: Played["calls"]): readonly Delivery[] {
  const deliveries: Delivery[] = []
  for (const [index, trace] of traces.entries()) {
    const lifetime = trace?.appliesAs
    if (trace === undefined || lifetime === undefined) continue
    if (deliveries.some((known) => known.lifetime === lifetime)) continue
    deliveries.push({ lifetime, ...causeOf(trace, calls[index] ?? []) })
  }
  return deliveries
}

/** @param calls those between the request that has the rule and the one before it: several, where they ran in parallel. */
function causeOf({ rule, evaluation }: RuleTrace, calls: readonly PlayedCall[]): Omit<Delivery, "lifetime"> {
  if (evaluation.matched) {
    const call = calls.find(({ file }) => file !== undefined) ?? calls.at(-1)
    return { ...momentAfter(call), why: evaluation.why }
  }
  const stop = stoppedFirst(rule, calls)
  if (stop) {
    const { call, reason: stopped } = stop
    return { moment: "after-call", after: call.tool, stopped, why: BY_STOP[stopped] }
  }
  return { moment: "after-call", after: calls.at(-1)?.tool, why: BY_HOOK }
}

function momentAfter(call: PlayedCall | undefined): Pick<Delivery, "moment" | "after"> {
  if (call === undefined) return { moment: "first-request", after: undefined }
  if (call.file === undefined) return { moment: "after-call", after: call.tool }
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
