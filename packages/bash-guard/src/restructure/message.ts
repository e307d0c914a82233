import type { RestructureSettings } from "../config/settings.ts"
import type { Counts, Excess } from "./counts.ts"

export interface RestructureRequest {
  /** Why a person would be asked, in one line. */
  readonly why: string
  readonly counts: Counts
  readonly excess: Excess
  readonly limits: RestructureSettings
  /** The command one per line, when that is known to mean the same. */
  readonly rewritten: string | undefined
}

/** The text that the model reads in place of the command's output: what is too much, and both forms that pass. */
export function restructureMessage({ why, counts, excess, limits, rewritten }: RestructureRequest): string {
  const problems = [
    ...(excess.segments ? [`${counts.segments} commands on one line (limit ${limits.max_segments})`] : []),
    ...(excess.depth ? [`commands nested ${counts.depth} deep (limit ${limits.max_depth})`] : []),
  ]
  const lines = [
    `Not run: this command needs a person's approval (${why}), and it is too hard to review: ${problems.join(", and ")}.`,
    "Send it again in one of these forms; each command is then checked on its own:",
    "1. Separate calls: one command per call.",
    `2. A multi-line script: one command per line${nesting(excess, limits)}.`,
  ]
  if (excess.depth) {
    lines.push(
      'To nest less, put an inner result into a variable on a line of its own (`name=$(command)`) and use `"$name"`, or run the inner command first in a call of its own and write out what it printed.',
    )
  }
  return rewritten === undefined ? lines.join("\n") : `${lines.join("\n")}\nFor this command:\n${rewritten}`
}

function nesting(excess: Excess, limits: RestructureSettings): string {
  if (!excess.depth) return ""
  return limits.max_depth === 1
    ? ", without `$(…)`, backticks, `eval` or `sh -c`"
    : `, nested no more than ${limits.max_depth} deep`
}
