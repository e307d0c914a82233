import type { Hooks, PluginInput } from "@opencode-ai/plugin"
import type { Event, Message, Part } from "@opencode-ai/sdk"
import { server } from "../../src/index.ts"
import type { Dispatch, HostOptions, Step, ToolStep } from "./host.ts"
import { createProject } from "./project.ts"
import { exportOf } from "./v1-export.ts"
import { expectWholeRequest } from "./whole-requests.ts"

export interface V1HostOptions extends HostOptions {
  /** What the host adds, in each dispatch, to the newest user message, as it does for the plan agent. */
  readonly reminder?: string
  /** What another plugin adds, in each dispatch, as a message without ids. */
  readonly pushed?: string
  /** Hooks of other plugins, which the host calls before and after this one's. */
  readonly ahead?: Hooks
  readonly behind?: Hooks
  readonly mcp?: Readonly<Record<string, string>>
  /** The tools that it offers to a model, where they are not the same for each. */
  readonly toolsOf?: (model: string) => readonly string[]
  /** What becomes of each question for a session's stored messages, or for one of them: it is answered when left out. */
  readonly reading?: (what: "history" | "message") => "answered" | "fails" | "throws"
}

type Stored = { info: Message; parts: Part[] }

export type V1Host = Awaited<ReturnType<typeof startV1Host>>
export type V1HostSession = ReturnType<V1Host["session"]>

/**
 * A small model of an OpenCode v1 host around the real plugin: the loop of one turn, stored history, no-reply prompts,
 * compaction and revert, as measured on OpenCode 1.18.33. It stands where faults must be injected; what it claims of the
 * host is shown by the tests of host-lab.
 */
export async function startV1Host(options: V1HostOptions = {}) {
  const project = await createProject(options)
  const { directory } = project

  const histories = new Map<string, Stored[]>()
  const parents = new Map<string, string>()
  const log: string[] = []
  const prompts: { sessionID: string; text: string; body: Record<string, unknown> }[] = []
  /** The message that a session is reverted to, until its next prompt removes what follows. */
  const reverts = new Map<string, string>()
  let clock = 1_000
  let hooks: Hooks = {}

  const nextID = (prefix: string) => `${prefix}_${(clock++).toString(16).padStart(12, "0")}abcdefghijklmn`
  const emit = (event: unknown) => hooks.event?.({ event: event as Event })
  const historyOf = (sessionID: string) => {
    const history = histories.get(sessionID) ?? []
    histories.set(sessionID, history)
    return history
  }

  /** Every prompt, a no-reply one included, removes what a revert has hidden. */
  async function commitRevert(sessionID: string) {
    const history = historyOf(sessionID)
    const from = history.findIndex(({ info }) => info.id === reverts.get(sessionID))
    reverts.delete(sessionID)
    if (from < 0) return
    for (const { info } of history.splice(from)) {
      await emit({ type: "message.removed", properties: { sessionID, messageID: info.id } })
    }
  }

  /** With the id of a message that is there, its info is replaced and its parts are added to (measured on OpenCode 1.18.33). */
  async function storeUserMessage(
    sessionID: string,
    parts: Record<string, unknown>[],
    { messageID, variant, ...settings }: Record<string, unknown>,
  ) {
    const id = typeof messageID === "string" ? messageID : nextID("msg")
    const info = {
      agent: "build",
      ...settings,
      model: { ...(settings["model"] ?? { providerID: "lab", modelID: "plain" }), ...(variant ? { variant } : {}) },
      id,
      sessionID,
      role: "user",
      time: { created: Date.now() },
    }
    const stored = {
      info,
      parts: parts.map((part) => ({ ...part, id: nextID("prt"), sessionID, messageID: id })),
    } as unknown as Stored
    await hooks["chat.message"]?.({ sessionID }, { message: stored.info as never, parts: stored.parts })
    const known = historyOf(sessionID).find((one) => one.info.id === id)
    if (known) {
      known.info = structuredClone(stored.info)
      known.parts.push(...structuredClone(stored.parts))
    } else historyOf(sessionID).push(structuredClone(stored))
    return stored
  }

  /** What the host answers to a question for stored messages, or its fault. */
  function answered<T>(what: "history" | "message", answer: T) {
    const fault = options.reading?.(what) ?? "answered"
    if (fault === "throws") throw new Error("the connection was lost")
    return fault === "fails" ? { error: { name: "UnknownError" }, response: { status: 500 } } : answer
  }

  const client = {
    session: {
      async prompt({ path, body }: { path: { id: string }; body: Record<string, unknown> }) {
        const { parts, noReply, ...settings } = body
        const list = parts as Record<string, unknown>[]
        const text = String(list[0]?.["text"])
        prompts.push({ sessionID: path.id, text, body })
        if (noReply !== true) throw new Error("a delivery must not ask for a reply")
        await commitRevert(path.id)
        const fault = options.persist?.(text) ?? "ok"
        if (fault === "throws") throw new Error("the connection was lost")
        if (fault === "fails") return { error: { name: "UnknownError", data: { message: "the disk is full" } } }
        if (typeof fault !== "string") await fault
        const stored = await storeUserMessage(path.id, list, settings)
        if (fault === "stored, answer lost") throw new Error("the answer was lost")
        return { data: stored }
      },
      messages: async ({ path }: { path: { id: string } }) =>
        answered("history", { data: structuredClone(historyOf(path.id)) }),
      get: async ({ path }: { path: { id: string } }) => ({ data: { id: path.id, parentID: parents.get(path.id) } }),
      async message({ path }: { path: { id: string; messageID: string } }) {
        const found = historyOf(path.id).find(({ info }) => info.id === path.messageID)
        return answered("message", found ? { data: structuredClone(found) } : { error: {}, response: { status: 404 } })
      },
    },
    app: {
      log: async ({ body }: { body: { level: string; message: string } }) =>
        void log.push(`${body.level} ${body.message}`),
    },
    tool: {
      ids: async () => ({ data: options.tools ?? ["bash", "read"] }),
      list: async ({ query }: { query: { model: string } }) => ({
        data: (options.toolsOf?.(query.model) ?? options.tools ?? ["bash", "read"]).map((id) => ({ id })),
      }),
    },
    mcp: {
      status: async () => ({
        data: Object.fromEntries(Object.entries(options.mcp ?? {}).map(([name, status]) => [name, { status }])),
      }),
    },
  }

  async function load() {
    return await project.withEnvironment(() =>
      server(
        { client, directory, worktree: project.worktree, project: {} } as unknown as PluginInput,
        options.pluginOptions,
      ),
    )
  }
  async function start() {
    hooks = inOrder(options.ahead ?? {}, inOrder(watched(await load(), options.repeats), options.behind ?? {}))
  }
  await start()

  function visible(sessionID: string): Stored[] {
    const history = historyOf(sessionID)
    const summary = history.findLastIndex(({ parts }) => parts.some((part) => part.type === "compaction"))
    return structuredClone(summary < 0 ? history : history.slice(summary))
  }

  /** The headers of each request of a turn, as plugins set them. */
  const headers: Record<string, string>[] = []

  async function transformed(sessionID: string): Promise<Dispatch> {
    const messages = visible(sessionID)
    const newest = messages.findLast(({ info }) => info.role === "user")
    if (options.reminder) newest?.parts.push({ type: "text", text: options.reminder, synthetic: true } as Part)
    if (options.pushed)
      messages.push({ info: { role: "user" }, parts: [{ type: "text", text: options.pushed }] } as never)
    await hooks["experimental.chat.messages.transform"]?.({}, { messages })
    const output = { headers: {} }
    const request = { sessionID, agent: "build", model: { providerID: "github-copilot" }, message: newest?.info }
    await hooks["chat.headers"]?.(request as never, output)
    headers.push(output.headers)
    return messages.map(({ info, parts }) => `${info.role}: ${parts.map(shown).join("\n")}`)
  }

  function session(id: string = nextID("ses")) {
    const dispatches: Dispatch[] = []
    const summaries: Dispatch[] = []
    async function runTool(step: ToolStep, message: Stored) {
      const callID = nextID("call")
      const output = { args: structuredClone(step.args) }
      const part = {
        type: "tool",
        tool: step.tool,
        callID,
        id: nextID("prt"),
        sessionID: id,
        messageID: message.info.id,
      }
      const start = Date.now()
      const state = () => ({ input: step.args, time: { start, end: Date.now() } })
      try {
        await hooks["tool.execute.before"]?.({ tool: step.tool, sessionID: id, callID }, output)
        if (step.failed) throw new Error(step.output)
        const result = { title: "", output: step.output, metadata: step.metadata ?? {} }
        await hooks["tool.execute.after"]?.({ tool: step.tool, sessionID: id, callID, args: output.args }, result)
        message.parts.push({
          ...part,
          state: { ...state(), status: "completed", output: step.output, metadata: step.metadata ?? {} },
        } as unknown as Part)
        return undefined
      } catch (error) {
        const { message: reason } = error as Error
        message.parts.push({ ...part, state: { ...state(), status: "error", error: reason } } as unknown as Part)
        return reason
      }
    }

    /** The host's loop: it ends when an answer without calls is newer than every user message. */
    async function runTurn(steps: readonly Step[]) {
      const first = dispatches.length
      const errors: string[] = []
      const queue = [...steps]
      for (;;) {
        const dispatch = await transformed(id)
        dispatches.push(dispatch)
        const step = queue.shift() ?? "done"
        const info = {
          id: nextID("msg"),
          sessionID: id,
          role: "assistant",
          mode: "build",
          providerID: "lab",
          modelID: "plain",
          time: { created: Date.now() },
        }
        const message = { info, parts: [] } as unknown as Stored
        historyOf(id).push(message)
        if (typeof step === "string") message.parts.push({ type: "text", text: step } as Part)
        else
          errors.push(
            ...(await Promise.all([step].flat().map((one) => runTool(one as ToolStep, message)))).filter(
              (one) => one !== undefined,
            ),
          )
        const newest = historyOf(id).at(-1)
        if (typeof step === "string" && newest?.info.role === "assistant") break
      }
      await emit({ type: "session.idle", properties: { sessionID: id } })
      return Object.assign(dispatches.slice(first), { errors })
    }

    return {
      id,
      /** Every provider request of the session, summaries aside. */
      dispatches,
      summaries,
      /** @param more parts beside the text. */
      async prompt(
        text: string,
        steps: readonly Step[],
        settings: Record<string, unknown> = {},
        more: readonly Record<string, unknown>[] = [],
      ) {
        await commitRevert(id)
        await storeUserMessage(id, [{ type: "text", text }, ...more], settings)
        return runTurn(steps)
      },
      /** A message that another plugin stores in the user's name, without a reply: it is none of the user's. */
      async note(text: string) {
        await commitRevert(id)
        await storeUserMessage(id, [{ type: "text", text, synthetic: true }], {})
      },
      /** A session that a call of this one's has started. */
      child() {
        const child = session()
        parents.set(child.id, id)
        return child
      },
      /** The user's message alone, as it comes when a turn runs or has just been aborted. */
      async ask(text: string) {
        await commitRevert(id)
        await storeUserMessage(id, [{ type: "text", text }], {})
      },
      async command(name: string, template: string, steps: readonly Step[]) {
        await commitRevert(id)
        const parts = [{ type: "text", text: template }]
        await hooks["command.execute.before"]?.({ command: name, sessionID: id, arguments: "" }, { parts } as never)
        await storeUserMessage(id, parts, {})
        return runTurn(steps)
      },
      /** Compacts; returns what the plugin adds to the summary's prompt. */
      async compact() {
        const output = { context: [] as string[] }
        await hooks["experimental.session.compacting"]?.({ sessionID: id }, output)
        summaries.push(await transformed(id))
        const compaction = {
          id: nextID("msg"),
          sessionID: id,
          role: "user",
          agent: "build",
          model: { providerID: "lab", modelID: "plain" },
          time: { created: Date.now() },
        }
        const summary = {
          id: nextID("msg"),
          sessionID: id,
          role: "assistant",
          mode: "compaction",
          summary: true,
          providerID: "lab",
          modelID: "plain",
          time: { created: Date.now() },
        }
        historyOf(id).push(
          { info: compaction, parts: [{ type: "compaction" }] } as unknown as Stored,
          { info: summary, parts: [{ type: "text", text: "a summary of what came before" }] } as unknown as Stored,
        )
        await emit({ type: "session.compacted", properties: { sessionID: id } })
        return output.context
      },
      /** Reverts to before the nth prompt of the user, counted from 0; takes effect at the next prompt. */
      revert(nth: number) {
        const prompted = historyOf(id).filter(
          ({ info, parts }) => info.role === "user" && parts.some((part) => part.type === "text" && !part.synthetic),
        )
        const target = prompted[nth]?.info.id
        if (target !== undefined) reverts.set(id, target)
      },
      stored: () => historyOf(id),
      /** What `opencode export` would write of it. */
      exported: () => exportOf({ id, parentID: parents.get(id), directory, reverted: reverts.get(id) }, historyOf(id)),
      /** The agents that the model may call without permission: those that the newest user message mentions. */
      mentioned: () =>
        historyOf(id)
          .findLast(({ info }) => info.role === "user")
          ?.parts.flatMap((part) => (part.type === "agent" ? [part.name] : [])),
      /** Stored messages' texts that hold a given text. */
      storedWith: (text: string) =>
        historyOf(id).filter(({ parts }) => parts.some((part) => part.type === "text" && part.text.includes(text))),
      /** Removes the parts that hold a text, as a client of the host's API may. */
      async removeParts(text: string): Promise<void> {
        for (const message of historyOf(id)) {
          const removed = message.parts.filter((part) => part.type === "text" && part.text.includes(text))
          message.parts = message.parts.filter((part) => !removed.includes(part))
          for (const part of removed) {
            const properties = { sessionID: id, messageID: message.info.id, partID: part.id }
            await emit({ type: "message.part.removed", properties })
          }
        }
      },
      /** Ends the session as the host does when its user deletes it. */
      async remove(): Promise<void> {
        histories.delete(id)
        await emit({ type: "session.deleted", properties: { info: { id } } })
      },
      /** The state as it is on disk at this moment. */
      peekState: () => project.readState(id),
      async state() {
        await hooks.dispose?.()
        return project.readState(id)
      },
      async receipts() {
        await hooks.dispose?.()
        return project.readReceipts(id)
      },
      /**
       * A slash command with `subtask: true`: the host calls the task itself, with a part's id and outside of its error
       * handling; for a failed one it calls the later hook without a result.
       */
      async subtask(name: string, prompt: string, fails = false) {
        const parts = [{ type: "subtask", agent: "general", description: name, command: name, prompt }]
        await hooks["command.execute.before"]?.({ command: name, sessionID: id, arguments: "" }, { parts } as never)
        await storeUserMessage(id, parts, {})
        const args = { prompt, description: name, subagent_type: "general", command: name }
        const call = { tool: "task", sessionID: id, callID: nextID("prt") }
        await hooks["tool.execute.before"]?.(call, { args })
        const known = args.subagent_type === "general" && !fails
        const child = known ? this.child() : undefined
        await child?.prompt(prompt, ["done"])
        const result = { title: "", output: "done", metadata: {} }
        await hooks["tool.execute.after"]?.({ ...call, args }, known ? result : (undefined as never))
        return { child, error: known ? undefined : `Unknown agent type: ${args.subagent_type}` }
      },
      /** A call that has begun and ends when it is told to. */
      async begin(step: ToolStep) {
        const call = { tool: step.tool, sessionID: id, callID: nextID("call") }
        await hooks["tool.execute.before"]?.(call, { args: step.args })
        const result = { title: "", output: step.output, metadata: step.metadata ?? {} }
        return { end: () => hooks["tool.execute.after"]?.({ ...call, args: step.args }, result) }
      },
      /** Ends the turn; calls under way go on. */
      async abort() {
        await emit({ type: "session.error", properties: { sessionID: id, error: { name: "MessageAbortedError" } } })
        await emit({ type: "session.idle", properties: { sessionID: id } })
      },
      /** Not stored: what it finds is for the plugin only. */
      async callTool(step: ToolStep) {
        const message = { info: { id: nextID("msg") }, parts: [] } as unknown as Stored
        const error = await runTool(step, message)
        if (error !== undefined) throw new Error(error)
      },
      dispatch: () => transformed(id),
    }
  }

  return {
    ...project,
    log,
    /** Every no-reply prompt that the plugin sent. */
    prompts,
    headers,
    session,
    /** Hands an event to the plugin, as the host's bus does. */
    emit,
    async restart() {
      await hooks.dispose?.()
      await start()
    },
    async loadTwice() {
      hooks = inOrder(hooks, watched(await load(), options.repeats))
    },
    async [Symbol.asyncDispose]() {
      await hooks.dispose?.()
      await project.remove()
    },
  }
}

/** The plugin's hooks, with each request that they make checked as a whole. */
function watched(hooks: Hooks, repeats?: readonly string[]): Hooks {
  const transform = hooks["experimental.chat.messages.transform"]
  if (!transform) return hooks
  return {
    ...hooks,
    async "experimental.chat.messages.transform"(input, output) {
      const before = output.messages.map(asRequested)
      await transform(input, output)
      expectWholeRequest(before, output.messages.map(asRequested), repeats)
    },
  }
}

function asRequested({ info, parts }: { readonly info: Message; readonly parts: readonly Part[] }) {
  return { role: info.role, texts: parts.map(shown) }
}

/** A host calls each plugin's hooks in turn. */
function inOrder(first: Hooks, second: Hooks): Hooks {
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])] as (keyof Hooks)[]
  const both = names.map((name) => {
    const hooks = [first[name] ?? [], second[name] ?? []].flat() as ((...args: unknown[]) => Promise<unknown>)[]
    return [
      name,
      async (...args: unknown[]) => {
        for (const hook of hooks) await hook(...args)
      },
    ]
  })
  return Object.fromEntries(both)
}

function shown(part: Part): string {
  if (part.type === "text") return part.text
  if (part.type !== "tool") return `[${part.type}]`
  return part.state.status === "completed"
    ? `[${part.tool}] ${part.state.output}`
    : `[${part.tool}] failed: ${(part.state as { error?: string }).error}`
}
