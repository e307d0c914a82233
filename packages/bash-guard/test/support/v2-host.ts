import type { Evaluation, HostContext, ToolEvent } from "../../src/hosts/v2/host.ts"
import { setupIn } from "../../src/hosts/v2/plugin.ts"
import { compileWildcard, matchesWildcard } from "../../src/permissions/wildcard.ts"

export interface Rule {
  readonly action: string
  readonly resource: string
  readonly effect: "allow" | "ask" | "deny"
}

export interface ShellCallOptions {
  /** The commands that the host's scanner finds; the whole command when left out. */
  readonly sees?: readonly string[]
  /** Folders outside of the project that the host's scanner finds. */
  readonly folders?: readonly string[]
  readonly agent?: string
  readonly sessionID?: string
  readonly workdir?: string
  /** Calls of Code Mode share the id of the call around them. */
  readonly id?: string
}

export interface Outcome {
  readonly ran: boolean
  /** What the model reads of a call that did not run. */
  readonly text: string
  /** How many dialogs it raised. */
  readonly dialogs: number
}

export interface Dialog {
  readonly id: string
  readonly sessionID: string
  readonly action: string
  readonly resources: readonly string[]
  readonly save: readonly string[]
  readonly source: { readonly type: "tool"; readonly messageID: string; readonly id: string }
  readonly message: string | undefined
}

export type Reply = "once" | "always" | "reject"

export interface V2HostOptions {
  readonly directory: string
  readonly agents: Readonly<Record<string, readonly Rule[]>>
  readonly sessionRules?: Readonly<Record<string, readonly Rule[]>>
  readonly answer?: (dialog: Dialog) => Reply | Promise<Reply>
  /** The folder of the host's process. */
  readonly processFolder?: string
  /** Members that this host lacks, or has otherwise. */
  readonly without?: Partial<HostContext>
}

/**
 * A model of OpenCode 2.0.26 around the real plugin, read and not measured (docs/adr/0002-asking-on-opencode-2.md; the paths are
 * those of OpenCode's sources):
 * - agents have the built-ins' rules when a plugin is set up, the config's later (`core/plugin/internal.ts`, `post`);
 * - `execute.before` comes first, a throw ends the call (`core/tool.ts`);
 * - folders outside are checked before commands, in a request of their own; without commands there is no request
 *   (`core/tool/plugin/shell.ts`, `prepare`);
 * - a request that a rule denies reaches no hook; then saved approvals count, then `evaluate` (`core/permission.ts`, `evaluateInput`);
 * - "always" saves the request's `save` for the project, and checks all open requests again (`core/permission.ts`, `reply`);
 * - `permission.asked` and `permission.replied` are published before that (`schema/permission.ts`);
 * - `execute.after` comes for calls that ran or were denied, not for a throw of `execute.before` (`core/tool.ts`).
 */
export async function startV2Host(options: V2HostOptions) {
  const builtIn: readonly Rule[] = [{ action: "*", resource: "*", effect: "allow" }]
  let isConfigured = false
  const saved: Rule[] = []
  const open = new Map<string, { readonly dialog: Dialog; readonly agent: string; settle(reply: Reply): void }>()
  const warnings: string[] = []
  const hooks = new Map<string, ((event: never) => Promise<void> | void)[]>()
  const stream = createStream()
  let count = 0
  const nextID = (prefix: string): string => `${prefix}_${++count}`
  const hook = (domain: string) => (name: string, callback: (event: never) => Promise<void> | void) => {
    hooks.set(`${domain}.${name}`, [...(hooks.get(`${domain}.${name}`) ?? []), callback])
  }
  const fire = async (name: string, event: unknown): Promise<void> => {
    for (const callback of hooks.get(name) ?? []) await callback(event as never)
  }
  const rulesOf = (agent: string): readonly Rule[] | undefined => {
    const own = options.agents[agent]
    if (isConfigured) return own === undefined ? undefined : [...builtIn, ...own]
    return agent === "build" ? builtIn : undefined
  }

  const context: HostContext = {
    location: { directory: options.directory, project: { directory: options.directory } },
    tool: { hook: hook("tool") },
    permission: {
      hook: hook("permission"),
      reply: async ({ requestID, reply }) => answer(requestID, reply),
    },
    agent: {
      get: async ({ agentID }) => {
        const permissions = rulesOf(agentID)
        if (permissions === undefined) throw new Error(`Agent not found: ${agentID}`)
        return { location: {}, data: { id: agentID, mode: "primary", permissions } }
      },
    },
    session: {
      get: async ({ sessionID }) => ({ id: sessionID, permissions: options.sessionRules?.[sessionID] }),
    },
    event: { subscribe: () => stream.values },
    ...options.without,
  }
  const end = await setupIn(context, {
    directory: options.processFolder ?? "/somewhere/else",
    home: "/home/dev",
    env: {},
    warn: (message) => void warnings.push(message),
  })
  isConfigured = true

  async function effectOf(request: Omit<Dialog, "id" | "message">, agent: string): Promise<Evaluation> {
    const { sessionID, action, resources, source } = request
    const rules = [...(rulesOf(agent) ?? []), ...(options.sessionRules?.[sessionID] ?? [])]
    const event: Evaluation = { sessionID, action, resources, source, effect: "allow" }
    if (resources.some((resource) => lastOf(rules, action, resource) === "deny")) return { ...event, effect: "deny" }
    const effects = resources.map((resource) => lastOf([...rules, ...saved], action, resource))
    event.effect = effects.includes("ask") ? "ask" : "allow"
    await fire("permission.evaluate", event)
    return event
  }

  async function check(request: Omit<Dialog, "id" | "message">, agent: string): Promise<number> {
    const { effect, message } = await effectOf(request, agent)
    if (effect === "deny") throw new Error(message ?? `Permission denied: ${request.action}`)
    if (effect === "allow") return 0
    const dialog: Dialog = { ...request, id: nextID("per"), message }
    const replied = new Promise<Reply>((settle) => open.set(dialog.id, { dialog, agent, settle }))
    stream.publish({ id: nextID("evt"), type: "permission.asked", data: dialog })
    if (options.answer !== undefined) {
      const reply = await options.answer(dialog)
      if (open.has(dialog.id)) await answer(dialog.id, reply)
    }
    if ((await replied) === "reject") throw new Error("declined")
    return 1
  }

  async function answer(requestID: string, reply: Reply): Promise<void> {
    const item = open.get(requestID)
    if (item === undefined) throw new Error(`Permission request not found: ${requestID}`)
    const { dialog } = item
    stream.publish({ type: "permission.replied", data: { sessionID: dialog.sessionID, requestID, reply } })
    if (reply === "always")
      saved.push(...dialog.save.map((resource): Rule => ({ action: dialog.action, resource, effect: "allow" })))
    open.delete(requestID)
    item.settle(reply)
    if (reply !== "always") return
    for (const [id, other] of open) {
      if ((await effectOf(other.dialog, other.agent)).effect !== "allow") continue
      stream.publish({ type: "permission.replied", data: { sessionID: dialog.sessionID, requestID: id, reply } })
      open.delete(id)
      other.settle("always")
    }
  }

  /** One call of the shell tool, from the model's request to its end. */
  async function shell(command: string, given: ShellCallOptions = {}): Promise<Outcome> {
    const { sees = [command], folders = [], agent = "build", sessionID = "ses_1", workdir } = given
    const input = { command, ...(workdir === undefined ? {} : { workdir }) }
    const call = { tool: "shell", sessionID, agent, messageID: "msg_1", id: given.id ?? nextID("call"), input }
    const source = { type: "tool", messageID: call.messageID, id: call.id } as const
    let dialogs = 0
    try {
      await fire("tool.execute.before", call)
    } catch (error) {
      return { ran: false, text: String(error), dialogs }
    }
    try {
      if (folders.length > 0)
        dialogs += await check(
          { sessionID, action: "external_directory", resources: folders, save: folders, source },
          agent,
        )
      const save = sees.map(
        (seen) =>
          `${seen
            .split(" ")
            .slice(0, seen.startsWith("npm") ? 2 : 1)
            .join(" ")} *`,
      )
      if (sees.length > 0) dialogs += await check({ sessionID, action: "shell", resources: sees, save, source }, agent)
    } catch (error) {
      await fire("tool.execute.after", { ...call, status: "error" })
      return { ran: false, text: String(error), dialogs }
    }
    await fire("tool.execute.after", { ...call, status: "completed" })
    return { ran: true, text: "", dialogs }
  }

  return {
    shell,
    warnings,
    /** Fires the permission hook alone: other plugins may have changed the event. */
    evaluate: (event: Evaluation) => fire("permission.evaluate", event),
    /** Fires `execute.after` alone. */
    after: (event: Partial<ToolEvent> & { readonly tool: string; readonly input: unknown }) =>
      fire("tool.execute.after", { sessionID: "ses_1", agent: "build", ...event }),
    /** Fires `execute.before` alone. */
    before: (event: Partial<ToolEvent> & { readonly tool: string; readonly input: unknown }) =>
      fire("tool.execute.before", { sessionID: "ses_1", agent: "build", ...event }),
    answer,
    open: () => [...open.values()].map(({ dialog }) => dialog),
    /** Publishes an event of the server, of whatever session. */
    publish: (event: unknown) => stream.publish(event),
    /** Resolves when the plugin has taken every event so far. */
    drained: () => stream.drained(),
    end,
    isFollowed: () => stream.isFollowed(),
  }
}

function lastOf(rules: readonly Rule[], action: string, resource: string): Rule["effect"] {
  const matches = (text: string, pattern: string): boolean => matchesWildcard(text, compileWildcard(pattern))
  return rules.findLast((rule) => matches(action, rule.action) && matches(resource, rule.resource))?.effect ?? "ask"
}

function createStream() {
  const waiting: unknown[] = []
  let wake: (() => void) | undefined
  let drained: (() => void) | undefined
  let isOver = false
  async function* read(): AsyncGenerator<unknown, void> {
    while (!isOver) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else {
        drained?.()
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }
  const generator = read()
  const values: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => generator.next(),
      return: async () => {
        isOver = true
        wake?.()
        return { done: true as const, value: undefined }
      },
    }),
  }
  return {
    values,
    publish(event: unknown): void {
      waiting.push(event)
      wake?.()
    },
    drained: () =>
      new Promise<void>((resolve) => {
        drained = resolve
        wake?.()
      }),
    isFollowed: () => !isOver,
  }
}
