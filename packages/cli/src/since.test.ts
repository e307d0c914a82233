import { expect, test } from "bun:test"
import { readLimit, readSince } from "./since.ts"
import { UsageError } from "./usage-error.ts"

const HOUR = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 30, 12)

test.each<[text: string, time: number]>([
  ["1h", NOW - HOUR],
  ["12h", NOW - 12 * HOUR],
  ["1d", NOW - 24 * HOUR],
  ["10d", NOW - 240 * HOUR],
  ["2w", NOW - 2 * 7 * 24 * HOUR],
  ["0h", NOW],
  ["2026-11-30", new Date(2026, 10, 30).getTime()],
  ["2026-11-30T14:00", new Date(2026, 10, 30, 14).getTime()],
  ["2026-11-30T14:00Z", Date.UTC(2026, 10, 30, 14)],
  ["2026-11-30T14:00:30.5+02:00", Date.UTC(2026, 10, 30, 12, 0, 30, 500)],
])("--since %s", (text, time) => expect(readSince(text, NOW)).toBe(time))

test.each([
  "",
  "soon",
  "7",
  "d",
  "7m",
  "-7d",
  "7d ",
  "x7d",
  "2026",
  "2026-11",
  "2026-1-1",
  "2026-13-01",
  "2026-11-30 14:00",
  "x2026-11-30",
  "2026-11-30Tx",
])("--since %j is a usage error", (text) => {
  const message = `--since ${text}: give a day (2026-11-30), or how long ago (12h, 7d, 2w)`
  expect(() => readSince(text, NOW)).toThrow(new UsageError(message))
})

test.each([1, 9, 10, 200, 999_999_999])("--limit %d", (limit) => expect(readLimit(String(limit))).toBe(limit))

test.each(["", "0", "01", "-1", "1.5", "x1", "1x", "1e3", "1000000000"])("--limit %j is a usage error", (text) => {
  expect(() => readLimit(text)).toThrow(new UsageError(`--limit ${text}: give a number from 1 on`))
})
