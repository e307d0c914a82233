import { isThere, newestRequest, type SessionHistory, type Step } from "../../receipts/history.ts"
import { arrivalJson } from "../../receipts/json.ts"
import type { NotYet } from "../../receipts/not-yet.ts"
import { isoTime } from "../../receipts/words.ts"

/** A session for programs, in the form that `docs/output.schema.json` declares. */
export function sessionJson(history: SessionHistory, missing: readonly NotYet[], skipped: number): object {
  const { id, directory, startedAt, endedAt, runs, steps, rules, broken, isFull } = history
  const newest = newestRequest(history)
  const reasons = new Map(missing.map((one) => [one.rule.id, one]))
  return {
    version: 1,
    session: {
      id,
      directory,
      startedAt: isoTime(startedAt),
      endedAt: isoTime(endedAt),
      requests: newest,
      isFull,
      skipped,
    },
    runs: runs.map((run) => ({ ...run, at: isoTime(run.at) })),
    requests: steps.map((step) => stepJson(step, history)),
    rules: Array.from(rules.values(), ({ id: rule, name, lifetime, activation, arrivals, retries }) => ({
      ...{ id: rule, name, lifetime, activation, isThere: !reasons.has(rule), retries },
      arrivals: arrivals.map(arrivalJson),
      ...(reasons.has(rule) && { missing: missingJson(reasons.get(rule)) }),
    })),
    broken,
  }
}

function stepJson(step: Step, { rules }: SessionHistory): object {
  const { number, at, isSent, agent, model, prompted, did, tokens } = step
  const there = Array.from(rules.values()).filter((rule) => isSent && isThere(rule, number))
  return {
    ...{
      number,
      at: isoTime(at),
      isSent,
      ...(agent !== undefined && { agent }),
      ...(model !== undefined && { model }),
    },
    ...{ prompted, did, tokens, there: there.map(({ id }) => id) },
    arrived: step.arrived.map((arrival) => ({ rule: arrival.rule, ...arrivalJson(arrival) })),
    left: step.left,
    stopped: step.stopped.map(({ rule, reason, tool, paths, literal, line }) => ({
      rule,
      reason,
      tool,
      paths,
      literal,
      line,
    })),
    forbidden: step.forbidden.map(({ rule, path, line, literal }) => ({ rule, path, line, literal })),
    followed: step.followed.map(({ rule, path }) => ({ rule, path })),
  }
}

function missingJson(missing: NotYet | undefined): object | undefined {
  return (
    missing && { why: missing.why, isCurrent: missing.isCurrent, conditions: missing.conditions, hooks: missing.hooks }
  )
}
