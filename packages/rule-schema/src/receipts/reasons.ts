/**
 * Why a rule came, came again, did not come, or stopped a call. One name for each reason, the same word in the log, in receipts, in the
 * sidebar, in `explain` and in the documentation.
 */
export const REASONS = {
  matched: "its conditions match",
  hook: "a tool call fired one of its hooks",
  reminded: "its conditions matched anew, and enough conversation lay behind its newest delivery",
  forbidden: "a call added a literal that it forbids",
  held: "a call was held until the rule is in the conversation",
  refused: "a call was refused because it would add a literal that the rule forbids",
  blocked: "one of its hooks blocked a call",
  compacted: "a compaction took it from the conversation",
  reverted: "an undo took it from the conversation",
  ended: "its conditions no longer match",
} as const satisfies Readonly<Record<string, string>>

export type Reason = keyof typeof REASONS
