import type { Change, RuleId, StoppedChange } from "@opencode-rulebook/rule-schema"
import { notedTool } from "../cause.ts"
import type { Judgement } from "../forbid.ts"

/** A rule that stopped a call, why, and of one that refused it which of its `forbid` entries. */
export interface StoppingRule {
  readonly id: RuleId
  readonly reason: StoppedChange["reason"]
  readonly literal?: number | undefined
  readonly line?: number | undefined
}

/** @param paths the files that the call names, as they are noted. */
export function stoppedChanges(
  rules: readonly StoppingRule[],
  tool: string,
  paths: readonly string[],
): readonly StoppedChange[] {
  return rules.map(({ id, reason, literal, line }) => {
    const which = { ...(literal !== undefined && { literal }), ...lineOf(line) }
    return { kind: "stopped", rule: id, reason, tool: notedTool(tool), paths, ...which }
  })
}

/** @param pathOf how paths are noted. */
export function judgedChanges(
  { rule: { id }, path, added }: Judgement,
  pathOf: (path: string) => string,
): readonly Change[] {
  const own = pathOf(path)
  if (added.length === 0) return [{ kind: "followed", rule: id, path: own }]
  return added.map(({ literal, line }) => ({ kind: "forbidden", rule: id, path: own, literal, ...lineOf(line) }))
}

function lineOf(line: number | undefined): { readonly line?: number } {
  return line === undefined ? {} : { line }
}
