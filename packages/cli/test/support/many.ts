import type { Change, DidCall, MatchedBy, ReceiptRule, ReceiptVerdict } from "@opencode-rulebook/rule-schema"
import { NOON, receiptRule, type SessionScript, script } from "./receipts.ts"

/** When a rule of the made-up project comes. */
type By =
  | { readonly kind: "always" | "prompt" | "agent" | "hook" | "never" }
  | { readonly kind: "file"; readonly folder: string; readonly ending: string }

/** A rule of a made-up project. */
export interface MadeRule {
  readonly rule: ReceiptRule
  readonly text: string
  readonly tokens: number
  readonly by: By
}

/** The project's folders, with the files that agents read and change there. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "src/api": ["ts"],
  "src/db": ["sql", "ts"],
  "src/ui": ["tsx", "css"],
  "src/auth": ["ts"],
  tests: ["ts"],
  docs: ["md"],
  scripts: ["sh", "py"],
  infra: ["yaml"],
  "src/jobs": ["ts"],
  "src/mail": ["tsx", "ts"],
}
const FILES = ["index", "user", "order", "invoice", "session", "report", "search"]

const file = (folder: string, ending: string): By => ({ kind: "file", folder, ending })
const KINDS: readonly (readonly [name: string, tokens: number, by: By])[] = [
  ["House style", 180, { kind: "always" }],
  ["API errors", 96, file("src/api", "ts")],
  ["Migrations", 140, file("src/db", "sql")],
  ["Accessibility", 210, file("src/ui", "tsx")],
  ["Sessions and tokens", 124, file("src/auth", "ts")],
  ["While building", 44, { kind: "agent" }],
  ["Fixtures", 58, file("tests", "ts")],
  ["Java", 320, { kind: "never" }],
  ["Documents", 72, file("docs", "md")],
  ["Deploying", 88, { kind: "prompt" }],
  ["Shell scripts", 66, file("scripts", "sh")],
  ["Infrastructure", 132, file("infra", "yaml")],
  ["Jobs", 54, file("src/jobs", "ts")],
  ["Mails", 78, file("src/mail", "tsx")],
  ["Colours", 40, file("src/ui", "css")],
  ["No force pushes", 36, { kind: "hook" }],
]

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The rules of a made-up project. From the 17th on they are like the first 16, with a number. */
export function madeRules(count: number): readonly MadeRule[] {
  return Array.from({ length: count }, (_, index): MadeRule => {
    const [base, tokens, by] = KINDS[index % KINDS.length] ?? ["", 0, { kind: "never" }]
    const name = index < KINDS.length ? base : `${base} ${Math.floor(index / KINDS.length) + 1}`
    const rule = receiptRule(`${name.toLowerCase().replaceAll(" ", "-")}.md`, { name, ...kindOf(by) })
    return { rule, tokens, by, text: `---\nname: ${name}\n${frontmatterOf(by)}---\n${"Guidance. ".repeat(4)}\n` }
  })
}

function kindOf({ kind }: By): Pick<ReceiptRule, "activation" | "lifetime"> {
  const activation = kind === "always" ? "always" : kind === "hook" ? "hooks" : "conditions"
  return { activation, lifetime: kind === "agent" ? "transient" : "durable" }
}

function frontmatterOf(by: By): string {
  switch (by.kind) {
    case "always":
      return ""
    case "agent":
      return "agent: build\n"
    case "prompt":
      return "keywords: [deploy]\n"
    case "hook":
      return "hooks: { type: PreToolUse, tool: bash, match: --force, block: true }\n"
    case "never":
      return "globs: '**/*.java'\n"
    case "file":
      return `globs: ${by.folder}/**/*.${by.ending}\n`
    default:
      return by satisfies never
  }
}

export interface MadeOptions {
  readonly directory: string
  /** How many minutes lie between two sessions. */
  readonly gap?: number
}

/**
 * One session of a made-up project: some turns, in each of which the agent reads and edits some files.
 *
 * @param index 0 is the newest session.
 */
export function madeSession(
  rules: readonly MadeRule[],
  index: number,
  { directory, gap = 41 }: MadeOptions,
): SessionScript {
  const next = random(index + 1)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T
  const at = NOON - index * gap * 60 * 1000
  const id = `ses_${(0xfffff - index).toString(36)}${Math.floor(next() * 1e9).toString(36)}`
  const session = script({ id, directory, at, every: 15_000 }).begin(rules.map(({ rule }) => rule))
  /** Undefined: matched, and not in a request yet. */
  const there = new Map<string, number | undefined>()
  const [home, guest] = [pick(Object.keys(FOLDERS)), pick(Object.keys(FOLDERS))]
  let did: DidCall[] = []
  let carried = 0
  for (let turn = 0, turns = 1 + Math.floor(next() * 4); turn < turns; turn += 1) {
    bring("always", { kind: "always" })
    bring("agent", { kind: "condition", family: "agent", seen: "build" })
    if (next() < 0.2) bring("prompt", { kind: "condition", family: "keywords" })
    request(true)
    for (let step = 0, steps = 2 + Math.floor(next() * 9); step < steps; step += 1) {
      if (next() < 0.03) stop()
      else work(next() < 0.75 ? home : guest)
      request(false)
    }
    if (turn === 2) compact()
    session.add({ kind: "verdicts", rules: verdicts() })
  }
  return session

  function work(folder: string): void {
    const ending = pick(FOLDERS[folder] ?? [])
    const path = `${folder}/${pick(FILES)}.${ending}`
    did = [{ tool: next() < 0.6 ? "read" : "edit", paths: [path] }]
    const isAbout = ({ by }: MadeRule) => by.kind === "file" && by.folder === folder && by.ending === ending
    for (const made of rules.filter(isAbout)) match(made, { kind: "condition", family: "file", seen: path })
    if (did[0]?.tool === "edit") for (const made of rules.filter(isAbout)) outcome(made, path)
  }

  /** A call that hooks stop. */
  function stop(): void {
    did = [{ tool: "bash", paths: [], stopped: true }]
    for (const { rule } of rules.filter(({ by }) => by.kind === "hook")) {
      session.add({ kind: "hook", rule: rule.id, on: "PreToolUse", tool: "bash" })
      session.add({ kind: "stopped", rule: rule.id, reason: "blocked", tool: "bash", paths: [] })
      if (!there.has(rule.id)) there.set(rule.id, undefined)
    }
  }

  function bring(kind: By["kind"], by: MatchedBy): void {
    for (const made of rules) if (made.by.kind === kind) match(made, by)
  }

  function match({ rule }: MadeRule, by: MatchedBy): void {
    if (there.has(rule.id)) return
    session.add({ kind: "matched", rule: rule.id, by: [by] })
    there.set(rule.id, undefined)
  }

  function request(prompted: boolean): void {
    const fresh = rules.filter(({ rule }) => there.has(rule.id) && there.get(rule.id) === undefined)
    carried += fresh.reduce((sum, { tokens }) => sum + tokens, 0)
    session.request({ prompted, did, tokens: carried })
    did = []
    for (const made of fresh) {
      there.set(made.rule.id, made.tokens)
      session.add(arrival(made))
    }
  }

  function arrival({ rule, tokens, by }: MadeRule): Change {
    const { id, lifetime } = rule
    if (lifetime === "transient") return { kind: "transient", rule: id, isOn: true, reason: "matched", tokens }
    const reason = by.kind === "hook" ? "hook" : "matched"
    return { kind: "delivered", rule: id, how: "stored", reason, count: 1, tokens }
  }

  function outcome({ rule }: MadeRule, path: string): void {
    if (!there.get(rule.id) || next() < 0.4) return
    const what = next()
    if (what < 0.75) session.add({ kind: "followed", rule: rule.id, path })
    else if (what < 0.92) session.add({ kind: "forbidden", rule: rule.id, path, line: 12, literal: 0 })
    else session.add({ kind: "stopped", rule: rule.id, reason: "refused", tool: "edit", paths: [path], literal: 0 })
  }

  /** The durable ones are gone, and come again. */
  function compact(): void {
    const durable = rules.filter(({ rule }) => there.get(rule.id) && rule.lifetime === "durable")
    session.request({ prompted: true, tokens: carried })
    for (const { rule, tokens } of durable) {
      session.add({ kind: "gone", rule: rule.id, reason: "compacted" })
      session.add({ kind: "delivered", rule: rule.id, how: "stored", reason: "compacted", count: 2, tokens })
    }
  }

  function verdicts(): Record<string, readonly ReceiptVerdict[]> {
    const missing = rules.filter(({ rule }) => rule.activation === "conditions" && !there.has(rule.id))
    return Object.fromEntries(
      missing.map(({ rule, by }): [string, readonly ReceiptVerdict[]] => [
        rule.id,
        [{ family: by.kind === "prompt" ? "keywords" : "file", met: false }],
      ]),
    )
  }
}
