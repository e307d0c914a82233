import type { CompiledRule, RuleId } from "@opencode-rulebook/rule-schema"
import type { FileWrite } from "./file-write.ts"
import { dispatchFacts, type FactSources } from "./gather-facts.ts"
import { type Hold, holdsOf } from "./hold.ts"
import type { ToolEvent } from "./hooks.ts"
import type { Session } from "./session.ts"

/** A tool call that is about to run. */
export interface StartingCall extends Omit<ToolEvent, "type"> {
  /** The files that its arguments name, for its receipts. */
  readonly paths?: () => readonly string[]
  /** What it is about to write; left out where it writes nothing. */
  readonly writes?: () => readonly FileWrite[]
  /** Whether no request follows that could bring a rule: the call's turn is over, say, or the host itself makes the call. */
  readonly isLast?: () => boolean
}

/** What a call would write. It counts for the rules of its own folder too, so those are looked for first. */
export async function writesOfCall(session: Session, { writes }: StartingCall): Promise<readonly FileWrite[]> {
  const written = writes?.() ?? []
  if (written.length === 0) return written
  const isNeeded = (rules: readonly CompiledRule[]) => rules.some(({ hold }) => hold)
  await session.nestedFolders.lookAhead(
    written.map(({ path }) => path),
    isNeeded,
  )
  return written
}

/**
 * The rules for which a call is held: it would make them match, or fires their hooks with `block: once`, and they were not in the
 * request that the model answered. None before a session's first dispatch, and none that held a call of an earlier step.
 *
 * @param writes what the call would write.
 * @param once the rules whose hooks with `block: once` the call fires.
 */
export async function findHolds(
  session: Session,
  { isLast = () => false }: StartingCall,
  writes: readonly FileWrite[],
  once: readonly CompiledRule[],
  sources: FactSources,
): Promise<readonly Hold[]> {
  if (session.dispatches === 0 || isLast()) return []
  const candidates = session.holding.candidates(writes, ({ id }) => mayHold(session, id))
  const facts = candidates.length > 0 ? await dispatchFacts(session, sources) : undefined
  const byFiles = facts ? holdsOf(candidates, session.matched, facts) : []
  const byHooks = once
    .filter(({ id }) => mayHold(session, id) && byFiles.every(({ rule }) => rule.id !== id))
    .map((rule): Hold => ({ rule, lifetime: undefined, paths: [] }))
  // The turn may have ended meanwhile.
  return isLast() ? [] : [...byFiles, ...byHooks]
}

function mayHold({ answered, heldAt, dispatches }: Session, id: RuleId): boolean {
  return !answered.has(id) && (heldAt.get(id)?.dispatch ?? dispatches) === dispatches
}

/** Notes that rules hold a call of this step. */
export function noteHolds(session: Session, holds: readonly Hold[]): void {
  const { dispatches: dispatch, consumed, heldAt } = session
  for (const { rule } of holds) heldAt.set(rule.id, { dispatch, message: consumed.at })
}

/** A rule that a compaction or an undo has taken from the conversation may hold again. */
export function forgetHolds({ heldAt }: Session, messages: readonly string[]): void {
  for (const [id, { message }] of heldAt) {
    if (message !== undefined && !messages.includes(message)) heldAt.delete(id)
  }
}
