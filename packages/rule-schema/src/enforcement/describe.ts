import type { CompiledRule } from "../rule.ts"
import { listed, quoted } from "../text.ts"

type Enforcing = Pick<CompiledRule, "hold" | "remind" | "forbid" | "reminder">

/** A few words for each of a rule's keys: `hold`, `remind 20k`, `forbids 2`. */
export function summariseEnforcement({ hold, remind, forbid }: Enforcing): readonly string[] {
  return [
    ...(hold ? ["hold"] : []),
    ...(remind === undefined ? [] : [`remind ${shortCount(remind)}`]),
    ...(forbid === undefined ? [] : [`forbids ${forbid.length}`]),
  ]
}

/** One line for each of a rule's keys, in full. */
export function describeEnforcement({ hold, remind, forbid, reminder }: Enforcing): readonly string[] {
  return [
    ...(hold ? [`hold: ${forbid === undefined ? "" : "refuses what is forbidden, and "}holds the first write`] : []),
    ...(remind === undefined ? [] : [`remind: again after ${remind} tokens`]),
    ...(forbid === undefined
      ? []
      : [
          `forbid: ${listed(
            forbid.map((literal) => quoted(literal, 500)),
            1000,
          )}`,
        ]),
    ...(reminder === undefined ? [] : [`reminder: ${quoted(reminder, 200)}`]),
  ]
}

/** `20k`, `2.5k`, `2345`. */
function shortCount(tokens: number): string {
  return tokens % 100 === 0 ? `${tokens / 1000}k` : String(tokens)
}
