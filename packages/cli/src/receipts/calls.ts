import { type DidCall, groupBy } from "@opencode-rulebook/rule-schema"
import { listed, visible } from "@opencode-rulebook/rule-schema/authoring"

/** How many paths of one tool's calls are shown. */
const SHOWN_PATHS = 4

/** Calls of one tool, on one line. */
export interface CallLine {
  readonly text: string
  /** Whether a rule stopped them. */
  readonly isStopped: boolean
}

/** What the agent did, a line for each tool: `read src/a.rs, src/b.rs`, `✗ bash`. */
export function callLines(did: readonly DidCall[]): readonly CallLine[] {
  const groups = groupBy(did, ({ tool, stopped }) => `${stopped ? "✗ " : ""}${visible(tool)}`)
  return Array.from(groups, ([name, calls]) => {
    const paths = [...new Set(calls.flatMap(({ paths: own }) => own))].map(visible)
    const times = calls.length > 1 ? ` ×${calls.length}` : ""
    const text = paths.length === 0 ? `${name}${times}` : `${name} ${listed(paths, SHOWN_PATHS)}`
    return { text, isStopped: calls[0]?.stopped === true }
  })
}
