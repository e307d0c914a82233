import type { PluginInput } from "@opencode-ai/plugin"
import { isAction } from "../../opencode/rules.ts"
import type { PermissionRule } from "../../permissions/rules.ts"
import { isListOf, isRecord, isString } from "../../shape.ts"

type Client = PluginInput["client"]

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
    const answer: { readonly data?: unknown } = await client.app.agents()
    const data = answer.data
    if (!isListOf(data, isAgent)) throw new Error("OpenCode answered without the agents' permissions")
    return new Map(data.map((agent) => [agent.name, agent.permission]))
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
      return [...own, ...ofSession(session.data)]
    },
  }
}

interface Agent {
  readonly name: string
  readonly permission: readonly PermissionRule[]
}

/** The client's types of 1.18.33 lack a session's own rules. */
function ofSession(session: unknown): readonly PermissionRule[] {
  if (!isRecord(session)) throw new Error("OpenCode does not know the session")
  const { permission } = session
  if (permission === undefined) return []
  if (!isListOf(permission, isRule)) throw new Error("OpenCode answered without the session's permissions")
  return permission
}

function isAgent(value: unknown): value is Agent {
  return isRecord(value) && isString(value["name"]) && isListOf(value["permission"], isRule)
}

function isRule(value: unknown): value is PermissionRule {
  return isRecord(value) && isString(value["permission"]) && isString(value["pattern"]) && isAction(value["action"])
}
