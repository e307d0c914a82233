import type { CompiledRule } from "@opencode-rulebook/rule-schema"
import type { PlayedCall, Stop } from "../play/play.ts"

/** A literal that a call would add, or has added, and that a rule forbids. */
export interface ForbiddenText {
  readonly tool: string
  readonly literal: string
  /** The file as receipts name it: relative to the session's folder. */
  readonly path: string | undefined
  /** From 1; undefined where it is not known. */
  readonly line: number | undefined
}

/** What a rule did to the calls of a turn. */
export interface Effects {
  /** The tools whose calls its hooks reject, each once. */
  readonly blocks: readonly string[]
  /** The tools whose calls are held until the model has it, each once. */
  readonly holds: readonly string[]
  /** For what it refuses calls. */
  readonly refuses: readonly ForbiddenText[]
  /** What calls that ran have added of what it forbids. */
  readonly forbidden: readonly ForbiddenText[]
}

export function effectsOf(rule: CompiledRule, calls: readonly PlayedCall[]): Effects {
  return {
    blocks: toolsStopped(calls, rule, "blocked"),
    holds: toolsStopped(calls, rule, "held"),
    refuses: calls.flatMap(({ tool, stops }) =>
      stops
        .filter((stop) => isOf(rule, "refused", stop))
        .map(({ literal, line, paths }) => {
          const [path, other] = paths
          // Of several files nothing says which one it is.
          const place = other === undefined ? { path, line } : { path: undefined, line: undefined }
          return { tool, literal: literalOf(rule, literal), ...place }
        }),
    ),
    forbidden: calls.flatMap(({ tool, breaks }) =>
      breaks
        .filter((one) => one.rule === rule.id)
        .map(({ literal, path, line }) => ({ tool, literal: literalOf(rule, literal), path, line })),
    ),
  }
}

/** The first of some calls that a rule stopped without a hook's say, and the reason. */
export function stoppedFirst(
  rule: CompiledRule,
  calls: readonly PlayedCall[],
): { readonly call: PlayedCall; readonly reason: "held" | "refused" } | undefined {
  for (const call of calls) {
    for (const reason of ["held", "refused"] as const) {
      if (call.stops.some((stop) => isOf(rule, reason, stop))) return { call, reason }
    }
  }
  return undefined
}

function toolsStopped(calls: readonly PlayedCall[], rule: CompiledRule, reason: Stop["reason"]): readonly string[] {
  const stopped = calls.filter(({ stops }) => stops.some((stop) => isOf(rule, reason, stop)))
  return [...new Set(stopped.map(({ tool }) => tool))]
}

function isOf({ id }: CompiledRule, reason: Stop["reason"], stop: Stop): boolean {
  return stop.rule === id && stop.reason === reason
}

function literalOf({ forbid = [] }: CompiledRule, index = 0): string {
  return forbid[index] ?? ""
}
