import { visible } from "@opencode-rulebook/rule-schema"
import type { Paint } from "../io.ts"
import { counted, whyOf } from "../receipts/words.ts"
import { DEFAULT_COLUMNS, formatLines, formatTable, type Line } from "../table.ts"
import type { PastArrival } from "./difference.ts"
import type { ReplayedSession } from "./session.ts"
import type { AssumedFact } from "./then.ts"
import type { Moment, RuleTotals } from "./totals.ts"

/** What is kept of a session for the text. */
export type SessionLine = Pick<ReplayedSession, "stored" | "requests" | "difference" | "assumed">

/** All that the text says. */
export interface Replayed {
  readonly sessions: readonly SessionLine[]
  readonly rules: readonly RuleTotals[]
  /** What the rules are, as in "the rules as they are now". */
  readonly ruleSource: string
}

/** How many of a rule's moments are named. */
const MOST_MOMENTS = 3
/** The longest title that is shown, in characters. */
const LONGEST_TITLE = 60

/** The result for people: a table of rules, what was taken for granted, and the differences where they are wanted. */
export function formatReplay(replayed: Replayed, columns: number | undefined, paint: Paint): string {
  const width = columns ?? DEFAULT_COLUMNS
  const { sessions, rules } = replayed
  const blocks = [
    formatLines([{ text: headOf(replayed) }], width, paint),
    rulesTable(rules, sessions.length, width, paint),
    formatLines(notes(replayed), width, paint),
    ...sessions.flatMap((session) => differenceBlock(session, width, paint)),
  ]
  const compared = sessions.filter(({ difference }) => difference)
  if (compared.length > 0) blocks.push(formatLines([{ text: differenceTotals(compared) }], width, paint))
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`
}

function headOf({ sessions, ruleSource }: Replayed): string {
  const subagents = sessions.filter(({ stored }) => stored.parentID !== undefined).length
  const requests = sessions.reduce((sum, session) => sum + session.requests, 0)
  const own = subagents === 0 ? "" : ` (${counted(subagents, "subagent")})`
  return `${counted(sessions.length, "session")}${own}, ${counted(requests, "request")}, with ${ruleSource}.`
}

function rulesTable(rules: readonly RuleTotals[], sessions: number, width: number, paint: Paint): string {
  const coming = rules.filter((rule) => rule.sessions > 0 || rule.stopped > 0)
  if (coming.length === 0) return ""
  const rows = coming.map((rule) => [
    [{ text: visible(rule.name), style: "bold" } as const],
    [{ text: `${rule.sessions} of ${sessions}` }],
    momentLines(rule),
    [{ text: rule.tokens.toLocaleString("en") }],
    [{ text: rule.carriedTokens.toLocaleString("en") }],
  ])
  const head = [
    { head: "rule", share: 1 },
    { head: "sessions", align: "right" },
    { head: "comes first", share: 2 },
    { head: "tokens", align: "right" },
    { head: "in all", align: "right" },
  ] as const
  return formatTable(head, rows, width, paint)
}

function momentLines({ moments, stopped }: RuleTotals): readonly Line[] {
  const shown = moments.slice(0, MOST_MOMENTS).map((moment): Line => ({ text: momentText(moment), hang: 2 }))
  const rest = moments.slice(MOST_MOMENTS).reduce((sum, { sessions }) => sum + sessions, 0)
  return [
    ...shown,
    ...(rest > 0 ? [{ text: `${rest} more` }] : []),
    ...(stopped > 0 ? [{ text: `stops ${counted(stopped, "call")}` }] : []),
  ]
}

function momentText({ why, sessions, from, to }: Moment): string {
  const requests = from === to ? `request ${from}` : `requests ${from}–${to}`
  return `${requests}, ${visible(why)}${sessions > 1 ? ` (${sessions} sessions)` : ""}`
}

const ASSUMED = {
  branch: "the git branch",
  ci: "whether it ran in CI",
  command: "slash commands (recognised by their templates)",
  os: "the system",
  project: "the project's tags",
  tools: "the tools and MCP servers",
} as const satisfies Record<AssumedFact, string>

function notes({ sessions, rules }: Replayed): readonly Line[] {
  const never = rules.filter((rule) => rule.sessions === 0).map(({ name }) => visible(name))
  const assumed = new Set(sessions.flatMap((session) => session.assumed))
  const facts = Object.entries(ASSUMED).flatMap(([fact, text]) => (assumed.has(fact as AssumedFact) ? [text] : []))
  const unread = sessions.reduce((sum, { stored }) => sum + stored.unread, 0)
  const redacted = sessions.filter(({ stored }) => stored.isRedacted).length
  const ids = new Set(sessions.map(({ stored }) => stored.id))
  const subagents = new Set(sessions.flatMap(({ stored }) => stored.subagents.map(({ id }) => id)))
  const missing = [...subagents].filter((id) => !ids.has(id)).length
  return [
    ...(never.length > 0 ? [{ text: `Never delivered: ${never.join(", ")}.`, hang: 2 }] : []),
    ...(facts.length > 0
      ? [{ text: `As they are now, because sessions do not store them: ${facts.join(", ")}.`, hang: 2 }]
      : []),
    ...(missing > 0 ? [{ text: `Not among them: ${counted(missing, "session")} of subagents.` }] : []),
    ...(redacted > 0
      ? [
          {
            text: `${counted(redacted, "session")} exported with --sanitize: texts, paths and arguments are not known.`,
          },
        ]
      : []),
    ...(unread > 0 ? [{ text: `${counted(unread, "message")} could not be read: left out.` }] : []),
  ]
}

function differenceBlock({ stored, difference }: SessionLine, width: number, paint: Paint): readonly string[] {
  if (difference === undefined) return []
  const { gained, lost, moved } = difference
  const lines: Line[] = [
    ...gained.map((now): Line => ({ text: `+ ${arrivalText(now)}`, style: "green", indent: 2, hang: 4 })),
    ...lost.map((before): Line => ({ text: `- ${arrivalText(before)}`, style: "red", indent: 2, hang: 4 })),
    ...moved.map(({ now, before }): Line => {
      return { text: `~ ${arrivalText(now)}; was ${momentOf(before)}`, style: "yellow", indent: 2, hang: 4 }
    }),
  ]
  if (lines.length === 0) return []
  const date = new Date(stored.updated).toISOString().slice(0, 10)
  const title = `${visible(stored.id)}  ${date}  ${visible(stored.title.trim().slice(0, LONGEST_TITLE))}`
  return [formatLines([{ text: title, style: "bold" }, ...lines], width, paint)]
}

function arrivalText(arrival: PastArrival): string {
  return `${visible(arrival.rule)}  ${momentOf(arrival)}`
}

function momentOf({ request, reason, by = [] }: PastArrival): string {
  return reason === undefined ? `request ${request}` : `request ${request}, ${visible(whyOf({ reason, by }))}`
}

function differenceTotals(sessions: readonly SessionLine[]): string {
  const all = sessions.flatMap(({ difference }) => difference ?? [])
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  const stored = all.filter(({ against }) => against === "metadata").length
  const told = stored === 0 ? "" : ` ${counted(stored, "session")} without receipts: only what was stored is compared.`
  const parts = [
    `${sum(({ gained }) => gained.length)} gained`,
    `${sum(({ lost }) => lost.length)} lost`,
    `${sum(({ moved }) => moved.length)} at another request or for another reason`,
  ]
  return `Against what was delivered then: ${parts.join(", ")}.${told}`
}
