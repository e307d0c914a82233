import type { CompiledRule } from "@opencode-rulebook/rule-schema"
import { adherence, type Figures, type RuleFigures } from "./figures.ts"
import { type FilesWithoutRule, filesWithoutRule } from "./without-rule.ts"

/** In fewer sessions, that a rule never or always matched is chance. */
export const FEWEST_SESSIONS = 3

/** How many rules are among the most expensive. */
const MOST_EXPENSIVE = 10

/** What the figures say about the rules as they are on disk. Each list begins with what matters most. */
export interface Findings {
  /** The identities of the rules that are there now. */
  readonly onDisk: ReadonlySet<string>
  /** Never matched. */
  readonly dead: readonly RuleFigures[]
  /** Have conditions, and matched in each session; of a transient one, in each request. */
  readonly always: readonly RuleFigures[]
  /** Matched in the same sessions, after the same requests. */
  readonly together: readonly (readonly RuleFigures[])[]
  /** By their tokens in all requests together. */
  readonly expensive: readonly RuleFigures[]
  /** Of rules that forbid something. */
  readonly broken: readonly RuleFigures[]
  readonly withoutRule: readonly FilesWithoutRule[]
}

/**
 * @param rules those that are on disk: of others nothing is said but their cost and how often they were broken.
 * @param root the project's root, absolute.
 */
export function findingsOf(figures: Figures, rules: readonly CompiledRule[], root: string): Findings {
  const onDisk = new Set<string>(rules.map(({ id }) => id))
  const known = figures.rules.filter(({ id, sessions }) => onDisk.has(id) && sessions >= FEWEST_SESSIONS)
  const always = known.filter(isAlways)
  return {
    onDisk,
    dead: by(known.filter(isDead), ({ sessions }) => sessions),
    always: by(always, ({ cost }) => cost),
    together: groupsOf(known.filter((rule) => !always.includes(rule))),
    expensive: by(
      figures.rules.filter(({ cost }) => cost > 0),
      ({ cost }) => cost,
    ).slice(0, MOST_EXPENSIVE),
    broken: by(figures.rules.filter(isBroken), ({ forbidden, stopped }) => forbidden + stopped.refused),
    withoutRule: filesWithoutRule(figures.files, rules, root),
  }
}

/** A rule on request never matches, and one without conditions always does. */
function isDead({ matched, activation }: RuleFigures): boolean {
  return matched === 0 && (activation === "conditions" || activation === "hooks")
}

function isAlways({ activation, lifetime, sessions, matched, throughout }: RuleFigures): boolean {
  return activation === "conditions" && (lifetime === "durable" ? matched : throughout) === sessions
}

function isBroken(rule: RuleFigures): boolean {
  const kept = adherence(rule)
  return kept !== undefined && kept < 1
}

/** Rules that could be one: of one scope and lifetime. */
function groupsOf(rules: readonly RuleFigures[]): readonly (readonly RuleFigures[])[] {
  const groups = new Map<string, RuleFigures[]>()
  for (const rule of rules) {
    if (rule.activation !== "conditions" || rule.matched < FEWEST_SESSIONS) continue
    const scope = rule.id.slice(0, rule.id.indexOf(":"))
    const key = JSON.stringify([scope, rule.lifetime, rule.moments])
    groups.set(key, [...(groups.get(key) ?? []), rule])
  }
  return Array.from(groups.values())
    .filter(({ length }) => length > 1)
    .toSorted((a, b) => (b[0]?.matched ?? 0) - (a[0]?.matched ?? 0))
}

function by(rules: readonly RuleFigures[], figure: (rule: RuleFigures) => number): readonly RuleFigures[] {
  return rules.toSorted((a, b) => figure(b) - figure(a))
}
