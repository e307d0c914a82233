import type { RuleId } from "@opencode-rulebook/rule-schema"
import { carriedBy, type RuleHistory } from "../receipts/history.ts"
import { whyOf } from "../receipts/words.ts"
import type { ReplayedSession } from "./session.ts"

/** What one rule comes to in all sessions. */
export interface RuleTotals {
  readonly id: RuleId
  readonly name: string
  /** In how many sessions it comes. */
  readonly sessions: number
  readonly deliveries: number
  /** How many requests carry it, and its estimated tokens in all of them together. */
  readonly requests: number
  readonly carriedTokens: number
  /** Its size, in estimated tokens; 0 where it never comes. */
  readonly tokens: number
  /** How many calls it stops. */
  readonly stopped: number
  /** What brings it first, and in how many sessions; the most frequent first. */
  readonly moments: readonly Moment[]
}

/** Why a rule comes, and at which request. */
export interface Moment {
  readonly why: string
  readonly sessions: number
  /** The lowest and the highest number of the request. */
  readonly from: number
  readonly to: number
}

/** Adds sessions up, rule by rule. Keeps nothing of a session but sums. */
export interface Totals {
  add(session: Pick<ReplayedSession, "history" | "requests" | "rulebook">): void
  /** The rules that come in the most sessions first; those that never come last, in the order of their identities. */
  end(): readonly RuleTotals[]
}

type Open = { -readonly [Key in keyof Omit<RuleTotals, "moments">]: RuleTotals[Key] } & {
  readonly moments: Map<string, { -readonly [Key in keyof Moment]: Moment[Key] }>
}

export function createTotals(): Totals {
  const rules = new Map<RuleId, Open>()

  function of({ id, name }: Pick<RuleHistory, "id" | "name">): Open {
    const known = rules.get(id)
    if (known) return known
    const sums = { sessions: 0, deliveries: 0, requests: 0, carriedTokens: 0, stopped: 0 }
    const opened: Open = { id, name, ...sums, tokens: 0, moments: new Map() }
    rules.set(id, opened)
    return opened
  }

  function addRule(rule: RuleHistory, newest: number): void {
    const [first] = rule.arrivals
    // What is left to the model never comes itself: its index does.
    if (first === undefined && rule.activation === "onRequest") return
    const total = of(rule)
    if (first === undefined) return
    const carried = carriedBy(rule, newest)
    total.sessions += 1
    total.deliveries += rule.arrivals.length
    total.requests += carried.requests
    total.carriedTokens += carried.tokens
    total.tokens = first.tokens
    const why = whyOf(first)
    const moment = total.moments.get(why) ?? { why, sessions: 0, from: first.request, to: first.request }
    moment.sessions += 1
    moment.from = Math.min(moment.from, first.request)
    moment.to = Math.max(moment.to, first.request)
    total.moments.set(why, moment)
  }

  return {
    add({ history, requests, rulebook }) {
      for (const rule of rulebook.rules) if (rule.activation !== "onRequest") of(rule)
      for (const rule of history.rules.values()) addRule(rule, requests)
      for (const { rule } of history.steps.flatMap(({ stopped }) => stopped)) {
        of({ id: rule, name: rule }).stopped += 1
      }
    },
    end: () =>
      Array.from(rules.values(), ({ moments, ...rule }) => ({
        ...rule,
        moments: [...moments.values()].toSorted((one, other) => other.sessions - one.sessions),
      })).toSorted((one, other) => other.sessions - one.sessions || (one.id < other.id ? -1 : 1)),
  }
}
