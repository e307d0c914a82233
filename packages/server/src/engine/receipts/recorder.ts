import {
  type Change,
  type CompiledRule,
  type Facts,
  type MatchedBy,
  RECEIPT_VERSION,
  type Receipt,
  type RuleHook,
  type RuleId,
  ruleLifetime,
  ruleTokens,
  type StoppedChange,
} from "@opencode-rulebook/rule-schema"
import { deliveryOfId } from "../again.ts"
import { type Cause, notedTool } from "../cause.ts"
import type { Judgement } from "../forbid.ts"
import type { VisibleHistory } from "../port.ts"
import type { DeliveryNews } from "./deliveries.ts"
import { createDid, fewPaths } from "./did.ts"
import { createVerdicts } from "./verdicts.ts"

/** Takes the receipts of sessions. Nothing waits for it, and it must not throw. */
export interface ReceiptSink {
  /** The host's name, as people know it. */
  readonly host: string
  /** The plugin's version. */
  readonly plugin: string
  note(sessionID: string, receipt: Receipt): void
}

/** Notes what changes in one session. */
export interface Recorder {
  /** The session's rules, and the identities of its broken ones: what is new of them is noted. */
  rules(rules: readonly CompiledRule[], broken: readonly RuleId[]): void
  /** A durable rule matched. What a prompt has matched is noted with the request that it leads to. */
  matched(rule: CompiledRule, by: readonly MatchedBy[], when: "now" | "with the request"): void
  /** A tool call fired a rule's hooks. */
  fired(rule: CompiledRule, on: RuleHook["type"], tool: string): void
  /** A call ended well. */
  ended(tool: string, paths: readonly string[]): void
  /** Rules stopped a call. */
  stopped(rules: readonly StoppingRule[], tool: string, paths: readonly string[]): void
  /** A call that ended well added what a rule forbids, or nothing of it. */
  judged(judgement: Judgement): void
  /** A request is about to be sent. */
  request(request: RecordedRequest): void
  /** What became of an attempt to store rules. */
  stored(rules: readonly RuleId[], outcome: "stored" | "retry"): void
  /** The turn is over, if one is. */
  turnEnded(rules: readonly CompiledRule[]): void
}

/** What the recorder looks up in the session. */
export interface RecordedSession {
  readonly id: string
  /** The number of its newest request. */
  readonly dispatches: number
  readonly causes: ReadonlyMap<RuleId, Cause>
  /** The rules that have held a call, and in the step of which request. */
  readonly heldAt: ReadonlyMap<RuleId, { readonly dispatch: number }>
}

/** A rule that stopped a call, why, and of one that refused it which of its `forbid` entries. */
export interface StoppingRule {
  readonly id: RuleId
  readonly reason: StoppedChange["reason"]
  readonly literal?: number | undefined
  readonly line?: number | undefined
}

/** A rule, and what made it match. */
export interface MatchedRule {
  readonly rule: CompiledRule
  readonly by: readonly MatchedBy[]
}

/** What of a request is noted. */
export interface RecordedRequest {
  /** Whether the host sends the request before once more. */
  readonly isRepeated: boolean
  /** Whether a prompt of the user came since the request before. */
  readonly isPrompted: boolean
  readonly facts: Facts
  readonly history: VisibleHistory
  /** Of all rules that it carries. */
  readonly tokens: number
  readonly deliveries: readonly DeliveryNews[]
  /** Transient rules that came, with what made them match; and that went, with whether they are durable from here on. */
  readonly came: readonly MatchedRule[]
  readonly went: readonly { readonly rule: CompiledRule; readonly isDurable: boolean }[]
}

/**
 * @param directory the folder that the session's relative paths start from, absolute.
 * @param pathOf how paths are noted.
 * @param now the time in milliseconds.
 */
export function createRecorder(
  session: RecordedSession,
  directory: string,
  sink: ReceiptSink,
  pathOf: (path: string) => string,
  now: () => number,
): Recorder {
  const { id: sessionID } = session
  const { host, plugin } = sink
  const did = createDid()
  const verdicts = createVerdicts(pathOf)
  /** How many of the session's rules, and of its broken ones, are noted. */
  let told: { readonly rules: number; readonly broken: number } | undefined
  /** What prompts have matched since the newest request. */
  let waiting: MatchedRule[] = []
  /** Rules of attempts that are not confirmed. */
  const retried = new Set<RuleId>()
  /** The newest request's; undefined when its turn is over. */
  let facts: Facts | undefined

  function note(change: Change): void {
    sink.note(sessionID, { v: RECEIPT_VERSION, at: now(), request: session.dispatches, ...change })
  }

  function reasonOf(rule: RuleId, by: readonly MatchedBy[] = []): "held" | "hook" | "matched" {
    const held = session.heldAt.get(rule)?.dispatch
    if (held !== undefined && held >= session.dispatches - 1) return "held"
    return by.some(({ kind }) => kind === "hook") ? "hook" : "matched"
  }

  function noteMatched(rule: CompiledRule, by: readonly MatchedBy[]): void {
    note({ kind: "matched", rule: rule.id, by })
  }

  function noteDelivery(news: DeliveryNews): void {
    if (news.kind === "found") return
    const { rule, how } = news
    if (news.kind === "further") {
      const { of, reason, count } = news
      note({ kind: "delivered", rule: of.id, how, reason, count, tokens: ruleTokens(rule) })
      return
    }
    const { id } = rule
    if (news.kind === "again") note({ kind: "gone", rule: id, reason: news.reason })
    const reason = news.kind === "again" ? news.reason : reasonOf(id, session.causes.get(id)?.by)
    note({ kind: "delivered", rule: id, how, reason, count: news.count, tokens: ruleTokens(rule) })
  }

  function stored(rules: readonly RuleId[], outcome: "stored" | "retry"): void {
    if (rules.length === 0) return
    for (const rule of rules) {
      if (outcome === "retry") retried.add(rule)
      else retried.delete(rule)
    }
    note({ kind: "store", rules: [...new Set(rules.map((id) => deliveryOfId(id).rule))], outcome })
  }

  return {
    rules(rules, broken) {
      if (told?.rules === rules.length && told.broken === broken.length) return
      const { rules: from, broken: brokenFrom } = told ?? { rules: 0, broken: 0 }
      const begins = told === undefined
      told = { rules: rules.length, broken: broken.length }
      const own = { sessionID, directory, host, plugin, broken: broken.slice(brokenFrom) }
      note({ kind: "session", begins, ...own, rules: rules.slice(from).map(described) })
    },

    matched(rule, by, when) {
      if (when === "now") noteMatched(rule, by)
      else waiting.push({ rule, by })
    },

    fired(rule, on, tool) {
      note({ kind: "hook", rule: rule.id, on, tool: notedTool(tool) })
    },

    ended(tool, paths) {
      did.add({ tool, paths: paths.map(pathOf), isStopped: false })
    },

    stopped(rules, tool, paths) {
      const own = fewPaths(paths.map(pathOf))
      did.add({ tool, paths: own, isStopped: true })
      for (const { id, reason, literal, line } of rules) {
        const which = { ...(literal !== undefined && { literal }), ...(line !== undefined && { line }) }
        note({ kind: "stopped", rule: id, reason, tool: notedTool(tool), paths: own, ...which })
      }
    },

    judged({ rule: { id }, path, added }) {
      const own = pathOf(path)
      for (const { literal, line } of added)
        note({ kind: "forbidden", rule: id, path: own, literal, ...(line !== undefined && { line }) })
      if (added.length === 0) note({ kind: "followed", rule: id, path: own })
    },

    request(request) {
      const { isRepeated, isPrompted, tokens, deliveries, came, went, history } = request
      facts = request.facts
      const { agent, model } = facts
      const settings = {
        ...(agent !== undefined && { agent }),
        ...(model !== undefined && { model: `${model.providerID}/${model.modelID}` }),
      }
      if (!isRepeated) note({ kind: "request", ...settings, prompted: isPrompted, did: did.take(), tokens })
      const found = deliveries.flatMap((news) => (news.kind === "found" ? [news.rule] : []))
      if (found.length > 0) note({ kind: "found", rules: found.map(({ id }) => id) })
      for (const { rule, by } of waiting) if (!found.includes(rule)) noteMatched(rule, by)
      waiting = []
      for (const news of deliveries) noteDelivery(news)
      for (const { rule, isDurable } of went) {
        const reason = isDurable ? "matched" : "ended"
        note({ kind: "transient", rule: rule.id, isOn: false, reason, tokens: ruleTokens(rule) })
      }
      for (const { rule, by } of came) {
        noteMatched(rule, by)
        note({ kind: "transient", rule: rule.id, isOn: true, reason: reasonOf(rule.id, by), tokens: ruleTokens(rule) })
      }
      if (retried.size === 0) return
      const shown = new Set(history.deliveries.flatMap(({ rules }) => rules))
      stored(
        [...retried].filter((rule) => shown.has(rule)),
        "stored",
      )
    },

    stored,

    turnEnded(rules) {
      if (facts === undefined) return
      const changed = verdicts.changed(rules, facts)
      facts = undefined
      if (Object.keys(changed).length > 0) note({ kind: "verdicts", rules: changed })
    },
  }
}

function described(rule: CompiledRule) {
  const { id, name, digest, activation } = rule
  return { id, name, digest: digest.slice(0, DIGEST_LENGTH), lifetime: ruleLifetime(rule), activation }
}

/** 48 bits tell two versions of a rule apart. */
const DIGEST_LENGTH = 12
