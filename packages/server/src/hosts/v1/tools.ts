import type { PluginInput } from "@opencode-ai/plugin"
import type { UserMessage } from "@opencode-ai/sdk"
import picomatch from "picomatch"
import { createLruMap } from "../../lru-map.ts"
import { field, text } from "../shared/untyped.ts"

type Client = PluginInput["client"]

/** A tool that stands for calls of tools that aren't there; no model is offered it (measured on OpenCode 1.18.33). */
const PSEUDO_TOOL = "invalid"

/** Tools that one permission governs together (measured on OpenCode 1.18.33). */
const EDIT_TOOLS = ["edit", "write", "apply_patch"]

/** One entry of the host's ordered permissions. */
interface Permission {
  readonly permission: string
  readonly pattern: string
  readonly action: string
}

/** Knows the tools and MCP servers that a session's next dispatch offers to its model, and asks the host for no more than can have changed. */
export interface Tools {
  /**
   * Tool ids, and `mcp_<server>` for each connected server. The host tells no plugin the tools of a server.
   *
   * @param newest the session's newest user message: it decides model and agent.
   * @returns undefined when the host can't tell.
   */
  offered(sessionID: string, newest: UserMessage | undefined): Promise<ReadonlySet<string> | undefined>
  /** An event of the host. */
  happened(event: { readonly type: string }): void
}

/** Events that change neither tools nor agents; they come many times in each step. Any other, known or not, makes the plugin ask again. */
const NEUTRAL_EVENTS = /^(?:session|message|permission|question|todo|file|lsp|tui|pty|vcs|command)\./

/** A session's permissions, as they were at one of its user messages. */
interface Known {
  permissions: readonly Permission[]
  askedAt: string | undefined
}

/**
 * Tools and agents are asked for once: what changes them on a running host makes events, or loads the plugin anew. A session's permissions
 * are asked for at each prompt: those of that moment hold for its whole turn. Only MCP servers come and go within one, without any event,
 * and are asked for each time (all measured on OpenCode 1.18.33).
 *
 * @param maxSessions sessions remembered.
 */
export function createTools(client: Client, maxSessions: number): Tools {
  const sessions = createLruMap<Known>({ most: maxSessions, create: () => ({ permissions: [], askedAt: undefined }) })
  let agents = createOnce(() => answer(() => client.app.agents()))
  let tools = createToolLists(client)

  async function permissionsOf(sessionID: string, newest: UserMessage | undefined): Promise<readonly Permission[]> {
    const known = sessions.open(sessionID)
    if (newest !== undefined && known.askedAt === newest.id) return known.permissions
    const session = await answer(() => client.session.get({ path: { id: sessionID } }))
    if (session === undefined) return known.permissions
    known.permissions = readPermissions(field(session, "permission"))
    known.askedAt = newest?.id
    return known.permissions
  }

  return {
    async offered(sessionID, newest) {
      const [ids, servers, all, own] = await Promise.all([
        tools.open(modelKey(newest)).ask(newest),
        connectedServers(client),
        agents.ask(),
        permissionsOf(sessionID, newest),
      ])
      if (!ids && !servers) return undefined
      const agent = Array.isArray(all) ? all.find((one) => field(one, "name") === newest?.agent) : undefined
      const permissions = [...readPermissions(field(agent, "permission")), ...own]
      const offered = (ids ?? []).filter((id) => id !== PSEUDO_TOOL && isOffered(id, permissions))
      return new Set([...offered, ...(servers ?? []).map((server) => `mcp_${server}`)])
    },
    happened({ type }) {
      if (NEUTRAL_EVENTS.test(type)) return
      agents = createOnce(() => answer(() => client.app.agents()))
      tools = createToolLists(client)
    },
  }
}

/** Asks once, and again as long as there was no answer. */
function createOnce<A extends unknown[], T>(ask: (...args: A) => Promise<T | undefined>) {
  let asked: Promise<T | undefined> | undefined
  return {
    async ask(...args: A): Promise<T | undefined> {
      const asking = asked ?? ask(...args)
      asked = asking
      const answered = await asking
      if (answered === undefined && asked === asking) asked = undefined
      return answered
    },
  }
}

/** Models of which the tools are remembered. */
const MOST_MODELS = 50

function createToolLists(client: Client) {
  return createLruMap({
    most: MOST_MODELS,
    create: () => createOnce((newest: UserMessage | undefined) => toolIds(client, newest?.model)),
  })
}

function modelKey(newest: UserMessage | undefined): string {
  return JSON.stringify([newest?.model?.providerID, newest?.model?.modelID])
}

/** A tool is not offered when the last entry that speaks of it denies everything (measured on OpenCode 1.18.33). */
function isOffered(tool: string, permissions: readonly Permission[]): boolean {
  const name = EDIT_TOOLS.includes(tool) ? "edit" : tool
  const last = permissions.findLast(({ permission }) => permission === name || picomatch.isMatch(name, permission))
  return last === undefined || last.pattern !== "*" || last.action !== "deny"
}

/** Both are lists of entries on the host, whatever the v1 client's types say. */
function readPermissions(value: unknown): Permission[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    const [permission, pattern, action] = [text(entry, "permission"), text(entry, "pattern"), text(entry, "action")]
    return permission !== undefined && pattern !== undefined && action !== undefined
      ? [{ permission, pattern, action }]
      : []
  })
}

async function toolIds(client: Client, model: UserMessage["model"] | undefined): Promise<string[] | undefined> {
  if (!model) return answer(() => client.tool.ids())
  const query = { provider: model.providerID, model: model.modelID }
  return (await answer(() => client.tool.list({ query })))?.map(({ id }) => id)
}

async function connectedServers(client: Client): Promise<string[] | undefined> {
  const servers = await answer(() => client.mcp.status())
  return servers && Object.entries(servers).flatMap(([name, { status }]) => (status === "connected" ? [name] : []))
}

/** What the host answers, or undefined when it doesn't. */
async function answer<T>(ask: () => Promise<{ readonly data?: T | undefined }>): Promise<T | undefined> {
  try {
    return (await ask()).data
  } catch {
    return undefined
  }
}
