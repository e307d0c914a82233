import { UsageError } from "./usage-error.ts"

const UNITS: Readonly<Record<string, number>> = {
  h: 60 * 60 * 1000,
  d: 24 * 60 * 60 * 1000,
  w: 7 * 24 * 60 * 60 * 1000,
}

/**
 * The time that `--since` means, in milliseconds since 1970: a day (`2026-11-30`) from its beginning here, a time
 * (`2026-11-30T14:00`), or how long ago (`12h`, `7d`, `2w`).
 *
 * @throws UsageError for anything else.
 */
export function readSince(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d+)([hdw])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0)
  // A day alone would be read as one in UTC.
  const at = /^\d{4}-\d\d-\d\d(?:T.*)?$/.test(text)
    ? Date.parse(text.includes("T") ? text : `${text}T00:00`)
    : Number.NaN
  if (Number.isNaN(at)) throw new UsageError(`--since ${text}: give a day (2026-11-30), or how long ago (12h, 7d, 2w)`)
  return at
}

/**
 * The number of `--limit`.
 *
 * @throws UsageError for what is not a number from 1 on.
 */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--limit ${text}: give a number from 1 on`)
  return Number(text)
}
