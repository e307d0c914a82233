import { styleText } from "node:util"
import { loadRulebook, summariseConditions } from "@opencode-rulebook/rule-schema"
import type { Told } from "./explain.ts"

type Style = Parameters<typeof styleText>[0]

/** Colours on a terminal, plain text elsewhere and under NO_COLOR. */
function styled(style: Style, text: string): string {
  return process.stdout.isTTY && !process.env["NO_COLOR"] ? styleText(style, text, { validateStream: false }) : text
}

/** Prints what the demo runs on and which rules the project has. */
export async function printHead(example: string): Promise<void> {
  const directory = { scope: "project", path: `${example}/.opencode/rules`, root: example, prefix: "" } as const
  const { rules } = await loadRulebook([directory])
  const width = Math.max(...rules.map(({ name }) => name.length))
  console.log(styled("bold", "\nopencode-rulebook on real OpenCode, with a scripted model: no key, no account\n"))
  console.log("The rules of examples/service and when they apply:")
  for (const rule of rules) console.log(`  ${rule.name.padEnd(width)}  ${styled("dim", summariseConditions(rule))}`)
}

/**
 * Prints one prompt of the user and the provider requests that followed.
 *
 * @param first the number of the first of them.
 */
export function printChapter(prompt: string, told: readonly Told[], first: number): void {
  console.log(`\n${styled("bold", `User: ${prompt}`)}`)
  for (const [index, request] of told.entries()) printRequest(request, first + index)
}

function printRequest({ latest, rules, calls }: Told, number: number): void {
  const known = rules.filter(({ isNew }) => !isNew).map(({ name }) => name)
  console.log(`\n  ${styled("cyan", `request ${number}`)}  with ${latest}`)
  if (known.length > 0) console.log(styled("dim", `             still there: ${known.join(", ")}`))
  for (const { name, isNew, why } of rules) {
    if (isNew) console.log(`  ${styled("green", "    + rule")}   ${styled("bold", name)}  ${styled("dim", why)}`)
  }
  console.log(calls.length > 0 ? `    agent    ${calls.join(", ")}` : "    agent    answers")
}

/** Prints the totals. */
export function printEnd(
  counts: { readonly withPlugin: number; readonly without: number },
  told: readonly Told[],
): void {
  const delivered = told.flatMap(({ rules }) => rules.filter(({ isNew }) => isNew)).length
  const verdict = counts.withPlugin === counts.without ? "equal" : styled("red", "NOT EQUAL")
  console.log(`\n${styled("bold", "Totals")}`)
  console.log(`  ${delivered} rules arrived, each in the first request after what matched it.`)
  console.log(
    `  Provider requests, the session's title included: ${counts.withPlugin} with the plugin, ${counts.without} without it: ${verdict}.\n`,
  )
}
