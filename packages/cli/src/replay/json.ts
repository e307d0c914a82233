import type { BrokenRule } from "@opencode-rulebook/rule-schema"
import type { Arrival } from "../receipts/history.ts"
import { arrivalJson } from "../receipts/json.ts"
import { isoTime, whyOf } from "../receipts/words.ts"
import type { UsageError } from "../usage-error.ts"
import type { Difference, PastArrival } from "./difference.ts"
import type { ReplayedSession } from "./session.ts"
import type { RuleTotals } from "./totals.ts"

/** The result for programs, in the form that `docs/output.schema.json` declares. */
export function replayJson(
  sessions: readonly object[],
  rules: readonly RuleTotals[],
  broken: readonly BrokenRule[],
  failures: readonly UsageError[],
): object {
  return { version: 1, sessions, rules, broken, failures: failures.map(({ message }) => message) }
}

/** One session in the same form. */
export function replayedSessionJson(session: ReplayedSession): object {
  const { stored, directory, history, requests, assumed, difference } = session
  const { id, parentID: parent, title, host, updated, unread, isRedacted } = stored
  const arrivals = Array.from(history.rules.values()).flatMap((rule) => rule.arrivals)
  const stopped = history.steps.flatMap((step) => step.stopped.map((one) => ({ ...one, request: step.number })))
  return {
    ...{ id, parent, title, host, directory, updated: isoTime(updated), requests, assumed, unread, isRedacted },
    deliveries: arrivals.toSorted((one, other) => one.request - other.request).map(ruleArrivalJson),
    stopped: stopped.map(({ rule, request, reason, tool, paths, literal, line }) => {
      return { rule, request, reason, tool, paths, literal, line }
    }),
    difference: difference && differenceJson(difference),
  }
}

function differenceJson({ against, knowsWhen, gained, lost, moved }: Difference): object {
  return {
    ...{ against, knowsWhen, gained: gained.map(ruleArrivalJson), lost: lost.map(pastJson) },
    moved: moved.map(({ now, before }) => ({ now: ruleArrivalJson(now), before: pastJson(before) })),
  }
}

function ruleArrivalJson(arrival: Arrival): object {
  return { rule: arrival.rule, ...arrivalJson(arrival) }
}

function pastJson({ rule, request, reason, lifetime, by = [] }: PastArrival): object {
  return { rule, request, reason, why: reason && whyOf({ reason, by }), lifetime }
}
