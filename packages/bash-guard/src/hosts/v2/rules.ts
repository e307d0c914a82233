import { type } from "arktype"
import type { PermissionRule } from "../../permissions/rules.ts"
import { compileWildcard, matchesWildcard } from "../../permissions/wildcard.ts"
import type { HostContext } from "./host.ts"

const ruleset = type({ action: "string", resource: "string", effect: "'allow' | 'ask' | 'deny'" }).array()
const agentInfo = type({ permissions: ruleset })
const agentAnswer = type({ data: agentInfo }).or(agentInfo)
const sessionAnswer = type({ "permissions?": ruleset.or("undefined") })

type HostRule = (typeof ruleset.infer)[number]

/** The permissions that the guard looks at, by the names of OpenCode 2's actions. */
const kinds = [
  ["shell", "bash"],
  ["edit", "edit"],
  ["external_directory", "external_directory"],
] as const

/**
 * Asks for the rules of a call: the agent's, then the session's, as 2.0.26 applies them (`core/permission.ts`, `configured`).
 * They are asked for at each call: the config's are added to agents after plugins were set up, and again when it changes
 * (`core/config/plugin/agent.ts`).
 *
 * @throws when the host does not tell.
 */
export async function rulesOf(
  context: HostContext,
  agentID: string,
  sessionID: string,
): Promise<readonly PermissionRule[]> {
  if (context.agent?.get === undefined) throw new Error("this OpenCode does not tell plugins about agents")
  const [agent, session] = await Promise.all([context.agent.get({ agentID }), context.session?.get?.({ sessionID })])
  const known = agentAnswer.assert(agent)
  const own = "data" in known ? known.data.permissions : known.permissions
  const ofSession = session === undefined ? [] : (sessionAnswer.assert(session).permissions ?? [])
  return [...own, ...ofSession].flatMap(toRules)
}

function toRules(rule: HostRule): readonly PermissionRule[] {
  const wildcard = compileWildcard(rule.action)
  return kinds.flatMap(([action, permission]) =>
    matchesWildcard(action, wildcard) ? [{ permission, pattern: rule.resource, action: rule.effect }] : [],
  )
}
