import { basename } from "node:path"
import {
  type BrokenRule,
  type CompiledRule,
  createSnapshotReader,
  type DescriptionOptions,
  describeConditions,
  formatProblem,
  groupBy,
  isWithin,
  type MatchedRuleState,
  originLabel,
  type Rulebook,
  type RuleDirectory,
  type RuleProblem,
  type RuleStatus,
  ruleLifetime,
  type Scope,
  summariseConditions,
  visible,
} from "@opencode-rulebook/rule-schema"

/** How a rule on disk stands to the session's snapshot of it. */
export type Difference = "none" | "edited" | "new" | "removed"

/** One line of the list, as the view-model sees it. All texts are without control characters. */
export interface Entry {
  readonly id: string
  readonly scope: Scope
  /** Where it comes from, when not from one of OpenCode's own places. */
  readonly source: string | undefined
  /** Whether it is left to the model's judgement; "unnamed" without a description. */
  readonly onRequest: "named" | "unnamed" | undefined
  readonly name: string
  readonly standing: "matched" | "broken" | "unmatched"
  /** The session's status of it; undefined when its state does not name it. */
  readonly status: RuleStatus | undefined
  /** About how many tokens its text has in the requests; undefined when none carries it. */
  readonly tokens: number | undefined
  readonly difference: Difference
  /** One line: its conditions, or what is wrong. */
  readonly summary: string
  readonly details: readonly string[]
  readonly problems: readonly string[]
}

/** What the rules on disk and a session's state say together. */
export interface RulesOnDisk {
  readonly rulebook: Rulebook
  readonly directories: readonly RuleDirectory[]
  /** Undefined: nothing has been matched yet. */
  readonly state: MatchedRuleState | undefined
}

/** What a session's state says of rules. */
interface Snapshot {
  readonly matched: ReadonlyMap<string, MatchedRuleState["rules"][number]>
  /** The families that are met, of rules with `match: all` that are not matched. */
  readonly partlyMet: ReadonlyMap<string, ReadonlySet<string>>
  readonly verdictOn: ReturnType<typeof createSnapshotReader>
}

const DIFFERENCES = { same: "none", edited: "edited", unknown: "new" } as const

/** The order in which people count: `2-b.md` before `10-a.md`. */
const byNumbers = new Intl.Collator("en", { numeric: true })

/** Every rule, broken ones and ones that only the session still has included; matched ones first, then broken ones. */
export function entriesOf({ rulebook, directories, state }: RulesOnDisk): Entry[] {
  const options = { projectCommands: state?.projectCommands }
  const snapshot: Snapshot | undefined = state && {
    matched: new Map(state.rules.map((rule) => [rule.id, rule])),
    partlyMet: new Map((state.partlyMet ?? []).map(({ id, met }) => [id, new Set(met)])),
    verdictOn: createSnapshotReader(state),
  }
  const found = new Set<string>([...rulebook.rules, ...rulebook.broken].map((rule) => rule.id))
  const files = new Set([...rulebook.rules, ...rulebook.broken].map((rule) => rule.file))
  const warnings = groupBy(rulebook.problems, (problem) => problem.file)
  const entries = [
    ...rulebook.rules.map((rule) => ruleEntry(rule, snapshot, warnings.get(rule.file) ?? [], directories, options)),
    ...rulebook.broken.map((rule) => brokenEntry(rule, snapshot, directories)),
    ...rulebook.problems.filter(({ file }) => !files.has(file)).map((problem) => placeEntry(problem, directories)),
    ...(state?.rules ?? []).filter(({ id }) => !found.has(id)).map(removedEntry),
  ]
  const named = withDistinctNames(entries)
  const ranks = { matched: 0, broken: 1, unmatched: 2 }
  return named.toSorted((a, b) => ranks[a.standing] - ranks[b.standing] || byNumbers.compare(a.id, b.id))
}

/** Rules of one group that have one name get as much of their paths with it as tells them apart: `web/css` and `api/css`. */
function withDistinctNames(entries: readonly Entry[]): Entry[] {
  const same = groupBy(entries, ({ scope, name }) => `${scope} ${name}`)
  return entries.map((entry) => {
    const others = (same.get(`${entry.scope} ${entry.name}`) ?? []).filter(({ id }) => id !== entry.id)
    if (others.length === 0) return entry
    const segments = segmentsOf(entry)
    const otherSegments = others.map(segmentsOf)
    const isShared = (count: number) =>
      otherSegments.some((other) => other.slice(-count).join("/") === segments.slice(-count).join("/"))
    let count = segments.at(-1) === entry.name ? 2 : 1
    while (count < segments.length && isShared(count)) count += 1
    // Files that differ in their endings only.
    const isAlike = otherSegments.some((other) => other.join("/") === segments.join("/"))
    const path = isAlike ? pathOf(entry) : segments.slice(-count).join("/")
    return { ...entry, name: segments.at(-1) === entry.name ? path : `${entry.name} (${path})` }
  })
}

/** The path of a rule's identity. */
function pathOf({ id, scope }: Entry): string {
  return visible(id.startsWith(`${scope}:`) ? id.slice(scope.length + 1) : id)
}

/** The same without the file's ending. */
function segmentsOf(entry: Entry): readonly string[] {
  return pathOf(entry)
    .replace(/\.mdc?$/i, "")
    .split("/")
}

function ruleEntry(
  rule: CompiledRule,
  snapshot: Snapshot | undefined,
  warnings: readonly RuleProblem[],
  directories: readonly RuleDirectory[],
  options: DescriptionOptions,
): Entry {
  const known = snapshot?.matched.get(rule.id)
  const verdict = snapshot?.verdictOn(rule)
  // What the session met is of the text that it has.
  const met = verdict === "same" && rule.match === "all" ? snapshot?.partlyMet.get(rule.id) : undefined
  return {
    id: rule.id,
    scope: rule.scope,
    source: sourceOf(rule),
    onRequest: onRequestOf(rule),
    name: visible(rule.name),
    standing: isMatchedStatus(known?.status) ? "matched" : "unmatched",
    status: known?.status,
    tokens: known?.tokens,
    difference: verdict === undefined ? "none" : DIFFERENCES[verdict],
    summary: [...blockedWords(known), summariseConditions(rule, { met })].join(" · "),
    details: [
      ...blockedWords(known),
      ...causeWords(known),
      ...deliveryWords(known),
      ...partlyMetWords(rule, met),
      ...describeConditions(rule, { ...options, met }),
      `match: ${rule.match}`,
      `lifetime: ${ruleLifetime(rule)}`,
      `path: ${shownPath(rule.file, directories)}`,
      ...sourceLine(rule),
    ],
    problems: warnings.map(inWords),
  }
}

type RuleState = MatchedRuleState["rules"][number]

function blockedWords(known: RuleState | undefined): string[] {
  const blocked = known?.blocked ?? 0
  return blocked > 0 ? [`blocked ${blocked} ${blocked === 1 ? "call" : "calls"}`] : []
}

function partlyMetWords({ conditions }: CompiledRule, met: ReadonlySet<string> | undefined): string[] {
  if (met === undefined) return []
  return [`${conditions.filter(({ family }) => met.has(family)).length} of ${conditions.length} conditions met`]
}

/** What made it match and when, by the clock of this machine. */
function causeWords(known: RuleState | undefined): string[] {
  if (known?.by === undefined || known.at === undefined || !isMatchedStatus(known.status)) return []
  const date = new Date(known.at)
  const time = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":")
  return [`matched by: ${visible(known.by)} at ${time}`]
}

/** Which request carried it first, how often it came, and its size. */
function deliveryWords(known: RuleState | undefined): string[] {
  if (known?.tokens === undefined || !isMatchedStatus(known.status)) return []
  const { request, tokens, count = 1 } = known
  const since = request === undefined ? [] : [`since request ${request}`]
  const again = count > 1 ? [`delivered ${count} times`] : []
  return [[...since, ...again, `about ${tokenWords(tokens)}`].join(" · ")]
}

/** "640 tokens", "12.6k tokens". */
export function tokenWords(tokens: number): string {
  const shown = tokens < 10_000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`
  return `${shown} ${tokens === 1 ? "token" : "tokens"}`
}

function brokenEntry(rule: BrokenRule, snapshot: Snapshot | undefined, directories: readonly RuleDirectory[]): Entry {
  const known = snapshot?.matched.get(rule.id)
  return {
    id: rule.id,
    scope: rule.scope,
    source: sourceOf(rule),
    onRequest: undefined,
    name: visible(rule.name),
    standing: "broken",
    status: known?.status,
    tokens: known?.tokens,
    difference: known ? "edited" : "none",
    summary: firstReason(rule.problems),
    details: [`path: ${shownPath(rule.file, directories)}`, ...sourceLine(rule)],
    problems: rule.problems.map(inWords),
  }
}

/** A folder or file that is no rule, but should have been one or held some. */
function placeEntry(problem: RuleProblem, directories: readonly RuleDirectory[]): Entry {
  return {
    id: `${problem.code}:${problem.file}`,
    scope: directories.findLast(({ path }) => isWithin(problem.file, path))?.scope ?? "project",
    source: undefined,
    onRequest: undefined,
    name: visible(basename(problem.file)),
    standing: "broken",
    status: undefined,
    tokens: undefined,
    difference: "none",
    summary: firstReason([problem]),
    details: [`path: ${shownPath(problem.file, directories)}`],
    problems: [inWords(problem)],
  }
}

function removedEntry(known: RuleState): Entry {
  const { id, status, tokens } = known
  const match = /^(global|project|pack:[^:]*):(.*)/s.exec(id)
  const path = match?.[2] ?? id
  return {
    id,
    // The expression takes scopes only.
    scope: (match?.[1] ?? "project") as Scope,
    source: undefined,
    onRequest: undefined,
    name: visible(basename(path).replace(/\.mdc?$/i, "")),
    standing: isMatchedStatus(status) ? "matched" : "unmatched",
    status,
    tokens,
    difference: "removed",
    summary: "",
    details: [...causeWords(known), ...deliveryWords(known), `path: ${visible(path)}`],
    problems: [],
  }
}

function sourceLine(rule: CompiledRule | BrokenRule): string[] {
  const source = sourceOf(rule)
  return source === undefined ? [] : [`source: ${source}`]
}

/** A source's name and version are another's text. */
function sourceOf({ origin }: CompiledRule | BrokenRule): string | undefined {
  return origin && visible(originLabel(origin))
}

function onRequestOf({ activation, description }: CompiledRule): Entry["onRequest"] {
  if (activation !== "onRequest") return undefined
  return description === undefined ? "unnamed" : "named"
}

/** Does a status of the session mean that the rule is matched? */
export function isMatchedStatus(status: RuleStatus | undefined): boolean {
  return status !== undefined && status !== "unmatched"
}

function firstReason(problems: readonly RuleProblem[]): string {
  const first = problems.find(({ severity }) => severity === "error") ?? problems[0]
  if (!first) return ""
  return visible(first.field === undefined ? first.reason : `${first.field}: ${first.reason}`)
}

/** Line, column, field, reason and remedy; the file is named beside it. */
function inWords(problem: RuleProblem): string {
  return `${problem.severity}: ${formatProblem({ ...problem, file: basename(problem.file) })}`
}

/** A path below the folder that its rules directory belongs to, for short; else the whole path. */
function shownPath(file: string, directories: readonly RuleDirectory[]): string {
  const home = directories.find(({ scope, root }) => scope === "project" && isWithin(file, root))
  return visible(home ? file.slice(home.root.length).replace(/^[\\/]/, "") : file)
}
