import type { PluginInput } from "@opencode-ai/plugin"
import { type } from "arktype"
import type { PermissionRule } from "../../permissions/rules.ts"

type Client = PluginInput["client"]

const ruleset = type({ permission: "string", pattern: "string", action: "'allow' | 'ask' | 'deny'" }).array()
const agentList = type({ name: "string", permission: ruleset }).array()
const sessionInfo = type({ "permission?": ruleset.or("undefined") })

/** Where the rules of a call come from. */
export interface PermissionSource {
  /**
   * The rules in the host's order: its defaults, the user's config, the agent's, then the session's own.
   * @throws when the host doesn't tell.
   */
  rulesOf(agent: string, sessionID: string): Promise<readonly PermissionRule[]>
}

/** The host's list of agents has each agent's rules merged (measured on OpenCode 1.18.33); they are fixed per start. */
export function createPermissionSource(client: Client): PermissionSource {
  let agents: Promise<ReadonlyMap<string, readonly PermissionRule[]>> | undefined

  async function readAgents(): Promise<ReadonlyMap<string, readonly PermissionRule[]>> {
    const { data } = await client.app.agents()
    const list = agentList.assert(data)
    return new Map(list.map((agent) => [agent.name, agent.permission]))
  }

  return {
    async rulesOf(agent, sessionID) {
      agents ??= readAgents().catch((error: unknown) => {
        agents = undefined
        throw error
      })
      const [known, session] = await Promise.all([agents, client.session.get({ path: { id: sessionID } })])
      const own = known.get(agent)
      if (own === undefined) throw new Error(`OpenCode has no agent ${JSON.stringify(agent)}`)
      return [...own, ...(sessionInfo.assert(session.data).permission ?? [])]
    },
  }
}
