import type { RuleId } from "@opencode-rulebook/rule-schema"
import { carriedBy, newestRequest, type RuleHistory, type SessionHistory, type Step } from "../receipts/history.ts"
import { dayOf } from "../receipts/words.ts"
import type { DayFigures, Figures, RuleFigures } from "./figures.ts"
import { createTouchedFiles } from "./touched.ts"

type Open<T> = { -readonly [Key in keyof T]: T[Key] }
type OpenRule = Open<Omit<RuleFigures, "moments" | "stopped">> & {
  readonly stopped: Open<RuleFigures["stopped"]>
  readonly moments: string[]
}

/** Adds sessions up, one after another. */
export interface Aggregate {
  /**
   * @param skipped lines of its file that are not receipts of this version.
   */
  add(session: SessionHistory, skipped: number): void
  /** Counts a file that names no session. */
  skip(): void
  end(): Figures
}

/**
 * Keeps figures only, however many sessions there are.
 *
 * @param root the project's root, absolute.
 */
export function createAggregate(root: string): Aggregate {
  const rules = new Map<RuleId, OpenRule>()
  const broken = new Map<RuleId, number>()
  const days = new Map<string, Open<DayFigures>>()
  const files = createTouchedFiles(root)
  const totals = { sessions: 0, requests: 0, tokens: 0, startedAt: Number.POSITIVE_INFINITY, endedAt: 0 }
  const skipped = { lines: 0, files: 0, full: 0 }

  return {
    add(session, lines) {
      totals.sessions += 1
      totals.startedAt = Math.min(totals.startedAt, session.startedAt)
      totals.endedAt = Math.max(totals.endedAt, session.endedAt)
      skipped.lines += lines
      skipped.full += Number(session.isFull)
      addDay(session)
      for (const id of session.broken) broken.set(id, (broken.get(id) ?? 0) + 1)
      files.add(session)
      const newest = newestRequest(session)
      if (newest === 0) return
      for (const rule of session.rules.values()) addRule(rule, newest)
      for (const step of session.steps) addOutcomes(step)
    },
    skip() {
      skipped.files += 1
    },
    end() {
      return {
        ...totals,
        rules: Array.from(rules.values(), (rule) => ({ ...rule, moments: rule.moments.join(" ") })),
        broken: Array.from(broken, ([id, sessions]) => ({ id, sessions })).toSorted((a, b) => b.sessions - a.sessions),
        days: Array.from(days.values()).toSorted((a, b) => (a.day < b.day ? -1 : 1)),
        ...files.end(),
        skipped,
      }
    },
  }

  function addDay({ startedAt, steps }: SessionHistory): void {
    const day = dayOf(startedAt)
    const figures = days.get(day) ?? { day, sessions: 0, requests: 0, tokens: 0 }
    days.set(day, figures)
    const sent = steps.filter(({ isSent }) => isSent)
    const tokens = sent.reduce((sum, step) => sum + step.tokens, 0)
    figures.sessions += 1
    for (const sum of [figures, totals]) {
      sum.requests += sent.length
      sum.tokens += tokens
    }
  }

  function addRule(rule: RuleHistory, newest: number): void {
    const figures = figuresOf(rule)
    const { requests, tokens } = carriedBy(rule, newest)
    figures.sessions += 1
    figures.arrivals += rule.arrivals.length
    figures.carried += requests
    figures.cost += tokens
    figures.throughout += Number(requests === newest)
    // The newest session is the first. Of a rule that was there before, the size is not known.
    figures.tokens ??= rule.arrivals.findLast((arrival) => arrival.tokens > 0)?.tokens
    const moment = rule.matchedAfter ?? rule.arrivals[0]?.request
    if (moment === undefined) return
    figures.matched += 1
    figures.moments.push(`${totals.sessions}:${moment}`)
  }

  function addOutcomes({ stopped, forbidden, followed }: Step): void {
    for (const { rule, reason } of stopped) {
      const figures = rules.get(rule)
      if (figures) figures.stopped[reason] += 1
    }
    for (const change of [...forbidden, ...followed]) {
      const figures = rules.get(change.rule)
      if (figures) figures[change.kind] += 1
    }
  }

  function figuresOf({ id, name, lifetime, activation }: RuleHistory): OpenRule {
    const known = rules.get(id)
    if (known) return known
    const figures: OpenRule = {
      ...{ id, name, lifetime, activation, tokens: undefined, moments: [] },
      ...{ sessions: 0, matched: 0, throughout: 0, arrivals: 0, carried: 0, cost: 0, forbidden: 0, followed: 0 },
      stopped: { blocked: 0, held: 0, refused: 0 },
    }
    rules.set(id, figures)
    return figures
  }
}
