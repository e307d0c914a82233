import {
  type Change,
  type CompiledRule,
  type Facts,
  type MatchedBy,
  RECEIPT_VERSION,
  type RuleHook,
  type RuleId,
} from "@opencode-rulebook/rule-schema"
import { notedTool } from "../cause.ts"
import type { Judgement } from "../forbid.ts"
import { judgedChanges, type StoppingRule, stoppedChanges } from "./call-changes.ts"
import { createDid, fewPaths } from "./did.ts"
import { type MatchedRule, type RecordedRequest, type RecordedSession, requestChanges } from "./request-changes.ts"
import { createRuleNews } from "./rule-news.ts"
import type { ReceiptSink } from "./sink.ts"
import { createStores } from "./stores.ts"
import { createVerdicts } from "./verdicts.ts"

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
  const did = createDid()
  const news = createRuleNews({ sessionID: session.id, directory, host: sink.host, plugin: sink.plugin })
  const stores = createStores()
  const verdicts = createVerdicts(pathOf)
  /** What prompts have matched since the newest request. */
  let waiting: MatchedRule[] = []
  /** The newest request's; undefined when its turn is over. */
  let facts: Facts | undefined

  function note(changes: readonly Change[]): void {
    for (const change of changes) {
      sink.note(session.id, { v: RECEIPT_VERSION, at: now(), request: session.dispatches, ...change })
    }
  }

  return {
    rules(rules, broken) {
      note(news.take(rules, broken))
    },

    matched(rule, by, when) {
      if (when === "now") note([{ kind: "matched", rule: rule.id, by }])
      else waiting.push({ rule, by })
    },

    fired(rule, on, tool) {
      note([{ kind: "hook", rule: rule.id, on, tool: notedTool(tool) }])
    },

    ended(tool, paths) {
      did.add({ tool, paths: paths.map(pathOf), isStopped: false })
    },

    stopped(rules, tool, paths) {
      const own = fewPaths(paths.map(pathOf))
      did.add({ tool, paths: own, isStopped: true })
      note(stoppedChanges(rules, tool, own))
    },

    judged(judgement) {
      note(judgedChanges(judgement, pathOf))
    },

    request(request) {
      facts = request.facts
      note(requestChanges(session, request, waiting, request.isRepeated ? undefined : did.take()))
      waiting = []
      note(stores.shown(request.history))
    },

    stored(rules, outcome) {
      note(stores.ended(rules, outcome))
    },

    turnEnded(rules) {
      if (facts === undefined) return
      const changed = verdicts.changed(rules, facts)
      facts = undefined
      if (Object.keys(changed).length > 0) note([{ kind: "verdicts", rules: changed }])
    },
  }
}
