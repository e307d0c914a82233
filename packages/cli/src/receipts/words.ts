import type { MatchedBy } from "@opencode-rulebook/rule-schema"
import type { Arrival, ForbiddenChange, Span } from "./history.ts"

/** What matched a rule, in a few words: `file src/a.rs`, `agent build`, `keywords`, `always`. */
export function matcherOf(by: MatchedBy): string {
  switch (by.kind) {
    case "always":
      return "always"
    case "hook":
      return `a ${by.tool} call`
    case "condition":
      return by.seen === undefined ? by.family : `${by.family} ${by.seen}`
    default:
      return by satisfies never
  }
}

/** Why a rule came: the reason, and what matched it where that is the reason. */
export function whyOf({ reason, by }: Pick<Arrival, "reason" | "by">): string {
  const isFirst = reason === "matched" || reason === "hook"
  const matchers = by.map(matcherOf)
  return isFirst && matchers.length > 0 ? `${reason}: ${matchers.join(", ")}` : reason
}

/** `src/a.ts:12`, or the path alone where the line is not known. */
export function placeOf({ path, line }: Pick<ForbiddenChange, "path" | "line">): string {
  return line === undefined ? path : `${path}:${line}`
}

/** `1 request`, `2 requests`. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`
}

/** Request numbers as ranges: `1–7, 9`. */
export function ranges(spans: readonly Span[]): string {
  return spans.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(", ")
}
