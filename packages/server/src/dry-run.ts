/** What a dry run needs of the plugin: the same sessions, facts and hooks, without a host. */
export { dispatchFacts, durableFacts, type FactSources } from "./engine/gather-facts.ts"
export { blockMessage, fireHooks, type ToolEvent } from "./engine/hooks.ts"
export { createSession, type Session, type Turn } from "./engine/session.ts"
export { gitBranch } from "./machine/branch.ts"
export { runsInCI } from "./machine/ci.ts"
export { projectTags } from "./machine/project.ts"
