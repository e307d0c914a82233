import { type CompiledRule, ruleTokens } from "@opencode-rulebook/rule-schema"
import type { RuleDelivery } from "./delivery/rule-delivery.ts"
import type { HostPort, VisibleHistory } from "./port.ts"
import type { DeliveryNews } from "./receipts/deliveries.ts"
import type { Session } from "./session.ts"

/** How many rules a warning names. */
const MOST_NAMED = 10

/**
 * Takes in what one dispatch carries: what is new of the durable rules, and the estimated tokens of all rules. A session whose rules are
 * above the budget is reported once.
 *
 * @param plan what the delivery decided for the dispatch.
 */
export function noteCarried(
  session: Session,
  durable: readonly CompiledRule[],
  transient: readonly CompiledRule[],
  history: VisibleHistory,
  { ledger, attempted }: Pick<ReturnType<RuleDelivery["dispatch"]>, "ledger" | "attempted">,
  { maxTokens, port }: { readonly maxTokens?: number | undefined; readonly port: HostPort },
): { readonly deliveries: readonly DeliveryNews[]; readonly tokens: number } {
  const { placements } = ledger
  const deliveries = session.deliveries.note({
    ...{ number: session.dispatches, durable, further: session.further },
    ...{ history, placements, attempted },
  })
  if (deliveries.length > 0) session.published = undefined
  for (const news of deliveries) {
    if (news.kind !== "again" && news.kind !== "further") continue
    const { id } = news.kind === "further" ? news.of : news.rule
    port.log("info", `delivered again: ${id} in session ${session.id} (${news.reason}), delivery ${news.count}`)
  }
  // Without a message there is no place for a rule.
  if (history.messages.length === 0) return { deliveries, tokens: 0 }
  const rules = [...durable, ...session.further.map(({ rule }) => rule), ...transient]
  const tokens = rules.reduce((sum, rule) => sum + ruleTokens(rule), 0)
  if (maxTokens !== undefined && tokens > maxTokens && !session.isOverBudget) {
    session.isOverBudget = true
    port.log("warn", overBudget(session.id, rules, tokens, maxTokens))
  }
  return { deliveries, tokens }
}

function overBudget(sessionID: string, rules: readonly CompiledRule[], tokens: number, maxTokens: number): string {
  const largest = rules.toSorted((a, b) => ruleTokens(b) - ruleTokens(a))
  const named = largest.slice(0, MOST_NAMED).map((rule) => `${rule.id} (${ruleTokens(rule)})`)
  const rest = largest.length > MOST_NAMED ? ` and ${largest.length - MOST_NAMED} more` : ""
  return `the rules in a request of session ${sessionID} have about ${tokens} tokens, above "maxTokens" (${maxTokens}): ${named.join(", ")}${rest}. Nothing is left out; shorten the largest, or give them narrower conditions.`
}
