import { isoTime } from "../receipts/words.ts"
import { adherence, type Figures, type RuleFigures } from "./figures.ts"
import type { Findings } from "./findings.ts"

/** The report for programs, in the form that `docs/output.schema.json` declares. */
export function reportJson(project: string, figures: Figures, findings: Findings): object {
  const { sessions, requests, tokens, startedAt, endedAt, broken, days, skipped } = figures
  const ids = (rules: readonly RuleFigures[]) => rules.map(({ id }) => id)
  return {
    version: 1,
    project,
    sessions,
    requests,
    tokens,
    startedAt: isoTime(startedAt),
    endedAt: isoTime(endedAt),
    rules: figures.rules.map((rule) => ruleJson(rule, findings)),
    findings: {
      dead: ids(findings.dead),
      always: ids(findings.always),
      together: findings.together.map(ids),
      expensive: ids(findings.expensive),
      broken: ids(findings.broken),
      withoutRule: findings.withoutRule,
      unreadable: broken,
    },
    days,
    skipped,
  }
}

function ruleJson(rule: RuleFigures, { onDisk }: Findings): object {
  const { moments: _, tokens, ...figures } = rule
  return { ...figures, isOnDisk: onDisk.has(rule.id), tokens: tokens ?? null, adherence: adherence(rule) ?? null }
}
