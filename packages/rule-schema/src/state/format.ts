import { createHash } from "node:crypto"
import { type } from "arktype"

/** transient: in the current dispatch. pending: matched, not yet persisted. */
export type RuleStatus = "unmatched" | "pending" | "delivered" | "transient"

/** What the sidebar reads of one session. `updatedAt` is in milliseconds since 1970. */
export interface MatchedRuleState {
  readonly version: 1
  readonly sessionID: string
  readonly directory: string
  readonly updatedAt: number
  /** Whether `run` commands of the project's rules run. Absent in states of earlier versions. */
  readonly projectCommands?: boolean
  readonly rules: readonly { readonly id: string; readonly digest: string; readonly status: RuleStatus }[]
}

const schema = type({
  version: "1",
  sessionID: "string",
  directory: "string",
  updatedAt: "number",
  "projectCommands?": "boolean",
  rules: type({
    id: "string",
    digest: "string",
    status: "'unmatched' | 'pending' | 'delivered' | 'transient'",
  }).array(),
})

/** The state in a file's text, or undefined: half-written, foreign, of another version. */
export function parseState(text: string): MatchedRuleState | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const state = schema(value)
  return state instanceof type.errors ? undefined : state
}

/** A file name that any session id is safe in. Ids with other than letters, digits, `_` and `-` are told apart by a digest. */
export function stateFileName(sessionID: string): string {
  if (/^[A-Za-z0-9][\w-]{3,99}$/.test(sessionID)) return `${sessionID}.json`
  const readable = sessionID.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)
  return `x-${readable}-${createHash("sha256").update(sessionID).digest("hex").slice(0, 16)}.json`
}

/** Is this one of our files: a state, or one that was being written? */
export function isStateFile(name: string): "state" | "temporary" | undefined {
  if (/^[A-Za-z0-9][\w-]*\.json$/.test(name)) return "state"
  return /^\.[A-Za-z0-9][\w-]*\.json\.[0-9a-f-]+\.tmp$/.test(name) ? "temporary" : undefined
}
