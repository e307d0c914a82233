import type { Facts } from "@opencode-rulebook/rule-schema"
import type { Session } from "./session.ts"

/** Where facts about the machine and the host come from. A source that can't tell answers undefined; none may reject. */
export interface FactSources {
  readonly os: string
  readonly ci: boolean
  /** The same object as long as nothing changes. */
  project(): Promise<ReadonlySet<string> | undefined>
  branch(): Promise<string | undefined>
  /** Names of the tools and `mcp_<server>` of the MCP servers that a session's next dispatch offers to its model. */
  tools(sessionID: string): Promise<ReadonlySet<string> | undefined>
}

/**
 * The facts that durable families need: what the session has seen, and what the machine is. A project's tags are asked for once in a turn;
 * what changes them within one is seen by its next dispatch.
 */
export async function durableFacts(session: Session, sources: FactSources): Promise<Facts> {
  const { turn, declared, project } = session
  const isKnown = !declared.has("project") || project?.turn === turn
  return factsOf(session, sources, isKnown ? project?.tags : await askProject(session, sources))
}

/** All facts, fresh, for one dispatch. A source is asked only when a rule declares its family. */
export async function dispatchFacts(session: Session, sources: FactSources): Promise<Facts> {
  const { declared } = session
  const [project, branch, tools] = await Promise.all([
    declared.has("project") ? askProject(session, sources) : undefined,
    declared.has("branch") ? sources.branch() : undefined,
    declared.has("tools") ? sources.tools(session.id) : undefined,
  ])
  return { ...factsOf(session, sources, project), branch, tools }
}

async function askProject(session: Session, sources: FactSources): Promise<ReadonlySet<string> | undefined> {
  const { turn } = session
  const tags = await sources.project()
  session.project = { turn, tags }
  return tags
}

function factsOf(session: Session, { os, ci }: FactSources, project: ReadonlySet<string> | undefined): Facts {
  return { observed: session.observations.met, ...session.turn, project, os, ci, branch: undefined, tools: undefined }
}
