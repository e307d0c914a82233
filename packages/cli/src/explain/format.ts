import { describeHooks, originLabel, ruleTokens } from "@opencode-rulebook/rule-schema"
import { quoted, visible } from "@opencode-rulebook/rule-schema/authoring"
import { shownPath } from "../check/format.ts"
import type { Paint } from "../io.ts"
import type { Delivery, RuleExplanation } from "./explanation.ts"
import type { ForbiddenText } from "./stops.ts"

/** One rule's explanation: is it delivered, when and why, and what each of its families and hooks saw. */
export function formatExplanation(
  explained: RuleExplanation,
  { cwd, paint, projectCommands }: { readonly cwd: string; readonly paint: Paint; readonly projectCommands: boolean },
): string {
  const { rule, deliveries, families, hooks, why } = explained
  const source = rule.origin ? `  ${paint("dim", `(${visible(originLabel(rule.origin))})`)}` : ""
  const size = paint("dim", `  about ${ruleTokens(rule)} tokens`)
  const head = `${paint("bold", visible(rule.name))}  ${visible(shownPath(rule.file, cwd))}${source}${size}`
  const outcomes = deliveries.map(
    (delivery) => `  ${paint("green", delivery.lifetime)}: ${whenOf(delivery, cwd)} (${delivery.why})`,
  )
  if (deliveries.length === 0) outcomes.push(`  ${paint("dim", "not delivered")}: ${why}`)
  const verdict = (met: boolean) => (met ? paint("green", "met    ") : paint("dim", "not met"))
  const width = Math.max(...families.map(({ family }) => family.length))
  const lines = families.map(
    ({ family, met, value, saw, why: reason }) =>
      `    ${verdict(met)}  ${family.padEnd(width)}  ${value === null ? saw : `saw ${saw}: ${reason}`}`,
  )
  const combination = families.length > 1 ? [`    match: ${rule.match}`] : []
  const hookLines = describeHooks(rule, { projectCommands }).map((line, index) => {
    const called = hooks[index]
    return called ? `    ${verdict(called.met)}  ${line}\n      ${called.why}` : `    ${line}`
  })
  const effects = effectsInWords(explained).map(([verb, rest]) => `  ${paint("red", verb)}: ${rest}`)
  return [head, ...outcomes, ...effects, ...lines, ...combination, ...hookLines].join("\n")
}

/** What it does to calls, each as a verb and the rest. */
function effectsInWords({
  blocks,
  holds,
  refuses,
  forbidden,
}: RuleExplanation): readonly (readonly [string, string])[] {
  return [
    ...blocks.map((tool) => ["blocks", `the ${visible(tool)} call, with this rule as the reason`] as const),
    ...holds.map((tool) => ["holds", `the ${visible(tool)} call, until the model has this rule`] as const),
    ...refuses.map((text) => ["refuses", `the ${visible(text.tool)} call, for ${inWords(text)}`] as const),
    ...forbidden.map((text) => ["forbidden", `${inWords(text)}, by the ${visible(text.tool)} call`] as const),
  ]
}

/** `"console.log(" in src/a.ts, line 3`. */
function inWords({ literal, path, line }: ForbiddenText): string {
  const place = path === undefined ? "" : ` in ${visible(path)}`
  return `${quoted(literal)}${place}${line === undefined ? "" : `, line ${line}`}`
}

/** When the first request with it comes. */
export function whenOf({ lifetime, moment, after = "", stopped, why }: Delivery, cwd: string): string {
  const from = {
    "first-request": "the turn's first request",
    "after-file": `the request after reading ${visible(shownPath(after, cwd))}`,
    "after-call": `the request after the ${stopped === undefined ? "" : `${stopped} `}${visible(after)} call`,
  }[moment]
  if (lifetime === "durable") return `in ${from}, then kept in the conversation`
  return why === "a hook fires" ? `in ${from} only` : `in ${from}, and each later one while it holds`
}
