import type { Facts } from "@opencode-rulebook/rule-schema"
import type { Session } from "./session.ts"

/** Where facts about the machine and the host come from. A source that can't tell answers undefined; none may reject. */
export interface FactSources {
  readonly os: string
  readonly ci: boolean
  project(): Promise<ReadonlySet<string> | undefined>
  branch(): Promise<string | undefined>
  /** Names of the tools and `mcp_<server>` of the MCP servers that a session's next dispatch offers to its model. */
  tools(sessionID: string): Promise<ReadonlySet<string> | undefined>
}

/** The facts that durable families need: what the session has seen and what does not change while the plugin runs. */
export async function durableFacts(session: Session, sources: FactSources): Promise<Facts> {
  const { declared } = session
  return {
    observed: session.observations.met,
    ...session.turn,
    project: declared.has("project") ? await sources.project() : undefined,
    os: sources.os,
    ci: sources.ci,
    branch: undefined,
    tools: undefined,
  }
}

/** All facts, fresh, for one dispatch. A source is asked only when a rule declares its family. */
export async function dispatchFacts(session: Session, sources: FactSources): Promise<Facts> {
  const { declared } = session
  const [durable, branch, tools] = await Promise.all([
    durableFacts(session, sources),
    declared.has("branch") ? sources.branch() : undefined,
    declared.has("tools") ? sources.tools(session.id) : undefined,
  ])
  return { ...durable, branch, tools }
}
