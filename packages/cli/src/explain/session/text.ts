import { visible } from "@opencode-rulebook/rule-schema/authoring"
import type { Paint } from "../../io.ts"
import { isThere, newestRequest, type RuleHistory, type SessionHistory, spansOf } from "../../receipts/history.ts"
import type { ConditionSeen, NotYet } from "../../receipts/not-yet.ts"
import { counted, ranges, shownTime, whyOf } from "../../receipts/words.ts"
import { type Column, DEFAULT_COLUMNS, formatLines, formatTable, type Line, type Row } from "../../table.ts"
import { COLUMNS, requestRows } from "./rows.ts"

export interface SessionText {
  readonly history: SessionHistory
  readonly missing: readonly NotYet[]
  /** Lines of the file that are not receipts of this version. */
  readonly skipped: number
}

const CAME: readonly Column[] = [
  { head: "rule", share: 2 },
  { head: "requests", share: 1 },
  { head: "tokens", align: "right" },
  { head: "kept", share: 1 },
  { head: "request: why it came", share: 3 },
]

/** A session for people: its head, a table of its requests, the rules that came, and the others with the reason. */
export function formatSession(
  { history, missing, skipped }: SessionText,
  columns: number | undefined,
  paint: Paint,
): string {
  const width = columns ?? DEFAULT_COLUMNS
  const came = Array.from(history.rules.values()).filter(({ arrivals }) => arrivals.length > 0)
  const newest = newestRequest(history)
  const lines = (all: readonly Line[]) => formatLines(all, width, paint)
  const blocks = [
    lines(headOf(history, came.length)),
    history.steps.length > 0 && formatTable(COLUMNS, requestRows(history), width, paint),
    came.length > 0 &&
      formatTable(
        CAME,
        came.map((rule) => cameRow(rule, newest)),
        width,
        paint,
      ),
    missing.length > 0 && lines([{ text: "Not there, and why", style: "bold" }, ...missing.flatMap(missingLines)]),
    lines(notesOf(history, skipped)),
  ]
  return blocks.flatMap((block) => (block ? [`${block}\n`] : [])).join("\n")
}

function headOf(history: SessionHistory, came: number): readonly Line[] {
  const { id, directory, startedAt, endedAt, rules, runs, steps } = history
  const newest = steps.findLast(({ isSent }) => isSent)
  const parts = [
    counted(newest?.number ?? 0, "request"),
    `${came} of ${counted(rules.size, "rule")} came`,
    `about ${counted(newest?.tokens ?? 0, "token")} of rules in the newest request`,
  ]
  const host = visible(runs.at(-1)?.host ?? "unknown host")
  return [
    { text: `Session ${visible(id)}`, style: "bold" },
    { text: `${shownTime(startedAt)} to ${shownTime(endedAt)}, ${host}, ${visible(directory)}` },
    { text: parts.join(", ") },
  ]
}

function cameRow(rule: RuleHistory, newest: number): Row {
  const { name, arrivals, retries } = rule
  const last = arrivals.at(-1)
  const kept = last?.lifetime === "transient" ? "transient" : last?.isStored ? "stored" : "not stored yet"
  const failed = retries > 0 ? `, ${counted(retries, "failed attempt")}` : ""
  const mark = isThere(rule, newest) ? "✓" : "-"
  return [
    [{ text: `${mark} ${visible(name)}`, hang: 2 }],
    [{ text: ranges(spansOf(rule, newest)) }],
    [{ text: last && last.tokens > 0 ? last.tokens.toLocaleString("en") : "" }],
    [{ text: kept + failed }],
    arrivals.map((arrival) => ({ text: `${arrival.request}: ${visible(whyOf(arrival))}`, hang: 3 })),
  ]
}

function missingLines({ rule, why, conditions, hooks, isCurrent }: NotYet): readonly Line[] {
  const edited = isCurrent === false ? " (its file was edited since)" : ""
  const gone = isCurrent === undefined ? " (its file is not there now)" : ""
  return [
    { text: `• ${visible(rule.name)}${edited}${gone}: ${why}`, indent: 2, hang: 2 },
    ...conditions.map(conditionLine),
    ...hooks.map((hook): Line => ({ text: hook, indent: 4, hang: 2, style: "dim" })),
  ]
}

function conditionLine({ family, met, declared, seen }: ConditionSeen): Line {
  const saw = seen === undefined ? "" : `, saw ${visible(seen)}`
  return {
    text: `${met ? "met    " : "not met"}  ${declared ?? family}${saw}`,
    indent: 4,
    hang: 9,
    style: met ? "green" : "dim",
  }
}

function notesOf({ broken, isFull }: SessionHistory, skipped: number): readonly Line[] {
  const notes = [
    broken.length > 0 && `Can't be understood: ${broken.map(visible).join(", ")} (\`check\` says why).`,
    isFull && "The file of receipts reached its size: what happened later is not in it.",
    skipped > 0 &&
      `Skipped ${counted(skipped, "line")} that ${skipped === 1 ? "is" : "are"} torn or of another version.`,
  ]
  return notes.flatMap((text) => (text ? [{ text }] : []))
}
