import {
  type MatchedRuleState,
  parseRule,
  type Rulebook,
  type RuleDirectory,
  type RuleStatus,
  type Scope,
  snapshotOf,
} from "@opencode-rulebook/rule-schema"
import type { RulesView } from "../src/rows.ts"

const PROJECT: RuleDirectory = { scope: "project", path: "/home/app/.opencode/rules", root: "/home/app", prefix: "" }
const GLOBAL: RuleDirectory = {
  scope: "global",
  path: "/home/dev/.config/opencode/rules",
  root: "/home/app",
  prefix: "",
}
const DIRECTORIES: readonly RuleDirectory[] = [GLOBAL, PROJECT]

export type RuleTexts = Readonly<Record<string, string>>
export type Statuses = Readonly<Record<string, RuleStatus>>

/** The rulebook of these files; a name that begins with `global/` is one of the user's own rules. */
export function rulebookOf(texts: RuleTexts): Rulebook {
  const parsed = Object.entries(texts).map(([name, text]) => {
    const directory = name.startsWith("global/") ? GLOBAL : PROJECT
    return parseRule({ directory, path: `${directory.path}/${name.replace(/^global\//, "")}`, text })
  })
  const rules = parsed.flatMap((entry) => (entry.kind === "rule" ? [entry.rule] : []))
  const broken = parsed.flatMap((entry) => (entry.kind === "broken" ? [entry.rule] : []))
  const problems = parsed.flatMap((entry) => (entry.kind === "rule" ? entry.problems : entry.rule.problems))
  return { rules, broken, problems, folders: [] }
}

/** A session's state: its snapshot are the rules of these texts; those that `statuses` does not name are unmatched. */
export function stateOf(texts: RuleTexts, statuses: Statuses = {}): MatchedRuleState {
  const rules = rulebookOf(texts).rules.map(({ id, digest }) => ({
    id,
    digest,
    status: statuses[nameOf(id)] ?? ("unmatched" as const),
  }))
  return { version: 1, sessionID: "ses_1", directory: "/home/app", updatedAt: 0, rules }
}

/** The same as the server part writes it now: with the matched rules only. `stateOf` has the form of earlier versions. */
export function compactStateOf(texts: RuleTexts, statuses: Statuses = {}): MatchedRuleState {
  const { rules, ...state } = stateOf(texts, statuses)
  const matched = rules.filter(({ status }) => status !== "unmatched")
  return { ...state, version: 2, snapshot: snapshotOf(rulebookOf(texts).rules), rules: matched }
}

/** What there is to show of rule files and a session's state. */
export function viewOf(texts: RuleTexts, state?: MatchedRuleState, trouble?: string): RulesView {
  return { kind: "ready", rulebook: rulebookOf(texts), directories: DIRECTORIES, state, trouble }
}

/** The toggle of a rule's row. */
export function toggleOf(name: string): string {
  const scope: Scope = name.startsWith("global/") ? "global" : "project"
  return `rule:${scope}:${name.replace(/^global\//, "")}`
}

function nameOf(id: string): string {
  return id.replace(/^project:/, "").replace(/^global:/, "global/")
}

/** The files of the demo's project, and a rule of the user's own. */
export const EXAMPLE: RuleTexts = {
  "global/answers.md": "---\nname: Short answers\n---\nBe brief.",
  "builder.md": "---\nname: While building\nagent: [build]\n---\nRun the tests.",
  "commits.md": "---\nname: Commits\nkeywords: [commit, changelog]\n---\nConventional commits.",
  "css.md": '---\nname: Stylesheets\nglobs: "*.css"\n---\nCustom properties.',
  "house-style.md": "---\nname: House style\n---\nShort functions.",
  "unsafe-rust.md": '---\nname: Unsafe Rust\nglobs: "**/*.rs"\nfileContains: "unsafe {"\n---\nSay why.',
}
