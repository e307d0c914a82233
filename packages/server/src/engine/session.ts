import type { Facts, Rulebook, RuleId } from "@opencode-rulebook/rule-schema"
import { createFileObservations, type FileObservations } from "./file-observations.ts"
import { createWorkingContext, type WorkingContext } from "./working-context.ts"

export type ModelRef = NonNullable<Facts["model"]>

/** What one session has seen. Knows nothing of delivery. */
export interface Session {
  readonly id: string
  /** The rules as they were at the session's first evaluation. */
  readonly rulebook: Rulebook
  readonly observations: FileObservations
  readonly workingContext: WorkingContext
  /** Durable rules that have become matched: for good. */
  readonly matched: Set<RuleId>
  /** Transient rules that a hook activated, for the next dispatch only. */
  readonly activatedOnce: Set<RuleId>
  /** What of them the latest dispatch took, and the newest message that it showed. */
  consumed: { readonly at: string | undefined; readonly rules: ReadonlySet<RuleId> }
  /** Transient rules in the latest dispatch. */
  transient: ReadonlySet<RuleId>
  /** The newest prompt's facts. */
  turn: Turn
  /** How many dispatches there have been. */
  dispatches: number
}

export interface Turn {
  readonly prompt: string | undefined
  readonly command: string | undefined
  readonly agent: string | undefined
  readonly model: ModelRef | undefined
}

const NO_TURN: Turn = { prompt: undefined, command: undefined, agent: undefined, model: undefined }

/**
 * A session as it begins.
 *
 * @param id the host's session id.
 * @param directory the folder that relative paths start from, absolute.
 * @param load takes the snapshot of the rules.
 */
export async function createSession(id: string, directory: string, load: () => Promise<Rulebook>): Promise<Session> {
  const rulebook = await load()
  return {
    id,
    rulebook,
    observations: createFileObservations(rulebook.rules, directory),
    workingContext: createWorkingContext(),
    matched: new Set(),
    activatedOnce: new Set(),
    consumed: { at: undefined, rules: new Set() },
    transient: new Set(),
    turn: NO_TURN,
    dispatches: 0,
  }
}
