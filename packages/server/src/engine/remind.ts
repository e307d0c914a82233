import {
  type CompiledRule,
  type Condition,
  createFileMatcher,
  type Facts,
  type FileMatcher,
  type FileObservation,
  matchLifetime,
  type RuleId,
} from "@opencode-rulebook/rule-schema"
import { deliveryOfId } from "./again.ts"
import type { Placement } from "./delivery/ledger.ts"
import type { VisibleHistory } from "./port.ts"

/** The rules with `remind` of a session, and which of them files and calls have met anew. */
export interface RemindingRules {
  add(rules: readonly CompiledRule[]): void
  /** A file was handled. */
  observed(observation: FileObservation): void
  /** A call fired one of a rule's hooks. */
  fired(rule: CompiledRule): void
  /** The rules that were met anew since the last time, or are by a new prompt. */
  take(facts: Facts, isPrompted: boolean): readonly CompiledRule[]
}

/** @param directory the folder that relative paths start from, absolute. */
export function createRemindingRules(directory: string): RemindingRules {
  const rules: CompiledRule[] = []
  const matchers: FileMatcher[] = []
  const met = new Set<CompiledRule>()
  const fired = new Set<CompiledRule>()
  return {
    add(added) {
      const reminding = added.filter(({ remind }) => remind !== undefined)
      rules.push(...reminding)
      matchers.push(createFileMatcher(reminding, directory))
    },
    observed(observation) {
      for (const matcher of matchers) for (const rule of matcher.metBy(observation)) met.add(rule)
    },
    fired(rule) {
      if (rule.remind !== undefined) fired.add(rule)
    },
    take(facts, isPrompted) {
      const isMet = (rule: CompiledRule) =>
        fired.has(rule) || (met.has(rule) && isWholeMet(rule, facts)) || (isPrompted && isMetByPrompt(rule, facts))
      const taken = rules.filter(isMet)
      met.clear()
      fired.clear()
      return taken
    },
  }
}

/** The families that single events meet. What a session is, such as the kind of its project, holds all the time. */
const MET_BY_EVENTS: ReadonlySet<Condition["family"]> = new Set(["file", "keywords", "command"])

/** A rule that no event could meet is met by each prompt. */
function isMetByPrompt(rule: CompiledRule, facts: Facts): boolean {
  const byEvents = rule.conditions.filter(({ family }) => MET_BY_EVENTS.has(family))
  const isMet = byEvents.some(({ family, isMet }) => family !== "file" && isMet(facts, rule.id))
  return byEvents.length === 0 ? matchLifetime(rule, facts) === "durable" : isMet && isWholeMet(rule, facts)
}

/** Whether a rule of which one condition is met applies. */
function isWholeMet({ match, conditions, id }: CompiledRule, facts: Facts): boolean {
  return match === "any" || conditions.every((condition) => condition.isMet(facts, id))
}

/**
 * Of rules that were met anew, those of which more than their `remind` tokens of conversation lie behind the newest delivery. One that is
 * not in the conversation is none of them: the rule itself is delivered then.
 *
 * @param placements the texts that stand in the conversation without being stored there.
 */
export function farBehind(
  rules: readonly CompiledRule[],
  history: VisibleHistory,
  placements: readonly Placement[],
): readonly CompiledRule[] {
  const { messages, tokensOf } = history
  if (rules.length === 0 || tokensOf === undefined) return []
  const newest = newestDeliveries(history, placements)
  return rules.filter(({ id, remind = Number.POSITIVE_INFINITY }) => {
    const from = newest.get(id)
    if (from === undefined) return false
    let tokens = 0
    for (let at = messages.length - 1; at > from && tokens <= remind; at -= 1) tokens += tokensOf(at)
    return tokens > remind
  })
}

/** Of each rule that the conversation has the index of the message behind which its newest delivery stands. */
function newestDeliveries(
  { messages, deliveries }: VisibleHistory,
  placements: readonly Placement[],
): ReadonlyMap<RuleId, number> {
  const indexes = new Map(messages.map((id, index) => [id, index]))
  const places = new Map<RuleId, number>()
  for (const { rules, messageID, after = messageID } of deliveries) {
    for (const id of rules) places.set(id, indexes.get(after) ?? -1)
  }
  // What has a place is shown there, wherever it is stored.
  for (const { after, rules } of placements) {
    const index = indexes.get(after)
    if (index !== undefined) for (const id of rules) places.set(id, index)
  }
  const newest = new Map<RuleId, number>()
  const bodies = new Set(places.keys())
  for (const [id, index] of places) {
    const { rule } = deliveryOfId(id)
    if (bodies.has(rule)) newest.set(rule, Math.max(index, newest.get(rule) ?? -1))
  }
  return newest
}
