import {
  type CompiledRule,
  type Facts,
  type Lifetime,
  type MatchedBy,
  matchLifetime,
  type RuleId,
  ruleLifetime,
} from "@opencode-rulebook/rule-schema"
import { deliveryOfId } from "./again.ts"
import { conditionCauses, hookCause } from "./cause.ts"
import { durableFacts, type FactSources } from "./gather-facts.ts"
import { type FiredHooks, fireHooks, type ToolEvent } from "./hooks.ts"
import type { VisibleHistory } from "./port.ts"
import type { Session, Turn } from "./session.ts"

/** Decides which rules of a session apply, and remembers why. Knows nothing of delivery. */
export interface Matching {
  /** Takes the facts as they are now, and marks the durable rules that they match. Returns all that have matched so far. */
  evaluateDurable(session: Session, when: "now" | "with the request"): Promise<readonly CompiledRule[]>
  /** @param turn the turn that the facts are of: another prompt can have come since they were taken. */
  matchDurable(session: Session, facts: Facts, turn: Turn, when: "now" | "with the request"): readonly CompiledRule[]
  /** The transient rules that hold for one dispatch, beside the durable ones, and what that changes. */
  matchTransient(session: Session, facts: Facts): TransientMatches
  /** Fires a tool event's hooks. */
  fire(session: Session, event: ToolEvent): FiredHooks
  /** The next dispatch has the rule: for good, or for once. */
  activate(session: Session, rule: CompiledRule, by: readonly MatchedBy[], lifetime?: Lifetime): void
}

export interface TransientMatches {
  readonly rules: readonly CompiledRule[]
  readonly came: readonly { readonly rule: CompiledRule; readonly by: readonly MatchedBy[] }[]
  readonly went: readonly { readonly rule: CompiledRule; readonly isDurable: boolean }[]
}

/**
 * @param sources where facts come from.
 * @param pathOf how paths are noted.
 * @param now the time in milliseconds.
 */
export function createMatching(sources: FactSources, pathOf: (path: string) => string, now: () => number): Matching {
  /** The first cause stays. */
  function noteCause({ causes }: Session, { id }: CompiledRule, by: readonly MatchedBy[]): void {
    if (!causes.has(id)) causes.set(id, { by, at: now() })
  }

  function matchDurable(session: Session, facts: Facts, turn: Turn, when: "now" | "with the request") {
    const { evaluated } = session
    const { project } = facts
    const observed = facts.observed.size
    const isSame = evaluated?.turn === turn && evaluated.observed === observed && evaluated.project === project
    if (isSame) return matchedRules(session)
    session.evaluated = { turn, observed, project }
    for (const rule of session.deliverable) {
      if (session.matched.has(rule.id) || matchLifetime(rule, facts) !== "durable") continue
      session.matched.add(rule.id)
      const by = conditionCauses(rule, facts, pathOf)
      noteCause(session, rule, by)
      session.recorder?.matched(rule, by, when)
    }
    return matchedRules(session)
  }

  function activate(
    session: Session,
    rule: CompiledRule,
    by: readonly MatchedBy[],
    lifetime = ruleLifetime(rule),
  ): void {
    noteCause(session, rule, by)
    if (lifetime === "transient") session.activatedOnce.set(rule.id, by)
    else if (!session.matched.has(rule.id)) {
      session.matched.add(rule.id)
      session.recorder?.matched(rule, by, "now")
    }
  }

  return {
    activate,

    async evaluateDurable(session, when) {
      const { turn } = session
      return matchDurable(session, await durableFacts(session, sources), turn, when)
    },

    matchDurable,

    matchTransient(session, facts) {
      const { transient: before, matched, consumed } = session
      const rules = session.transientRules.filter(
        (rule) => !matched.has(rule.id) && (consumed.rules.has(rule.id) || matchLifetime(rule, facts)),
      )
      session.transient = new Map(rules.map(({ id }) => [id, before.get(id) ?? session.dispatches]))
      const came = rules
        .filter(({ id }) => !before.has(id))
        .map((rule) => ({ rule, by: consumed.rules.get(rule.id) ?? conditionCauses(rule, facts, pathOf) }))
      for (const { rule, by } of came) noteCause(session, rule, by)
      const went = session.transientRules
        .filter(({ id }) => before.has(id) && !session.transient.has(id))
        .map((rule) => ({ rule, isDurable: matched.has(rule.id) }))
      return { rules, came, went }
    },

    fire(session, event) {
      const fired = fireHooks(session.hookedRules, event)
      for (const rule of fired.activated) {
        session.recorder?.fired(rule, event.type, event.tool)
        session.reminding.fired(rule)
        activate(session, rule, [hookCause(event.tool)])
      }
      for (const { id } of fired.blocking) session.blocked.set(id, (session.blocked.get(id) ?? 0) + 1)
      if (fired.blocking.length > 0) session.published = undefined
      return fired
    },
  }
}

/** A rule that the history delivers is matched, whoever matched it: a session resumed after a restart trusts its history. */
export function adoptDelivered(session: Session, history: VisibleHistory): void {
  const known = new Map(session.deliverable.map((rule) => [rule.id, rule]))
  for (const id of history.deliveries.flatMap(({ rules }) => rules)) {
    const own = deliveryOfId(id)
    const rule = known.get(own.rule)
    // A transient rule can be broken, and the notice of that stays.
    if (rule && (own.count === 1 || ruleLifetime(rule) === "durable")) session.matched.add(rule.id)
  }
}

/**
 * One dispatch takes what hooks have activated. One that shows nothing newer repeats its step, and gets the same again.
 *
 * @returns whether it repeats its step.
 */
export function consumeActivated(session: Session, history: VisibleHistory): boolean {
  const at = history.messages.at(-1)
  const isRepeated = at !== undefined && at === session.consumed.at
  const repeated = isRepeated ? session.consumed.rules : new Map<RuleId, readonly MatchedBy[]>()
  session.consumed = { at, rules: new Map([...repeated, ...session.activatedOnce]) }
  session.activatedOnce.clear()
  return isRepeated
}

function matchedRules(session: Session): readonly CompiledRule[] {
  if (session.matchedRules.length !== session.matched.size) {
    session.matchedRules = session.deliverable.filter((rule) => session.matched.has(rule.id))
  }
  return session.matchedRules
}
