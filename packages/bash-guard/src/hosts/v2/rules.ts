import { inGuardNames, isAction } from "../../opencode/rules.ts"
import type { PermissionRule } from "../../permissions/rules.ts"
import { isListOf, isRecord, isString } from "../../shape.ts"
import type { HostContext } from "./host.ts"

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
  const [own, session] = await Promise.all([agentRulesOf(context, agentID), context.session?.get?.({ sessionID })])
  const ofSession = isRecord(session) && session["permissions"] === undefined ? [] : permissionsOf(session)
  if (ofSession === undefined && session !== undefined)
    throw new Error("OpenCode answered without the session's permissions")
  return [...own, ...inGuardNames(ofSession ?? [])]
}

/**
 * The agent's own rules.
 *
 * @throws when the host does not tell.
 */
export async function agentRulesOf(context: HostContext, agentID: string): Promise<readonly PermissionRule[]> {
  const agent = await context.agent?.get?.({ agentID })
  const own = permissionsOf(isRecord(agent) && "data" in agent ? agent["data"] : agent)
  if (own === undefined) throw new Error("OpenCode answered without the agent's permissions")
  return inGuardNames(own)
}

function permissionsOf(value: unknown): readonly PermissionRule[] | undefined {
  if (!isRecord(value) || !isListOf(value["permissions"], isHostRule)) return undefined
  return value["permissions"].map(({ action, resource, effect }) => ({
    permission: action,
    pattern: resource,
    action: effect,
  }))
}

interface HostRule {
  readonly action: string
  readonly resource: string
  readonly effect: PermissionRule["action"]
}

function isHostRule(value: unknown): value is HostRule {
  return isRecord(value) && isString(value["action"]) && isString(value["resource"]) && isAction(value["effect"])
}
