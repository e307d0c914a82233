import type { MatchedRuleState, SessionReceipts } from "@opencode-rulebook/rule-schema"
import type { ContextEvent, SyntheticInput, V2Context, V2Message } from "../../src/hosts/v2/host.ts"
import { setupWith } from "../../src/hosts/v2/plugin.ts"
import type { HostOptions } from "./host.ts"
import { createProject } from "./project.ts"
import { shownPart } from "./v2-calls.ts"
import { createEventStream } from "./v2-events.ts"
import { forked, type Input, type Stored } from "./v2-history.ts"
import { PREVIEW, STABLE, type V2Line } from "./v2-line.ts"
import { createV2Session, quiet } from "./v2-session.ts"
import { expectWholeRequest } from "./whole-requests.ts"

export interface V2HostOptions extends HostOptions {
  /** The stable line unless told otherwise. */
  readonly line?: V2Line["name"]
  /** What `session.get` answers. */
  readonly get?: (sessionID: string) => Promise<unknown>
  /** What `tool.list` and `mcp.list` answer; the preview has neither. */
  readonly toolList?: () => Promise<unknown>
  readonly mcpList?: () => Promise<unknown>
  /** What `session.context` answers in place of the stored messages. */
  readonly contextAnswer?: (stored: readonly unknown[]) => Promise<unknown>
  /** A host between the lines, which calls `prompt` and can't be asked for stored messages. */
  readonly hasNoContext?: boolean
}

const TOOLS = ["edit", "glob", "grep", "read", "shell", "subagent", "write"]
/** The longest id that the message API takes (docs/opencode-2.md, Inbox). */
const LONGEST_ID = 100

/**
 * A deterministic OpenCode v2 session runner around the real plugin: inputs wait in an inbox and become history when a step starts; each
 * step's dispatch goes through the `context` hook; its calls run in parallel; an answer that finds an input in the inbox costs a further
 * request. Of two lines: a preview of July 2026, held against recordings by `test/v2-host.test.ts`, and the stable one, of 2.0.26.
 */
export async function startV2Host(options: V2HostOptions = {}) {
  const project = await createProject(options)
  const line = options.line === "preview" ? PREVIEW : STABLE
  const events = createEventStream()
  const hooks = new Map<string, Set<(event: never) => Promise<void>>>()
  const inboxes = new Map<string, Input[]>()
  const sessions = new Map<string, ReturnType<typeof createV2Session>>()
  const prompts: { sessionID: string; text: string; input: SyntheticInput }[] = []
  const timeline: string[] = []
  const log: string[] = []
  const ownLog = {
    write: (level: string, message: string) => void log.push(`${level} ${message}`),
    settled: async () => undefined,
  }
  const location = { directory: project.directory }
  let clock = 0x22c3e0f42000

  const nextID = (prefix: string) => `${prefix}_${(clock++).toString(16).padStart(12, "0")}abcdefghijklmn`

  /** The plugin's own hooks: each request that they make is checked as a whole. */
  function ownHooksOf(domain: string) {
    const register = hooksOf(domain)
    return (name: string, callback: (event: never) => Promise<void>) =>
      register(name, `${domain}.${name}` === "session.context" ? watched(callback as never, options.repeats) : callback)
  }

  /** Any name is taken; one that the host doesn't know is never called. */
  function hooksOf(domain: string) {
    return async (name: string, callback: (event: never) => Promise<void>) => {
      const callbacks = hooks.get(`${domain}.${name}`) ?? new Set()
      hooks.set(`${domain}.${name}`, callbacks.add(callback))
      return { dispose: async () => void callbacks.delete(callback) }
    }
  }

  async function fire(name: string, event: unknown): Promise<void> {
    for (const callback of hooks.get(name) ?? []) await callback(event as never)
  }

  async function synthetic(input: SyntheticInput): Promise<unknown> {
    const { sessionID, text, id, metadata } = input
    prompts.push({ sessionID, text, input })
    if (input.resume !== false) throw new Error("a delivery must not wake a session")
    if (id.length > LONGEST_ID) throw new Error("id: Expected a string of at most 100 characters")
    const fault = options.persist?.(text) ?? "ok"
    if (fault === "throws") throw new Error("the connection was lost")
    if (fault === "fails") throw { name: "UnknownError", data: { message: "the disk is full" } }
    if (typeof fault !== "string") await fault
    inboxes.get(sessionID)?.push({ id, text, kind: "synthetic", delivery: "steer", metadata })
    const [type, data] = line.enqueued(id, { type: "synthetic", text, delivery: "steer" })
    events.emit(type, { sessionID, ...data })
    if (fault === "stored, answer lost") throw new Error("the answer was lost")
    return { id }
  }

  const stable = {
    location,
    permission: { hook: hooksOf("permission") },
    mcp: { list: options.mcpList ?? (async () => ({ location, data: [] })) },
  }
  const context = {
    ...(line.name === "stable" ? stable : {}),
    options: options.pluginOptions,
    session: {
      hook: ownHooksOf("session"),
      get: async ({ sessionID }: { sessionID: string }) => options.get?.(sessionID) ?? { location },
      synthetic,
      ...(line.name === "stable" && !options.hasNoContext
        ? {
            context: async ({ sessionID }: { sessionID: string }) => {
              const stored = sessions.get(sessionID)?.answered() ?? []
              return options.contextAnswer ? options.contextAnswer(stored) : stored
            },
          }
        : {}),
    },
    tool: {
      hook: hooksOf("tool"),
      ...(line.name === "stable" ? { list: options.toolList ?? (async () => ({ location, data: [] })) } : {}),
    },
    event: events,
  } as unknown as V2Context

  const start = () => project.withEnvironment(() => setupWith(context, ownLog))
  let stop = await start()
  async function restart() {
    await stop()
    stop = await start()
  }

  const host = {
    line,
    tools: options.tools ?? TOOLS,
    nextID,
    fire,
    timeline,
    emit(type: string, data: Readonly<Record<string, unknown>>, id?: string) {
      timeline.push(type)
      events.emit(type, data, { ...(line.name === "stable" ? { location } : {}), ...(id === undefined ? {} : { id }) })
    },
  }

  function session(begins: readonly Stored[] = []) {
    const id = nextID("ses")
    const inbox: Input[] = []
    const own = createV2Session(host, id, inbox, begins)
    inboxes.set(id, inbox)
    sessions.set(id, own)
    return {
      ...own,
      /** A new session that begins with copies of this one's messages. What waits in the inbox stays behind. */
      fork() {
        const fork = session(forked(own.records(), nextID("msg")))
        host.emit("session.forked", { sessionID: fork.id, parentID: id })
        return fork
      },
      /** As it is once the plugin has come to rest: it ends, and starts anew. */
      async state(): Promise<MatchedRuleState | undefined> {
        await restart()
        return project.readState(id)
      },
      async receipts(): Promise<SessionReceipts | undefined> {
        await restart()
        return project.readReceipts(id)
      },
      async remove(): Promise<void> {
        host.emit("session.deleted", { sessionID: id })
        await quiet()
      },
    }
  }

  return {
    ...project,
    /** The lines of the plugin's own log, as `level message`. */
    log,
    prompts,
    /** Hooks and events in the order in which they happened. */
    timeline,
    events,
    context,
    fire,
    /** Another plugin's hook, by its full name. */
    async hook<E>(name: string, callback: (event: E) => Promise<void>): Promise<void> {
      const [domain = "", ...rest] = name.split(".")
      await hooksOf(domain)(rest.join("."), callback as (event: never) => Promise<void>)
    },
    session: (): V2TestSession => session(),
    restart,
    stop: () => stop(),
    async loadTwice() {
      const stopFirst = stop
      const stopSecond = await start()
      stop = async () => {
        await stopFirst()
        await stopSecond()
      }
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await project.remove()
    },
  }
}

export interface V2TestSession extends ReturnType<typeof createV2Session> {
  fork(): V2TestSession
  state(): Promise<MatchedRuleState | undefined>
  receipts(): Promise<SessionReceipts | undefined>
  remove(): Promise<void>
}

function watched(
  callback: (event: ContextEvent) => Promise<void>,
  repeats?: readonly string[],
): (event: ContextEvent) => Promise<void> {
  return async (event) => {
    const before = requested(event)
    await callback(event)
    expectWholeRequest(before, requested(event), repeats)
  }
}

/** A host may fire the hook without messages. */
function requested({ messages = [] }: { readonly messages?: readonly V2Message[] }) {
  return messages.map(({ role, content }) => ({ role, texts: [content].flat().map(shownPart) }))
}
