import { type CompiledRule, pathForm, type Reason, type RuleId } from "@opencode-rulebook/rule-schema"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import { callLines } from "../../receipts/calls.ts"
import { type Arrival, newestRequest, type SessionHistory, type Step, spansOf } from "../../receipts/history.ts"
import { type ConditionSeen, notYet } from "../../receipts/not-yet.ts"
import { counted, leftForGood, placeOf, whyOf } from "../../receipts/words.ts"
import type { MarkKind, PageMark, PageMissing, PageRequest, PageRow, PageSession } from "./data.ts"

/** How a rule that came is marked. */
const MARK_OF = {
  found: "came",
  matched: "came",
  held: "came",
  hook: "hook",
  compacted: "again",
  reverted: "again",
  reminded: "reminded",
  forbidden: "reminded",
  refused: "reminded",
  blocked: "hook",
  ended: "came",
} as const satisfies Readonly<Record<Reason | "found", MarkKind>>

export interface SessionInput {
  /** The project's root, absolute. */
  readonly root: string
  /** Where each rule is in the page's list. */
  readonly places: ReadonlyMap<RuleId, number>
  readonly onDisk: ReadonlyMap<string, CompiledRule>
}

/** One session as the page shows it in full. */
export function pageSession(session: SessionHistory, { root, places, onDisk }: SessionInput): PageSession {
  const { id, directory, startedAt, endedAt, runs, steps, isFull } = session
  const restarts = new Set(runs.slice(1).map(({ firstRequest }) => firstRequest))
  return {
    ...{ id: visible(id), startedAt, endedAt, isFull },
    host: visible(runs.at(-1)?.host ?? ""),
    folder: visible(pathForm(directory, { root, directory: root }).relative ?? ""),
    requests: steps.filter(({ isSent }) => isSent).map((step) => pageRequest(step, restarts.has(step.number))),
    rows: rowsOf(session, places),
    missing: notYet(session, onDisk).flatMap(({ rule, why, conditions }): readonly PageMissing[] => {
      const place = places.get(rule.id)
      return place === undefined ? [] : [{ rule: place, why: visible(why), conditions: conditions.map(verdictOf) }]
    }),
  }
}

function pageRequest({ number, at, tokens, agent, model, prompted, did }: Step, isRestart: boolean): PageRequest {
  const by = [agent, model].flatMap((name) => (name === undefined ? [] : visible(name))).join(" · ")
  return { number, at, tokens, by, prompted, did: callLines(did).map(({ text }) => text), isRestart }
}

/** The rules with anything to show, in the order in which they came. */
function rowsOf(session: SessionHistory, places: ReadonlyMap<RuleId, number>): readonly PageRow[] {
  const newest = newestRequest(session)
  const marks = marksOf(session, newest)
  const rows = Array.from(session.rules.values()).flatMap((rule): readonly PageRow[] => {
    const [place, own] = [places.get(rule.id), marks.get(rule.id)]
    if (place === undefined || own === undefined) return []
    return [{ rule: place, spans: spansOf(rule, newest).map(({ from, to }) => [from, to]), marks: own }]
  })
  return rows.toSorted((a, b) => firstOf(a) - firstOf(b))
}

function firstOf({ marks }: PageRow): number {
  return marks[0]?.request ?? 0
}

/** What happened since the newest request is shown at it. */
function marksOf({ steps }: SessionHistory, newest: number): ReadonlyMap<RuleId, readonly PageMark[]> {
  const marks = new Map<RuleId, PageMark[]>()
  const add = (rule: RuleId, { number }: Step, kind: MarkKind, text: string) => {
    const own = marks.get(rule) ?? []
    marks.set(rule, own)
    own.push({ request: Math.max(Math.min(number, newest), 1), kind, text: visible(text) })
  }
  for (const step of steps) {
    for (const { rule, reason, tool, paths } of step.stopped)
      add(rule, step, "stopped", `${reason}: ${[tool, ...paths].join(" ")}`)
    for (const change of step.forbidden) add(change.rule, step, "forbidden", `forbidden: ${placeOf(change)}`)
    for (const { rule, path } of step.followed) add(rule, step, "followed", `followed: ${path}`)
    for (const { rule, reason } of leftForGood(step)) add(rule, step, "left", `left: ${reason}`)
    for (const arrival of step.arrived) {
      add(
        arrival.rule,
        step,
        MARK_OF[arrival.reason],
        [whyOf(arrival), arrival.lifetime, ...sizeOf(arrival)].join(", "),
      )
    }
  }
  return marks
}

/** Of a rule that was there before, the size is not known. */
function sizeOf({ tokens }: Arrival): readonly string[] {
  return tokens > 0 ? [`about ${counted(tokens, "token")}`] : []
}

function verdictOf({ family, met, seen, declared }: ConditionSeen): PageMissing["conditions"][number] {
  return { met, text: `${declared ?? family}${seen === undefined ? "" : `, saw ${visible(seen)}`}` }
}
