import type { RestructureSettings } from "../config/settings.ts"
import type { Reading } from "../shell/reading.ts"

/** How hard a command is to review. */
export interface Counts {
  /** Every simple command with a name, also those in bodies, substitutions and scripts in strings. */
  readonly segments: number
  /** 1 at the top; each substitution and each script in a string adds one. */
  readonly depth: number
  readonly isSingleLine: boolean
}

/** The limits a command breaks. */
export interface Excess {
  readonly segments: boolean
  readonly depth: boolean
}

export function countCommands(reading: Extract<Reading, { kind: "read" }>): Counts {
  const simple = reading.commands.filter((command) => command.role === "simple" && command.words.length > 0)
  return {
    segments: simple.length,
    depth: simple.reduce((deepest, command) => Math.max(deepest, command.depth), 1),
    isSingleLine: reading.isSingleLine,
  }
}

/** The segment limit is for single-line commands; the depth limit is for all. Undefined when both are kept. */
export function excessOf(counts: Counts, limits: RestructureSettings): Excess | undefined {
  const segments = counts.isSingleLine && counts.segments > limits.max_segments
  const depth = counts.depth > limits.max_depth
  return segments || depth ? { segments, depth } : undefined
}
