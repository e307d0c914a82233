import { type RuleStatus, type Scope, visible } from "@opencode-rulebook/rule-schema"
import { columnsOf, shorten, wrap } from "./columns.ts"
import { type Difference, type Entry, entriesOf, isMatchedStatus, type RulesOnDisk, tokenWords } from "./entries.ts"

/** What there is to show for one session. */
export type RulesView =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  | (RulesOnDisk & {
      readonly kind: "ready"
      /** Why changes on disk may go unseen. */
      readonly trouble: string | undefined
      /** Whether a request of the session was answered, and the server part has written no state of it. */
      readonly isUnserved?: boolean
    })

/** A colour of the host's theme. */
export type Tone = "text" | "textMuted" | "success" | "warning" | "error"

export interface StyledText {
  readonly text: string
  readonly tone: Tone
  readonly bold?: boolean
}

/** One line, no wider than what there is. `toggle` names what a click on it folds or unfolds. */
export interface Row {
  readonly spans: readonly StyledText[]
  readonly indent: number
  readonly toggle: string | undefined
}

/** Rules of one group that are shown before the rest is folded away. */
const MOST_RULES = 12
/** Fewer than these are not folded away: what is said in their place takes a row, too. */
const LEAST_FOLDED = 4
/** Lines of what is wrong with a broken rule, while it is folded. */
const MOST_REASON_LINES = 3
const SECTION = "section"
const SECTION_NAME = "Rules"
const MARK_OF_SECTION = { folded: "▶ ", unfolded: "▼ " }
const GROUPS: readonly [Scope, string][] = [
  ["project", "Project"],
  ["global", "Global"],
]

/**
 * The sidebar's section, row by row.
 *
 * @param toggled what was clicked: the section is unfolded unless it is in here, a rule or a rest of a group is folded unless it is.
 * @param width columns there are, at least 8.
 */
export function sectionRows(view: RulesView, toggled: ReadonlySet<string>, width: number): Row[] {
  if (view.kind === "loading") return [title(width), ...paragraph("Loading…", "textMuted", width)]
  if (view.kind === "failed")
    return [title(width), ...paragraph(`Rules can't be shown: ${view.message}`, "error", width)]
  const entries = entriesOf(view)
  const warnings = [
    ...(view.isUnserved ? ["Server part not seen: is the plugin in opencode.json?"] : []),
    ...(view.state?.notices ?? []).map(visible),
    ...(view.trouble === undefined ? [] : [view.trouble]),
  ]
  const trouble = warnings.flatMap((text) => paragraph(text, "warning", width))
  if (entries.length === 0)
    return [title(width), ...paragraph("No rules in .opencode/rules", "textMuted", width), ...trouble]
  const isFolded = toggled.has(SECTION)
  const head = line(
    [
      { text: MARK_OF_SECTION[isFolded ? "folded" : "unfolded"], tone: "text" },
      { text: SECTION_NAME, tone: "text", bold: true },
      { text: counts(entries, width - columnsOf(MARK_OF_SECTION.folded) - columnsOf(SECTION_NAME)), tone: "textMuted" },
    ],
    width,
    SECTION,
  )
  if (isFolded) return [head, ...trouble]
  return [
    head,
    ...groupsOf(entries).flatMap(([scope, label]) => groupRows(scope, label, entries, toggled, width)),
    ...trouble,
  ]
}

/** The project's and the user's own rules, then one group for each pack: its name and version. */
function groupsOf(entries: readonly Entry[]): readonly (readonly [Scope, string])[] {
  const packs = new Map<Scope, string>()
  for (const { scope, source } of entries) {
    if (scope.startsWith("pack:") && (source !== undefined || !packs.has(scope))) {
      packs.set(scope, source ?? visible(scope.slice("pack:".length)))
    }
  }
  return [...GROUPS, ...packs]
}

/** @param room columns that there are: the tokens are left out where they don't fit. */
function counts(entries: readonly Entry[], room: number): string {
  const broken = entries.filter(({ standing }) => standing === "broken").length
  const working = entries.filter(({ standing, status }) => standing !== "broken" || status !== undefined)
  const matched = working.filter(({ status }) => isMatchedStatus(status)).length
  const tokens = working.reduce((sum, { status, tokens: own = 0 }) => sum + (isMatchedStatus(status) ? own : 0), 0)
  const text = ` ${matched} of ${working.length} matched${broken > 0 ? `, ${broken} broken` : ""}`
  const whole = tokens > 0 ? `${text} · ${tokenWords(tokens)}` : text
  return columnsOf(whole) <= room ? whole : text
}

function groupRows(
  scope: Scope,
  label: string,
  entries: readonly Entry[],
  toggled: ReadonlySet<string>,
  width: number,
): Row[] {
  const own = entries.filter((entry) => entry.scope === scope)
  if (own.length === 0) return []
  const more = `more:${scope}`
  const first = own.filter((entry, index) => index < MOST_RULES || entry.difference === "removed")
  const folded = own.length - first.length
  const isWhole = toggled.has(more) || folded < LEAST_FOLDED
  const shown = isWhole ? own : first
  const rest = toggled.has(more) ? "show less" : `${folded} more`
  return [
    line([{ text: label, tone: "textMuted" }], width, undefined),
    ...shown.flatMap((entry) => entryRows(entry, toggled.has(toggleOf(entry)), width)),
    ...(folded >= LEAST_FOLDED ? [line([{ text: `… ${rest}`, tone: "textMuted" }], width, more)] : []),
  ]
}

function toggleOf(entry: Entry): string {
  return `rule:${entry.id}`
}

const MARKS = {
  matched: { text: "✓ ", tone: "success" },
  broken: { text: "✗ ", tone: "error" },
  unmatched: { text: "• ", tone: "textMuted" },
} as const satisfies Record<Entry["standing"], StyledText>

const TAGS: Readonly<Record<Difference, string>> = { none: "", edited: " edited", new: " new", removed: " removed" }

function entryRows(entry: Entry, isUnfolded: boolean, width: number): Row[] {
  const mark = MARKS[entry.standing]
  const tag = `${entry.standing !== "broken" && entry.problems.length > 0 ? " !" : ""}${TAGS[entry.difference]}`
  const room = Math.max(width - columnsOf(mark.text) - columnsOf(tag), 1)
  const name = shorten(entry.name, room)
  const text = summaryOf(entry)
  const summary: StyledText = { text, tone: entry.standing === "broken" ? "error" : "textMuted" }
  const head: StyledText[] = [
    mark,
    { text: name, tone: entry.standing === "unmatched" ? "textMuted" : "text" },
    ...(tag === "" ? [] : [{ text: tag, tone: "warning" } as const]),
  ]
  const toggle = toggleOf(entry)
  if (isUnfolded) return [line(head, width, toggle), ...detailRows(entry, width)]
  if (text === "") return [line(head, width, toggle)]
  const isOneLine = columnsOf(name) + 2 + columnsOf(text) <= room
  if (isOneLine) return [line([...head, { ...summary, text: `  ${text}` }], width, toggle)]
  if (entry.standing === "broken") return [line(head, width, toggle), ...reasonRows(text, width - 2, toggle)]
  return [line(head, width, toggle), line([summary], width - 2, toggle, 2)]
}

/** What is wrong, in a few lines: its end names the place or the value. */
function reasonRows(text: string, width: number, toggle: string): Row[] {
  const lines = wrap(text, Math.max(width, 1))
  const rest = lines.slice(MOST_REASON_LINES - 1).join(" ")
  return [...lines.slice(0, MOST_REASON_LINES - 1), ...(rest === "" ? [] : [rest])].map((part) =>
    line([{ text: part, tone: "error" }], width, toggle, 2),
  )
}

/** Another tool's rule names it; a pack's stands in the pack's group. */
function summaryOf({ source, scope, summary }: Entry): string {
  if (source === undefined || scope.startsWith("pack:")) return summary
  return summary === "" ? source : `${source}: ${summary}`
}

function detailRows(entry: Entry, width: number): Row[] {
  const texts: [string, Tone][] = [
    ...[statusWords(entry), ...differenceWords(entry.difference)].map((text): [string, Tone] => [text, "text"]),
    ...entry.details.map((text): [string, Tone] => [text, "textMuted"]),
    ...entry.problems.map((text): [string, Tone] => [text, text.startsWith("error") ? "error" : "warning"]),
  ]
  return texts.flatMap(([text, tone]) => paragraph(text, tone, width, 2))
}

function statusWords({ standing, status, onRequest }: Entry): string {
  const isAsked = !isMatchedStatus(status)
  if (isAsked && onRequest === "named") return "on request: an index in the conversation names it"
  if (isAsked && onRequest === "unnamed") return "on request, without a description: the model never sees it"
  if (standing === "broken" && status === undefined) return "broken: never matches"
  const words: Readonly<Record<RuleStatus, string>> = {
    unmatched: "not matched yet",
    pending: "matched, pending: in each request until it is stored",
    delivered: "matched, delivered",
    transient: "matched, transient: in the latest request",
  }
  return words[status ?? "unmatched"]
}

function differenceWords(difference: Difference): string[] {
  if (difference === "edited") return ["edited: this session keeps the version that it began with"]
  if (difference === "new") return ["new: this session began without this version, and new sessions have it"]
  return difference === "removed" ? ["removed: this session keeps it"] : []
}

function title(width: number): Row {
  return line([{ text: SECTION_NAME, tone: "text", bold: true }], width, undefined)
}

/** A text of any length, in as many lines as it takes. */
function paragraph(text: string, tone: Tone, width: number, indent = 0): Row[] {
  const lines = wrap(text, Math.max(width - indent, 1))
  return lines.map((part) => ({ spans: [{ text: part, tone }], indent, toggle: undefined }))
}

/** One line: what does not fit its width is cut at the end. */
function line(spans: readonly StyledText[], width: number, toggle: string | undefined, indent = 0): Row {
  let room = width
  const fitting = spans.map((span) => {
    const text = shorten(span.text, room)
    room -= columnsOf(text)
    return { ...span, text }
  })
  return { spans: fitting, indent, toggle }
}
