import { describeHooks, originLabel, ruleTokens } from "@opencode-rulebook/rule-schema"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import { shownPath } from "../check/format.ts"
import type { Paint } from "../io.ts"
import { type Delivery, HELD, type RuleExplanation } from "./explanation.ts"

/** One rule's explanation: is it delivered, when and why, and what each of its families and hooks saw. */
export function formatExplanation(
  { rule, deliveries, families, hooks, blocks, holds, why }: RuleExplanation,
  { cwd, paint, projectCommands }: { readonly cwd: string; readonly paint: Paint; readonly projectCommands: boolean },
): string {
  const source = rule.origin ? `  ${paint("dim", `(${visible(originLabel(rule.origin))})`)}` : ""
  const size = paint("dim", `  about ${ruleTokens(rule)} tokens`)
  const head = `${paint("bold", visible(rule.name))}  ${visible(shownPath(rule.file, cwd))}${source}${size}`
  const outcomes = deliveries.map(
    (delivery) => `  ${paint("green", delivery.lifetime)}: ${whenOf(delivery, cwd)} (${delivery.why})`,
  )
  if (deliveries.length === 0) outcomes.push(`  ${paint("dim", "not delivered")}: ${why}`)
  const verdict = (met: boolean) => (met ? paint("green", "met    ") : paint("dim", "not met"))
  const width = Math.max(...families.map(({ family }) => family.length), 0)
  const lines = families.map(
    ({ family, met, value, saw, why: reason }) =>
      `    ${verdict(met)}  ${family.padEnd(width)}  ${value === null ? saw : `saw ${saw}: ${reason}`}`,
  )
  const combination = families.length > 1 ? [`    match: ${rule.match}`] : []
  const hookLines = describeHooks(rule, { projectCommands }).map((line, index) => {
    const called = hooks[index]
    return called ? `    ${verdict(called.met)}  ${line}\n      ${called.why}` : `    ${line}`
  })
  const blocked = blocks.map(
    (tool) => `  ${paint("red", "blocks")}: the ${visible(tool)} call, with this rule as the reason`,
  )
  const held = holds.map(
    (tool) => `  ${paint("red", "holds")}: the ${visible(tool)} call, until the model has this rule`,
  )
  return [head, ...outcomes, ...blocked, ...held, ...lines, ...combination, ...hookLines].join("\n")
}

/** When the first request with it comes. */
export function whenOf({ lifetime, moment, after = "", why }: Delivery, cwd: string): string {
  const from = {
    "first-request": "the turn's first request",
    "after-file": `the request after reading ${visible(shownPath(after, cwd))}`,
    "after-call": `the request after the ${why === HELD ? "held " : ""}${visible(after)} call`,
  }[moment]
  if (lifetime === "durable") return `in ${from}, then kept in the conversation`
  return why === "a hook fires" ? `in ${from} only` : `in ${from}, and each later one while it holds`
}
