import { spyOn } from "bun:test"
import type { MatchedRuleState } from "@opencode-rulebook/rule-schema"
import type { SyntheticInput, V2Context } from "../../src/hosts/v2/host.ts"
import { setup } from "../../src/index.ts"
import type { HostOptions } from "./host.ts"
import { createProject } from "./project.ts"
import { createEventStream } from "./v2-events.ts"
import { createV2Session, type Input } from "./v2-session.ts"

export interface V2HostOptions extends HostOptions {
  /** Shapes of later previews: hooks `prompt` and `compaction`, `id` for `callID`, `status` beside `result`. */
  readonly later?: boolean
  /** Whether the announcement of an input names the slash command that it came from. Not measured on any preview. */
  readonly tellsCommand?: boolean
  /** What `session.get` answers. */
  readonly get?: (sessionID: string) => Promise<unknown>
}

const TOOLS = ["edit", "glob", "grep", "read", "shell", "subagent", "write"]

/**
 * A deterministic OpenCode v2 session runner around the real plugin, as measured on a preview of July 2026: inputs wait in an
 * inbox and become history when a step starts; each step's dispatch goes through the `context` hook; its calls run in
 * parallel; an answer that finds an input in the inbox costs a further request. Held against the recordings by
 * `test/v2-host.test.ts`.
 */
export async function startV2Host(options: V2HostOptions = {}) {
  const project = await createProject(options)
  const events = createEventStream()
  const hooks = new Map<string, Set<(event: never) => Promise<void>>>()
  const inboxes = new Map<string, Input[]>()
  const prompts: { sessionID: string; text: string; input: SyntheticInput }[] = []
  const timeline: string[] = []
  const log: string[] = []
  const errorOutput = spyOn(console, "error").mockImplementation((line) => void log.push(String(line)))
  let clock = 0x22c3e0f42000

  const nextID = (prefix: string) => `${prefix}_${(clock++).toString(16).padStart(12, "0")}abcdefghijklmn`

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
    const { sessionID, text, id } = input
    prompts.push({ sessionID, text, input })
    if (input.resume !== false) throw new Error("a delivery must not wake a session")
    const fault = options.persist?.(text) ?? "ok"
    if (fault === "throws") throw new Error("the connection was lost")
    if (fault === "fails") throw { name: "UnknownError", data: { message: "the disk is full" } }
    if (typeof fault !== "string") await fault
    inboxes.get(sessionID)?.push({ id, text, kind: "synthetic" })
    events.emit("session.input.admitted", { inputID: id, sessionID, input: { type: "synthetic", data: { text } } })
    if (fault === "stored, answer lost") throw new Error("the answer was lost")
    return { id }
  }

  const context = {
    options: options.pluginOptions,
    session: {
      hook: hooksOf("session"),
      get: async ({ sessionID }: { sessionID: string }) =>
        options.get?.(sessionID) ?? { location: { directory: project.directory } },
      synthetic,
    },
    tool: { hook: hooksOf("tool") },
    event: events,
  } as unknown as V2Context

  const start = () => project.withEnvironment(() => setup(context))
  let stop = await start()
  async function restart() {
    await stop()
    stop = await start()
  }

  function session() {
    const id = nextID("ses")
    const inbox: Input[] = []
    inboxes.set(id, inbox)
    const host = {
      later: options.later ?? false,
      tellsCommand: options.tellsCommand ?? false,
      tools: options.tools ?? TOOLS,
      nextID,
      fire,
      timeline,
      emit(type: string, data: Readonly<Record<string, unknown>>) {
        timeline.push(type)
        events.emit(type, data)
      },
    }
    return {
      ...createV2Session(host, id, inbox),
      /** As it is once the plugin has come to rest: it ends, and starts anew. */
      async state(): Promise<MatchedRuleState | undefined> {
        await restart()
        return project.readState(id)
      },
    }
  }

  return {
    ...project,
    log,
    prompts,
    /** Hooks and events in the order in which they happened. */
    timeline,
    events,
    context,
    fire,
    session,
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
      errorOutput.mockRestore()
      await project.remove()
    },
  }
}
