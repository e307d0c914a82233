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
import type { PlayedStep, PlayedTurn } from "../play/play.ts"
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
export function explainTurn({ steps: moments, requests }: PlayedTurn, directory: string): readonly RuleExplanation[] {
  const last = requests.at(-1)
  if (last === undefined) return []
  const steps = moments.filter((step) => step !== undefined)
  const files = steps.flatMap(({ observations }) => observations)
  return last.rules.map(({ rule, evaluation }, index) => {
    const traces = requests.map((request) => request.rules[index])
    const deliveries = deliveriesOf(traces, moments)
    const families = evaluation.verdicts.map((verdict) => ({
      ...verdict,
      ...seenBy(verdict.family, last.facts, files, directory),
      why: verdict.family === "file" ? explainFiles(rule, steps, directory) : verdict.why,
    }))
    return {
      rule,
      requests: traces.map((trace) => trace?.appliesAs),
      deliveries,
      why: deliveries.at(-1)?.why ?? evaluation.why,
      families,
      hooks: rule.hooks.map((hook) => explainCalls(hook, steps)),
      blocks: [...new Set(steps.filter((step) => isBlockedBy(rule, step)).map(({ tool }) => tool))],
    }
  })
}

/** Where a rule first comes in, with each lifetime; a durable one stays. */
function deliveriesOf(traces: readonly (RuleTrace | undefined)[], steps: PlayedTurn["steps"]): readonly Delivery[] {
  const deliveries: Delivery[] = []
  for (const [index, trace] of traces.entries()) {
    const lifetime = trace?.appliesAs
    if (lifetime === undefined || deliveries.some((known) => known.lifetime === lifetime)) continue
    const why = trace?.evaluation.matched ? trace.evaluation.why : "a hook fires"
    deliveries.push({ lifetime, ...momentAfter(steps[index - 1], why === "a hook fires"), why })
    if (lifetime === "durable") break
  }
  return deliveries
}

function momentAfter(step: PlayedStep | undefined, isByHook: boolean): Pick<Delivery, "moment" | "after"> {
  if (step === undefined) return { moment: "first-request", after: undefined }
  if (isByHook || step.file === undefined) return { moment: "after-call", after: step.tool }
  return { moment: "after-file", after: step.file }
}

/** The first call that a hook fires at, or why the last one doesn't make it fire. */
function explainCalls(hook: RuleHook, steps: readonly PlayedStep[]): HookVerdict | undefined {
  const verdicts = steps.map((step): HookVerdict => {
    const verdict = explainHook(hook, step)
    const isTooLate = verdict.met && step.blocked && hook.type === "PostToolUse"
    return isTooLate ? { met: false, why: `${verdict.why}, but the call is blocked and never runs` } : verdict
  })
  return verdicts.find(({ met }) => met) ?? verdicts.at(-1)
}

function isBlockedBy(rule: CompiledRule, step: PlayedStep): boolean {
  return (
    step.blocked &&
    rule.hooks.some((hook) => hook.type === "PreToolUse" && hook.block === true && explainHook(hook, step).met)
  )
}

function explainFiles(rule: CompiledRule, steps: readonly PlayedStep[], directory: string): string {
  const seen = steps.filter(({ blocked }) => !blocked).flatMap(({ observations }) => observations)
  if (seen.length > 0) return seen.flatMap((one) => explainObservation(rule, one, directory) ?? []).join("; ")
  return steps.some(({ observations }) => observations.length > 0) ? "a hook blocks the read" : "no file was read"
}
