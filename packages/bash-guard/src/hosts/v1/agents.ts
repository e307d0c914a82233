import type { PluginInput } from "@opencode-ai/plugin"
import { setBounded } from "../../bounded-map.ts"

/** Which agent a session's current request runs as. */
export interface SessionAgents {
  saw(sessionID: string, agent: string): void
  /** @throws when neither a request nor the stored history tells. */
  agentOf(sessionID: string): Promise<string>
}

/** Sessions beyond these are asked about again. */
const mostSessions = 500

/**
 * Tool hooks don't name the agent; the request that the call came from does. After a restart within a turn no request
 * was seen, and the newest user message tells.
 */
export function createSessionAgents(client: PluginInput["client"]): SessionAgents {
  const agents = new Map<string, string>()
  return {
    saw: (sessionID, agent) => setBounded(agents, sessionID, agent, mostSessions),
    async agentOf(sessionID) {
      const seen = agents.get(sessionID)
      if (seen !== undefined) return seen
      const { data } = await client.session.messages({ path: { id: sessionID } })
      const newest = data?.findLast((message) => message.info.role === "user")?.info
      if (newest?.role === "user") return newest.agent
      throw new Error("the session's agent is unknown")
    },
  }
}
