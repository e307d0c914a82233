import type { Figures, RuleFigures } from "../../src/report/figures.ts"
import { ruleId } from "./receipts.ts"

/** A durable rule with conditions that four sessions had, and that never came. */
export function ruleFigures(path: string, rest: Partial<RuleFigures> = {}): RuleFigures {
  return {
    ...{ id: ruleId(path), name: path.replace(".md", ""), lifetime: "durable", activation: "conditions", sessions: 4 },
    ...{ matched: 0, throughout: 0, arrivals: 0, tokens: undefined, carried: 0, cost: 0 },
    ...{ stopped: { blocked: 0, held: 0, refused: 0 }, forbidden: 0, followed: 0, moments: "" },
    ...rest,
  }
}

/** Nine sessions of three days. */
export function figures(rest: Partial<Figures> = {}): Figures {
  return {
    ...{ sessions: 9, requests: 1200, tokens: 435_000 },
    ...{ startedAt: Date.UTC(2026, 10, 28, 9), endedAt: Date.UTC(2026, 10, 30, 17, 30) },
    ...{ rules: [], broken: [], days: [], files: [], hasMoreFiles: false, skipped: { lines: 0, files: 0, full: 0 } },
    ...rest,
  }
}
