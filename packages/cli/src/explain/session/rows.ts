import type { RuleId } from "@opencode-rulebook/rule-schema"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import { callLines } from "../../receipts/calls.ts"
import { isThere, type SessionHistory, type Step } from "../../receipts/history.ts"
import { leftForGood, placeOf, whyOf } from "../../receipts/words.ts"
import type { Column, Line, Row } from "../../table.ts"

export const COLUMNS: readonly Column[] = [
  { head: "request", align: "right" },
  { head: "what came before it", share: 2 },
  { head: "rules that came (+) and left (-)", share: 3 },
  { head: "there", align: "right" },
  { head: "tokens", align: "right" },
]

/** The session's requests as rows of a table, with a line where the host was started again. */
export function requestRows(history: SessionHistory): readonly Row[] {
  const restarts = new Map(history.runs.slice(1).map((run) => [run.firstRequest, run]))
  return history.steps.flatMap((step, index): readonly Row[] => {
    const run = restarts.get(step.number)
    const before = run ? [{ text: `${visible(run.host)} was started again`, style: "dim" } as const] : []
    return [...before, rowOf(step, history.steps[index - 1], history)]
  })
}

function rowOf(step: Step, before: Step | undefined, history: SessionHistory): Row {
  const did = didLines(step, before)
  const rules = ruleLines(step, (id) => visible(history.rules.get(id)?.name ?? id))
  if (!step.isSent) return [[{ text: "next", style: "dim" }], did, rules, [], []]
  const there = Array.from(history.rules.values()).filter((rule) => isThere(rule, step.number)).length
  return [
    [{ text: `${step.number}` }],
    did,
    rules,
    [{ text: `${there}` }],
    [{ text: step.tokens.toLocaleString("en") }],
  ]
}

/** The prompt, another agent or model, and the calls; those of one tool in a row are one line. */
function didLines({ prompted, agent, model, did, isSent }: Step, before: Step | undefined): readonly Line[] {
  const prompt: Line[] = prompted ? [{ text: "prompt" }] : []
  const hasChanged = isSent && (agent !== before?.agent || model !== before?.model)
  const names = [agent, model].flatMap((name) => (name === undefined ? [] : visible(name)))
  const turn: Line[] = hasChanged && names.length > 0 ? [{ text: names.join(" · "), style: "dim" }] : []
  const calls = callLines(did).map(
    ({ text, isStopped }): Line => ({ text, hang: 2, ...(isStopped && { style: "red" }) }),
  )
  return [...prompt, ...turn, ...calls]
}

function ruleLines(step: Step, nameOf: (id: RuleId) => string): readonly Line[] {
  const line = (mark: string, id: RuleId, what: string, style: Line["style"]): Line => {
    return { text: `${mark} ${nameOf(id)}  ${visible(what)}`, hang: 4, ...(style && { style }) }
  }
  return [
    ...step.stopped.map(({ rule, reason, tool, paths }) =>
      line("✗", rule, `${reason}: ${[tool, ...paths].join(" ")}`, "red"),
    ),
    ...step.forbidden.map((change) => line("!", change.rule, `forbidden: ${placeOf(change)}`, "yellow")),
    ...step.followed.map(({ rule, path }) => line("✓", rule, `followed: ${path}`, undefined)),
    ...leftForGood(step).map(({ rule, reason }) => line("-", rule, reason, "dim")),
    ...step.arrived.map((arrival) => line("+", arrival.rule, whyOf(arrival), "green")),
  ]
}
