import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import { listed, visible } from "@opencode-rulebook/rule-schema/authoring"
import type { SessionHistory } from "../../receipts/history.ts"
import { counted } from "../../receipts/words.ts"
import { adherence, type Figures, type RuleFigures } from "../figures.ts"
import type { Findings } from "../findings.ts"
import { SECTIONS } from "../sections.ts"
import { percent } from "../text.ts"
import type { PageData, PageFinding, PageItem, PageRule } from "./data.ts"
import { pageSession } from "./session.ts"

export interface PageInput {
  /** Its root, absolute. */
  readonly project: string
  readonly madeAt: number
  readonly figures: Figures
  readonly findings: Findings
  /** The sessions that are shown in full, newest first. */
  readonly shown: readonly SessionHistory[]
  /** The rules on disk by identity. */
  readonly onDisk: ReadonlyMap<string, CompiledRule>
  /** What was left out. */
  readonly notes: readonly string[]
}

/** Puts together what the page shows. */
export function pageData({ project, madeAt, figures, findings, shown, onDisk, notes }: PageInput): PageData {
  const places = new Map<RuleId, number>(figures.rules.map(({ id }, index) => [id, index]))
  const { startedAt, endedAt, sessions, requests, tokens } = figures
  return {
    ...{ project: visible(project), madeAt, startedAt, endedAt, sessions, requests },
    tokens: average(tokens, requests),
    rules: figures.rules.map((rule) => pageRule(rule, findings)),
    findings: findingsOf(figures, findings, places).filter(({ items }) => items.length > 0),
    days: figures.days.map((day) => ({ ...day, tokens: average(day.tokens, day.requests) })),
    shown: shown.map((session) => pageSession(session, { root: project, places, onDisk })),
    notes,
  }
}

function pageRule(rule: RuleFigures, { onDisk }: Findings): PageRule {
  const { id, name, lifetime, activation, sessions, matched, carried, cost, forbidden, followed, tokens, stopped } =
    rule
  return {
    ...{ id: visible(id), name: visible(name), lifetime, activation, isOnDisk: onDisk.has(id) },
    ...{ sessions, matched, carried, cost, forbidden, followed, tokens, adherence: adherence(rule) },
    stopped: stopped.blocked + stopped.held + stopped.refused,
  }
}

function findingsOf(
  { broken }: Figures,
  findings: Findings,
  places: ReadonlyMap<RuleId, number>,
): readonly PageFinding[] {
  const item = (rule: RuleFigures, note: string): PageItem => {
    const place = places.get(rule.id)
    return { text: visible(rule.name), note, ...(place !== undefined && { rule: place }) }
  }
  return [
    {
      ...SECTIONS.dead,
      items: findings.dead.map((rule) => item(rule, `in ${counted(rule.sessions, "session")}`)),
    },
    {
      ...SECTIONS.always,
      items: findings.always.map((rule) => item(rule, `in ${counted(rule.sessions, "session")}`)),
    },
    {
      ...SECTIONS.together,
      items: findings.together.map((rules) => ({
        text: listed(rules.map(({ name }) => visible(name))),
        note: `in ${counted(rules[0]?.matched ?? 0, "session")}`,
      })),
    },
    {
      ...SECTIONS.broken,
      items: findings.broken.map((rule) => item(rule, `kept ${percent(adherence(rule))}`)),
    },
    {
      ...SECTIONS.expensive,
      items: findings.expensive.map((rule) => item(rule, `${rule.cost.toLocaleString("en")} tokens`)),
    },
    {
      ...SECTIONS.unreadable,
      items: broken.map(({ id, sessions }) => ({ text: visible(id), note: `in ${counted(sessions, "session")}` })),
    },
    {
      ...SECTIONS.withoutRule,
      items: findings.withoutRule.map(({ pattern, files, touched }) => ({
        text: visible(pattern),
        note: files === 1 ? `touched ${touched}×` : `${counted(files, "file")}, touched ${touched}×`,
      })),
    },
  ]
}

function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round(sum / count)
}
