import type { Arrival } from "./history.ts"
import { whyOf } from "./words.ts"

/** A rule that came into the requests, for programs: `arrival` in `docs/output.schema.json`, but for the rule. */
export function arrivalJson(arrival: Arrival): object {
  const { request, reason, lifetime, isStored, tokens, by, until } = arrival
  return { request, reason, why: whyOf(arrival), lifetime, isStored, tokens, by, until }
}
