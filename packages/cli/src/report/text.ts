import { visible } from "@opencode-rulebook/rule-schema/authoring"
import type { Paint } from "../io.ts"
import { counted, dayOf } from "../receipts/words.ts"
import { type Column, DEFAULT_COLUMNS, formatLines, formatTable, type Line, type Row } from "../table.ts"
import { adherence, type Figures, type RuleFigures } from "./figures.ts"
import { FEWEST_SESSIONS, type Findings } from "./findings.ts"
import { percent as pagePercent } from "./page/client/format.ts"
import { SECTIONS } from "./sections.ts"

/** How many rows of each list are shown. */
const SHOWN = 10

/** One list of the report. */
interface Section {
  readonly title: string
  /** What to do about it. */
  readonly advice: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

/** The report for people: what there is, and what to do about it, list by list. Lists with nothing in them are left out. */
export function formatReport(
  project: string,
  figures: Figures,
  findings: Findings,
  columns: number | undefined,
  paint: Paint,
): string {
  const width = columns ?? DEFAULT_COLUMNS
  const sections = sectionsOf(figures, findings).filter(({ rows }) => rows.length > 0)
  const blocks = [
    formatLines(headOf(project, figures), width, paint),
    ...sections.map((section) => formatSection(section, width, paint)),
    formatLines(
      notesOf(figures).map((text) => ({ text, style: "dim" })),
      width,
      paint,
    ),
  ]
  return blocks.flatMap((block) => (block === "" ? [] : [`${block}\n`])).join("\n")
}

function headOf(project: string, { sessions, requests, tokens, startedAt, endedAt }: Figures): readonly Line[] {
  const share = requests === 0 ? 0 : Math.round(tokens / requests)
  return [
    { text: `Rules of ${visible(project)}`, style: "bold" },
    {
      text: `${counted(sessions, "session")} from ${dayOf(startedAt)} to ${dayOf(endedAt)}, ${counted(requests, "request")}, about ${counted(share, "token")} of rules in each`,
    },
  ]
}

function formatSection({ title, advice, columns, rows }: Section, width: number, paint: Paint): string {
  const more = rows.length - SHOWN
  const rest: readonly Line[] = more > 0 ? [{ text: `and ${more} more: --json has all`, style: "dim" }] : []
  return [
    formatLines([{ text: `${title} (${rows.length})`, style: "bold" }, { text: advice }], width, paint),
    formatTable(columns, rows.slice(0, SHOWN), width, paint),
    ...(rest.length > 0 ? [formatLines(rest, width, paint)] : []),
  ].join("\n")
}

const RULE: Column = { head: "rule", share: 2 }
const ID: Column = { head: "file", share: 3 }
const number = (head: string): Column => ({ head, align: "right" })

function sectionsOf(figures: Figures, findings: Findings): readonly Section[] {
  return [
    {
      ...SECTIONS.dead,
      columns: [RULE, ID, number("sessions")],
      rows: findings.dead.map((rule) => [...nameOf(rule), cell(rule.sessions)]),
    },
    {
      ...SECTIONS.always,
      columns: [RULE, ID, number("sessions"), number("tokens")],
      rows: findings.always.map((rule) => [...nameOf(rule), cell(rule.sessions), cell(rule.tokens)]),
    },
    {
      ...SECTIONS.together,
      columns: [{ head: "rules", share: 4 }, number("sessions")],
      rows: findings.together.map((rules) => [
        rules.map(({ name, id }) => ({ text: `${visible(name)} (${visible(id)})`, hang: 2 })),
        cell(rules[0]?.matched),
      ]),
    },
    {
      ...SECTIONS.expensive,
      columns: [RULE, ID, number("tokens"), number("requests"), number("together")],
      rows: findings.expensive.map((rule) => [
        ...nameOf(rule),
        ...[rule.tokens, rule.carried, rule.cost].map((figure) => cell(figure)),
      ]),
    },
    {
      ...SECTIONS.broken,
      columns: [RULE, ID, number("broken"), number("refused"), number("followed"), number("kept")],
      rows: findings.broken.map((rule) => [
        ...nameOf(rule),
        ...[rule.forbidden, rule.stopped.refused, rule.followed].map((figure) => cell(figure)),
        [{ text: percent(adherence(rule)) }],
      ]),
    },
    {
      ...SECTIONS.unreadable,
      columns: [ID, number("sessions")],
      rows: figures.broken.map(({ id, sessions }) => [[{ text: visible(id) }], cell(sessions)]),
    },
    {
      ...SECTIONS.withoutRule,
      columns: [{ head: "files", share: 3 }, number("number"), number("touched")],
      rows: findings.withoutRule.map(({ pattern, files, touched }) => [
        [{ text: visible(pattern) }],
        cell(files),
        cell(touched),
      ]),
    },
  ]
}

function nameOf({ name, id }: RuleFigures): readonly (readonly Line[])[] {
  return [[{ text: visible(name), hang: 2 }], [{ text: visible(id), hang: 2, style: "dim" }]]
}

function cell(figure: number | undefined): readonly Line[] {
  return [{ text: figure === undefined ? "" : figure.toLocaleString("en") }]
}

/** A share of 1, as the page has it. */
export function percent(share: number | undefined): string {
  return share === undefined ? "" : pagePercent(share)
}

/** What was left out, or is not said yet. */
export function notesOf({ sessions, skipped, hasMoreFiles }: Figures): readonly string[] {
  const notes = [
    sessions < FEWEST_SESSIONS && `Which rules never or always match is said from ${FEWEST_SESSIONS} sessions on.`,
    skipped.lines > 0 && `Skipped ${counted(skipped.lines, "line")} of receipts: torn, or of another version.`,
    skipped.files > 0 && `Skipped ${counted(skipped.files, "file")} of receipts without a session.`,
    skipped.full > 0 &&
      `Of ${counted(skipped.full, "session")} the end is missing: the file of receipts reached its size.`,
    hasMoreFiles && "More files were touched than are looked at: those of the newest sessions are.",
  ]
  return notes.filter((note) => note !== false)
}
