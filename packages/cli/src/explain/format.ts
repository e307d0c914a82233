import { describeConditions } from "@opencode-rulebook/rule-schema"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import { shownPath } from "../check/format.ts"
import type { Paint } from "../io.ts"
import type { Delivery, RuleExplanation } from "./simulate.ts"

/** One rule's explanation: is it delivered, when and why, and what each of its families saw. */
export function formatExplanation(explained: RuleExplanation, cwd: string, paint: Paint): string {
  const { rule, deliveries, families, blocks, why } = explained
  const isDelivered = deliveries.length > 0
  const head = `${paint("bold", visible(rule.name))}  ${visible(shownPath(rule.file, cwd))}`
  const verdicts = isDelivered
    ? deliveries.map((delivery) => `  ${paint("green", delivery.lifetime)}: ${whenOf(delivery, cwd)} (${why})`)
    : [`  ${paint("dim", "not delivered")}: ${why}`]
  const width = Math.max(...families.map(({ family }) => family.length), 0)
  const lines = families.map(({ family, met, saw, why: reason }) => {
    const verdict = met ? paint("green", "met    ") : paint("dim", "not met")
    return `    ${verdict}  ${family.padEnd(width)}  saw ${saw}: ${reason}`
  })
  const combination = families.length > 1 ? [`    match: ${rule.match}`] : []
  const hooks = describeConditions(rule)
    .slice(families.length)
    .filter((line) => line !== "always")
  const blocked = blocks.map(
    (tool) => `  ${paint("red", "blocks")}: the ${visible(tool)} call, with this rule as the reason`,
  )
  return [head, ...verdicts, ...blocked, ...lines, ...combination, ...hooks.map((hook) => `    ${hook}`)].join("\n")
}

/** When the first request with it comes. */
export function whenOf({ lifetime, moment, after = "" }: Delivery, cwd: string): string {
  const from = {
    "first-request": "the turn's first request",
    "after-file": `the request after reading ${visible(shownPath(after, cwd))}`,
    "after-call": `the request after the ${visible(after)} call`,
  }[moment]
  if (lifetime === "durable") return `in ${from}, then kept in the conversation`
  return moment === "after-call" ? `in ${from} only` : `in ${from}, and each later one while it holds`
}
