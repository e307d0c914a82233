import type { MatchedBy } from "@opencode-rulebook/rule-schema"
import type { Arrival, Departure, ForbiddenChange, Span, Step } from "./history.ts"

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
  if (isAgain(reason)) return `again: ${reason}`
  const isFirst = reason === "matched" || reason === "hook"
  const matchers = by.map(matcherOf)
  return isFirst && matchers.length > 0 ? `${reason}: ${matchers.join(", ")}` : reason
}

/** Whether a rule came because it was gone. */
export function isAgain(reason: Arrival["reason"]): boolean {
  return reason === "compacted" || reason === "reverted"
}

/** The rules that left for good: those that are there again with the same request have not. */
export function leftForGood({ left, arrived }: Step): readonly Departure[] {
  const again = new Set(arrived.filter(({ reason }) => isAgain(reason)).map(({ rule }) => rule))
  return left.filter(({ rule }) => !again.has(rule))
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

/** A time's day, in the system's time zone: `2026-11-30`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** A time in the system's time zone: `2026-11-30 14:02`. */
export function shownTime(at: number): string {
  const date = new Date(at)
  return `${dayOf(at)} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

function twoDigits(number: number): string {
  return `${number}`.padStart(2, "0")
}

/** As ISO 8601 has it, in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}
