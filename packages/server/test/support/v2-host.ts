import { spyOn } from "bun:test"
import type { ContextEvent, SyntheticInput, ToolCall, V2Context, V2Message } from "../../src/hosts/v2/host.ts"
import { setup } from "../../src/index.ts"
import type { Dispatch, HostOptions, Step, ToolStep } from "./host.ts"
import { createProject } from "./project.ts"
import { createEventStream } from "./v2-events.ts"

export interface V2ToolStep extends ToolStep {
  readonly callID?: string
  /** The model's own view of the result, where it differs from the hook's. */
  readonly shown?: unknown
  /** The call's place among those of its step as they end; as they were made when left out. */
  readonly ends?: number
  /** No such tool: the host answers itself, without a hook. */
  readonly unavailable?: boolean
  /** Instructions that the host finds with this call, and admits of its own accord. */
  readonly instructions?: string
  /** What else happens while the call runs. */
  readonly during?: () => unknown
}

/** `retry`: the provider fails, and the host repeats the step. `interrupt`: the user stops the turn behind these calls. `answer`: something
 * happens while the model speaks. */
export type V2Step =
  | Step
  | V2ToolStep
  | readonly V2ToolStep[]
  | { readonly kind: "retry" }
  | { readonly kind: "interrupt"; readonly calls: readonly ToolStep[] }
  | { readonly kind: "answer"; readonly during: () => unknown }

export interface V2HostOptions extends HostOptions {
  /** Shapes of later previews: hooks `prompt` and `compaction`, `id` for `callID`, `status` beside `result`. */
  readonly later?: boolean
  readonly tools?: readonly string[]
  /** What `session.get` answers. */
  readonly get?: (sessionID: string) => Promise<unknown>
}

export interface V2Settings {
  readonly agent?: string
  readonly model?: { readonly id: string; readonly providerID: string; readonly variant?: string }
}

interface Input {
  readonly id: string
  readonly text: string
  readonly kind: "user" | "synthetic" | "instructions"
}

export type V2Host = Awaited<ReturnType<typeof startV2Host>>
export type V2Session = ReturnType<V2Host["session"]>

const TOOLS = ["edit", "glob", "grep", "read", "shell", "subagent", "write"]

/**
 * A deterministic OpenCode v2 session runner around the real plugin, as measured on a preview of July 2026: inputs wait in an
 * inbox and become history when a step starts; a step's dispatch goes through the `context` hook; its calls run in parallel; a
 * turn ends when an answer without calls finds the inbox empty. `test/v2-host.test.ts` holds it against the recordings.
 */
export async function startV2Host(options: V2HostOptions = {}) {
  const project = await createProject(options)
  const events = createEventStream()
  const hooks = new Map<string, Set<(event: never) => Promise<void>>>()
  const histories = new Map<string, V2Message[]>()
  const inboxes = new Map<string, Input[]>()
  const prompts: { sessionID: string; text: string; input: SyntheticInput }[] = []
  /** Hooks and events in the order in which they happened. */
  const timeline: string[] = []
  const log: string[] = []
  const errorOutput = spyOn(console, "error").mockImplementation((line) => void log.push(String(line)))
  let clock = 0x22c3e0f42000

  const nextID = (prefix: string) => `${prefix}_${(clock++).toString(16).padStart(12, "0")}abcdefghijklmn`
  const historyOf = (sessionID: string) => entry(histories, sessionID, () => [])
  const inboxOf = (sessionID: string) => entry(inboxes, sessionID, () => [])

  function emit(type: string, data: Record<string, unknown>): void {
    timeline.push(type)
    events.emit(type, data)
  }

  function on(domain: string) {
    return (name: string, callback: (event: never) => Promise<void>) => {
      const callbacks = entry(hooks, `${domain}.${name}`, () => new Set())
      callbacks.add(callback)
      return Promise.resolve({ dispose: async () => void callbacks.delete(callback) })
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
    inboxOf(sessionID).push({ id, text, kind: "synthetic" })
    events.emit("session.input.admitted", { inputID: id, sessionID, input: { type: "synthetic", data: { text } } })
    if (fault === "stored, answer lost") throw new Error("the answer was lost")
    return { id }
  }

  const context = {
    options: options.pluginOptions,
    session: {
      hook: on("session"),
      get: async ({ sessionID }: { sessionID: string }) =>
        options.get?.(sessionID) ?? { location: { directory: project.directory } },
      synthetic,
    },
    tool: { hook: on("tool") },
    event: events,
  } as unknown as V2Context

  let cleanup = await project.withEnvironment(() => setup(context))
  async function restart() {
    await cleanup()
    cleanup = await project.withEnvironment(() => setup(context))
  }

  function session(id: string = nextID("ses")) {
    const dispatches: Dispatch[] = []
    const summaries: Dispatch[] = []
    let settings: V2Settings = {}
    let revertFrom: string | undefined

    function admit(text: string, command?: string): Input {
      const input: Input = { id: nextID("msg"), text, kind: "user" }
      inboxOf(id).push(input)
      const data = { text, files: [], ...(command === undefined ? {} : { command }) }
      emit("session.input.admitted", {
        inputID: input.id,
        sessionID: id,
        input: { type: "user", data, delivery: "steer" },
      })
      return input
    }

    /** Makes what waits in the inbox history. */
    function promote(): void {
      for (const input of inboxOf(id).splice(0)) {
        const message = { id: input.id, role: "user", content: [{ type: "text", text: input.text }] }
        historyOf(id).push(input.kind === "user" ? { ...message, metadata: {} } : message)
        if (input.kind === "instructions") emit("session.synthetic", { sessionID: id, text: input.text })
        else promoted.push(input.id)
      }
    }
    /** Told of after the step's dispatch (recorded). */
    const promoted: string[] = []

    async function contextEvent(): Promise<ContextEvent> {
      const history = historyOf(id)
      const compacted = history.findLastIndex(({ id }) => id?.startsWith("msg_compaction"))
      const names = options.tools ?? TOOLS
      const event = {
        sessionID: id,
        agent: "build",
        model: { id: "m1", providerID: "fake", variant: "default" },
        system: [{ type: "text", text: "You are opencode." }],
        ...settings,
        messages: structuredClone(history.slice(Math.max(compacted, 0))),
        tools: Object.fromEntries(names.map((name) => [name, { description: name, input: { type: "object" } }])),
      }
      await fire("session.context", event)
      return event
    }

    async function dispatch(): Promise<void> {
      promote()
      timeline.push("context")
      const { messages } = await contextEvent()
      requests.push(messages)
      dispatches.push(messages.map(shown))
      for (const inputID of promoted.splice(0)) emit("session.input.promoted", { sessionID: id, inputID })
    }
    const requests: (readonly V2Message[])[] = []

    async function runCalls(calls: readonly V2ToolStep[]): Promise<string[]> {
      const messageID = nextID("msg")
      const made = calls.map((step) => ({ step, callID: step.callID ?? nextID("call") }))
      const content = made.map(({ step, callID }) => ({
        type: "tool-call",
        id: callID,
        name: step.tool,
        input: step.args,
        providerExecuted: false,
      }))
      historyOf(id).push({ id: messageID, role: "assistant", content })
      const eventOf = ({ step, callID }: (typeof made)[number]) => ({
        tool: step.tool,
        sessionID: id,
        agent: settings.agent ?? "build",
        messageID,
        ...(options.later ? { id: callID } : { callID }),
        input: structuredClone(step.args),
      })

      const errors = new Map<string, string>()
      const starting = made.map(async (call) => {
        if (call.step.unavailable) {
          errors.set(call.callID, call.step.output)
          return
        }
        timeline.push(`execute.before ${call.callID}`)
        try {
          await fire("tool.execute.before", eventOf(call))
        } catch (error) {
          errors.set(call.callID, (error as Error).message)
        }
      })
      await Promise.all(starting)

      const running = made.filter(({ callID }) => !errors.has(callID))
      running.sort((one, other) => (one.step.ends ?? 0) - (other.step.ends ?? 0))
      const ending = running.map(async (call) => {
        await call.step.during?.()
        if (call.step.failed) errors.set(call.callID, call.step.output)
        timeline.push(`execute.after ${call.callID}`)
        await fire("tool.execute.after", { ...eventOf(call), ...outcomeOf(call.step) } satisfies ToolCall)
      })
      await Promise.all(ending)

      for (const { step, callID } of made) {
        const error = errors.get(callID)
        const result = step.shown ?? (error === undefined ? resultOf(step) : errorResult(error))
        const part = { type: "tool-result", id: callID, name: step.tool, result, providerExecuted: false }
        historyOf(id).push({ role: "tool", content: [part] })
        if (step.instructions !== undefined)
          inboxOf(id).push({ id: nextID("msg"), text: step.instructions, kind: "instructions" })
      }
      return made.flatMap(({ callID }) => errors.get(callID) ?? [])
    }

    function outcomeOf(step: ToolStep) {
      if (step.failed) return { ...status("error"), result: { type: "error", value: step.output } }
      const structured = step.structured ?? {}
      if (options.later) return { ...status("completed"), result: resultOf(step) }
      return { result: resultOf(step), output: { structured, content: contentOf(step) } }
    }
    const status = (value: string) => (options.later ? { status: value } : {})

    /** The host's loop. */
    async function runTurn(steps: readonly V2Step[]) {
      const first = dispatches.length
      const errors: string[] = []
      const queue = [...steps]
      let ended = "succeeded"
      emit("session.execution.started", { sessionID: id })
      for (;;) {
        await dispatch()
        const next = queue.shift() ?? "done"
        const step = typeof next === "object" && "kind" in next && next.kind === "answer" ? "done" : next
        if (next !== step) await (next as { during: () => unknown }).during()
        if (typeof step === "string") {
          historyOf(id).push({ id: nextID("msg"), role: "assistant", content: [{ type: "text", text: step }] })
          if (inboxOf(id).length === 0) break
          continue
        }
        if ("kind" in step) {
          if (step.kind === "retry") continue
          errors.push(...(await runCalls(step.calls)))
          ended = "interrupted"
          break
        }
        errors.push(...(await runCalls([step].flat() as readonly V2ToolStep[])))
      }
      emit(`session.execution.${ended}`, { sessionID: id })
      await quiet()
      return Object.assign(dispatches.slice(first), { errors })
    }

    function commitRevert(): void {
      if (revertFrom === undefined) return
      const from = historyOf(id).findIndex((message) => message.id === revertFrom)
      revertFrom = undefined
      if (from >= 0) historyOf(id).splice(from)
    }

    async function prompt(text: string, steps: readonly V2Step[], changed: V2Settings, command?: string) {
      settings = changed
      commitRevert()
      if (options.later) await fire("session.prompt", { sessionID: id, messageID: nextID("msg"), text })
      admit(text, command)
      return runTurn(steps)
    }

    return {
      id,
      dispatches,
      summaries,
      /** The messages of each provider request as they were sent. */
      requests,
      inbox: inboxOf(id),
      prompt: (text: string, steps: readonly V2Step[], changed: V2Settings = {}) => prompt(text, steps, changed),
      command: (name: string, template: string, steps: readonly V2Step[]) => prompt(template, steps, {}, name),
      /** A further prompt of the user while a turn runs. */
      steer: (text: string) => void admit(text),
      async compact() {
        const event = { sessionID: id, context: [] as string[] }
        if (options.later) await fire("session.compaction", event)
        summaries.push([...historyOf(id).map(shown), ...event.context])
        const summary = [{ type: "text", text: "a summary of what came before" }]
        historyOf(id).push({ id: nextID("msg_compaction"), role: "user", content: summary })
        emit("session.compaction.ended", { sessionID: id })
        await quiet()
        return event.context
      },
      revert(nth: number) {
        revertFrom = historyOf(id).filter(({ metadata }) => metadata !== undefined)[nth]?.id
      },
      stored: () => historyOf(id),
      storedWith: (text: string) => [
        ...historyOf(id).filter((message) => message.role === "user" && shown(message).includes(text)),
        ...inboxOf(id).filter((input) => input.text.includes(text)),
      ],
      /** As it is once the plugin has come to rest: it ends, and starts anew. */
      async state() {
        await restart()
        return project.readState(id)
      },
      async callTool(step: ToolStep) {
        const call = { tool: step.tool, sessionID: id, callID: nextID("call"), input: step.args }
        await fire("tool.execute.before", call)
        await fire("tool.execute.after", { ...call, ...outcomeOf(step) })
      },
      dispatch: async () => (await contextEvent()).messages.map(shown),
    }
  }

  return {
    ...project,
    log,
    prompts,
    timeline,
    events,
    context,
    session,
    fire,
    restart,
    async loadTwice() {
      const first = cleanup
      const second = await project.withEnvironment(() => setup(context))
      cleanup = async () => {
        await first()
        await second()
      }
    },
    stop: () => cleanup(),
    async [Symbol.asyncDispose]() {
      await cleanup()
      errorOutput.mockRestore()
      await project.remove()
    },
  }
}

/** Lets pass what a plugin does of its own accord, without a clock: events, and what follows from them. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function resultOf(step: ToolStep): unknown {
  return step.result ?? { type: "text", value: step.output }
}

function contentOf(step: ToolStep): unknown[] {
  const { type, value } = resultOf(step) as { type: string; value: unknown }
  if (type === "text") return [{ type: "text", text: value }]
  return type === "content" && Array.isArray(value) ? value : []
}

function errorResult(message: string) {
  return { type: "error", value: { error: { type: "tool.execution", message }, content: [], structured: {} } }
}

function shown({ role, content }: V2Message): string {
  return `${role}: ${[content].flat().map(shownPart).join("\n")}`
}

interface ShownPart {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly result?: { readonly type: string; readonly value: unknown }
}

function shownPart(part: unknown): string {
  const { type, text, name, result } = part as ShownPart
  if (type === "text") return text ?? ""
  if (type !== "tool-result") return `[${type} ${name}]`
  if (result?.type === "error") {
    return `[${name}] failed: ${(result.value as { error: { message: string } }).error.message}`
  }
  return `[${name}] ${typeof result?.value === "string" ? result.value : JSON.stringify(result?.value)}`
}

function entry<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}
