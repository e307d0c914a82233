import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"

/** No scope of a rule has this name. */
const PREFIX = "again:"

/** A delivery of a rule that has been delivered before, in this session or in one that it was forked from. */
export interface Again {
  readonly rule: RuleId
  /** Which delivery of the rule it is, from 1: the first has the rule's own identity. */
  readonly count: number
}

/** The identity of a further delivery: it is delivered like a rule of its own, and what it is can be told from the history. */
export function againId({ rule, count }: Again): RuleId {
  // The one place that makes such an id.
  return `${PREFIX}${count}:${rule}` as RuleId
}

/** The rule and the count that an identity stands for. */
export function deliveryOfId(id: RuleId): Again {
  const [, count, rule] = /^again:(\d{1,9}):(.+)$/s.exec(id) ?? []
  return count === undefined ? { rule: id, count: 1 } : { rule: rule as RuleId, count: Number(count) }
}

/** The rule as it is delivered once more, with another text. It is never matched: to be there is all that it needs. */
export function ruleAgain(rule: CompiledRule, count: number, body: string): CompiledRule {
  return { ...rule, id: againId({ rule: rule.id, count }), body }
}

/** A delivery of a rule that has been delivered before: a reminder, or the notice that a call broke it. */
export interface Further {
  /** As it is delivered: with an identity and a text of its own. */
  readonly rule: CompiledRule
  readonly of: CompiledRule
  readonly count: number
  readonly reason: "reminded" | "forbidden"
  /** Whether a dispatch has had it. */
  isSeen: boolean
  /** Whether a dispatch has shown its stored text. */
  isShown: boolean
  /** The message behind which the latest dispatch had it, where that is not where it is stored. */
  after: string | undefined
}
