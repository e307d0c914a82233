import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { observeToolResult as observeResult } from "./hosts/v1/observe.ts"
import { observeToolResult } from "./hosts/v2/observe.ts"

/** What a dry run needs of the plugin: its engine, the parts of a host that stand around it, and what the machine knows. */
export { createEngine, type EngineOptions } from "./engine/engine.ts"
export type { FactSources } from "./engine/gather-facts.ts"
export type { HostPort, VisibleDelivery } from "./engine/port.ts"
export type { Turn } from "./engine/session.ts"
export type { DispatchTrace, RuleTrace } from "./engine/trace.ts"
export { gitBranch } from "./machine/branch.ts"
export { runsInCI } from "./machine/ci.ts"
export { projectTags } from "./machine/project.ts"
export { gitWorktree } from "./machine/worktree.ts"

/** The files that a call shows by its arguments alone; they are taken in the form of either major of OpenCode. */
export function observeArguments(tool: string, args: unknown): readonly FileObservation[] {
  return observeToolResult({ tool, input: args, sessionID: "" }).observations
}

/**
 * The files that a call of a stored session showed, as OpenCode v1 stores it.
 *
 * @param state the call's, with `output` and `metadata`.
 */
export function observeCall(tool: string, args: unknown, state: unknown): readonly FileObservation[] {
  return observeResult({ tool, args }, state)
}
