import { type CompiledRule, groupBy, type MatchedBy } from "@opencode-rulebook/rule-schema"
import type { FileWrite } from "./file-write.ts"
import { type ApplyingJudgement, brokenNotice, findRefusals, judgeWrites } from "./forbidden-calls.ts"
import { deliverAgain } from "./further.ts"
import type { FactSources } from "./gather-facts.ts"
import { findHolds, noteHolds, type StartingCall, writesOfCall } from "./held-calls.ts"
import type { Hold } from "./hold.ts"
import { blockMessage, type FiredHooks } from "./hooks.ts"
import type { Matching } from "./matching.ts"
import type { HostPort } from "./port.ts"
import type { StoppingRule } from "./receipts/call-changes.ts"
import type { Session } from "./session.ts"
import { heldMessage, refusedMessage } from "./stop-message.ts"

/** Decides which calls must not run, and what is said of those that ran. */
export interface Stops {
  /**
   * Returns why a call must not run, if so: a hook blocks it, a rule refuses it, or rules hold it. What the model is to read for that comes
   * with the next dispatch.
   *
   * @param fired the hooks that the call fires.
   */
  stop(session: Session, call: StartingCall, fired: FiredHooks): Promise<string | undefined>
  /** Takes in what a call that ended well has written. The next dispatch says what of it a rule forbids. */
  wrote(session: Session, tool: string, writes: readonly FileWrite[]): Promise<void>
}

/**
 * @param options.pathOf how paths are noted.
 * @param options.directory the folder that relative paths start from, absolute.
 */
export function createStops(options: {
  readonly matching: Matching
  readonly facts: FactSources
  readonly pathOf: (path: string) => string
  readonly directory: string
  readonly port: HostPort
}): Stops {
  const { matching, facts, pathOf, directory, port } = options

  function note(session: Session, { tool, paths }: StartingCall, rules: readonly StoppingRule[]): void {
    session.recorder?.stopped(rules, tool, paths?.() ?? [])
    for (const [reason, stopping] of groupBy(rules, (rule) => rule.reason)) {
      const ids = stopping.map(({ id }) => id).join(", ")
      port.log("info", `${reason}: a call of ${tool} in session ${session.id}, by ${ids}`)
    }
  }

  /** A hook has activated its rule already. */
  function bring(session: Session, { rule, lifetime, paths }: Hold): void {
    const [path] = paths
    if (path !== undefined) matching.activate(session, rule, byFile(path), lifetime)
  }

  function byFile(path: string): readonly MatchedBy[] {
    return [{ kind: "condition", family: "file", seen: pathOf(path) }]
  }

  function refuse(session: Session, { isLast }: StartingCall, refusals: readonly ApplyingJudgement[]): string {
    const comes = ({ rule }: ApplyingJudgement) => !session.answered.has(rule.id) && isLast?.() !== true
    const told = refusals.map((one) => {
      const { rule, path, added } = one
      return { rule, path, literals: added.map(({ literal }) => rule.forbid?.[literal] ?? ""), comes: comes(one) }
    })
    for (const { rule, lifetime, path } of refusals.filter(comes))
      matching.activate(session, rule, byFile(path), lifetime)
    return refusedMessage(told, directory)
  }

  function hold(session: Session, holds: readonly Hold[]): string {
    noteHolds(session, holds)
    for (const one of holds) bring(session, one)
    return heldMessage(holds, directory)
  }

  return {
    async stop(session, call, { blocking, blockingOnce }) {
      if (blocking.length > 0) {
        note(session, call, stopping(blocking, "blocked"))
        return blockMessage(blocking)
      }
      const writes = await writesOfCall(session, call)
      session.recorder?.rules(session.deliverable, session.broken)
      const refusals = await findRefusals(session, writes, facts)
      const refusing = groupBy(refusals, ({ rule }) => rule)
      const found = await findHolds(session, call, writes, blockingOnce, facts)
      const holds = found.filter(({ rule }) => !refusing.has(rule))
      if (refusals.length + holds.length === 0) return undefined
      const messages = [
        ...(refusals.length > 0 ? [refuse(session, call, refusals)] : []),
        ...(holds.length > 0 ? [hold(session, holds)] : []),
      ]
      const refused = Array.from(refusing, ([{ id }, own]): StoppingRule => {
        return { id, reason: "refused", ...own[0]?.added[0] }
      })
      note(session, call, [
        ...refused,
        ...stopping(
          holds.map(({ rule }) => rule),
          "held",
        ),
      ])
      return messages.join("\n")
    },

    async wrote(session, tool, writes) {
      const judgements = await judgeWrites(session, writes, facts)
      for (const judgement of judgements) session.recorder?.judged(judgement)
      const broken = judgements.filter(({ added }) => added.length > 0)
      for (const [rule, own] of groupBy(broken, (one) => one.rule)) {
        const [{ lifetime, path } = { lifetime: undefined, path: "" }] = own
        const isThere = session.answered.has(rule.id)
        if (!isThere) matching.activate(session, rule, byFile(path), lifetime)
        const reminder = isThere && lifetime === "durable" ? rule.reminder : undefined
        deliverAgain(session, rule, "forbidden", brokenNotice(rule, own, reminder, directory))
        port.log("info", `forbidden: a call of ${tool} in session ${session.id} broke ${rule.id}`)
      }
    },
  }
}

function stopping(rules: readonly CompiledRule[], reason: StoppingRule["reason"]): readonly StoppingRule[] {
  return rules.map(({ id }) => ({ id, reason }))
}
