import type { FileObservation } from "@opencode-rulebook/rule-schema"
import type { StartingCall } from "./engine/held-calls.ts"
import type { StoredCall, StoredSession } from "./hosts/shared/stored-session.ts"
import { field, text } from "./hosts/shared/untyped.ts"
import { writesOf } from "./hosts/shared/writes.ts"
import { readStoredSession as readV1Session } from "./hosts/v1/stored-session.ts"
import { observeToolResult } from "./hosts/v2/observe.ts"
import { isV2Export, readStoredSession as readV2Session } from "./hosts/v2/stored-session.ts"

/** What a dry run needs of the plugin: its engine, the parts of a host that stand around it, and what the machine knows. */
export { createEngine, type EngineOptions } from "./engine/engine.ts"
export type { FactSources } from "./engine/gather-facts.ts"
export type { HistoryPlace, HostPort, VisibleDelivery, VisibleHistory } from "./engine/port.ts"
export type { ReceiptSink } from "./engine/receipts/sink.ts"
export type { Turn } from "./engine/session.ts"
export type { DispatchTrace, RuleTrace } from "./engine/trace.ts"
export type { StoredCall, StoredEvent, StoredSession } from "./hosts/shared/stored-session.ts"
export { gitBranch } from "./machine/branch.ts"
export { runsInCI } from "./machine/ci.ts"
export { projectTags } from "./machine/project.ts"
export { gitWorktree } from "./machine/worktree.ts"

/** The files that a call shows by its arguments alone; they are taken in the form of either major of OpenCode. */
export function observeArguments(tool: string, args: unknown): readonly FileObservation[] {
  return observeToolResult({ tool, input: args, sessionID: "" }).observations
}

/** A call of a stored session as the engine takes it when it begins. */
export function startingCall(sessionID: string, { tool, args, isHosts }: StoredCall): StartingCall {
  const paths = () => observeArguments(tool, args).map(({ path }) => path)
  return { sessionID, tool, args, paths, writes: () => writesOf(tool, args), isLast: () => isHosts }
}

/**
 * Reads a session that either major of OpenCode exported.
 *
 * @param value what the export holds, as read from its JSON.
 * @param command the slash command whose subtask the session is: its parent's export tells it.
 * @returns undefined when it is no such export.
 */
export function readExport(value: unknown, command?: string): StoredSession | undefined {
  const info = field(value, "info")
  const messages = field(value, "messages")
  if (text(info, "id") === undefined || !Array.isArray(messages)) return undefined
  return isV2Export(messages) ? readV2Session(info, messages) : readV1Session(info, messages, command)
}
