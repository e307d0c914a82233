import type { ContextEvent, V2Message } from "../../src/hosts/v2/host.ts"
import type { Dispatch, ToolStep } from "./host.ts"
import { callPart, type MadeCall, outcomeOf, resultMessage, shown, type V2Step, type V2ToolStep } from "./v2-calls.ts"

export interface V2Settings {
  readonly agent?: string
  readonly model?: { readonly id: string; readonly providerID: string; readonly variant?: string }
}

/** What waits to become history. */
export interface Input {
  readonly id: string
  readonly text: string
  readonly kind: "user" | "synthetic" | "instructions"
}

/** What a session has of its host. */
export interface V2SessionHost {
  readonly later: boolean
  readonly tellsCommand: boolean
  readonly tools: readonly string[]
  nextID(prefix: string): string
  /** Calls a hook, by its full name. */
  fire(name: string, event: unknown): Promise<void>
  emit(type: string, data: Readonly<Record<string, unknown>>): void
  /** Hooks and events in the order in which they happened. */
  readonly timeline: string[]
}

const BUILD = { agent: "build", model: { id: "m1", providerID: "fake", variant: "default" } }

/** The loop of one session: inputs are promoted when a step starts, and a turn ends when an answer finds no further one. */
export function createV2Session(host: V2SessionHost, id: string, inbox: Input[]) {
  const { emit, fire, later, nextID, timeline } = host
  const history: V2Message[] = []
  const requests: (readonly V2Message[])[] = []
  const dispatches: Dispatch[] = []
  const summaries: Dispatch[] = []
  let settings: V2Settings = {}
  let revertFrom: string | undefined

  function admit(text: string, command?: string): void {
    const input: Input = { id: nextID("msg"), text, kind: "user" }
    inbox.push(input)
    const data = { text, files: [], ...(host.tellsCommand ? { command } : {}) }
    const described = { type: "user", data, delivery: "steer" }
    emit("session.input.admitted", { inputID: input.id, sessionID: id, input: described })
  }

  /** Makes history of what waits. Returns whose promotion is still to be told: events of it follow the dispatch (recorded). */
  function promote(): Input[] {
    const inputs = inbox.splice(0)
    for (const { id: messageID, text, kind } of inputs) {
      const message = { id: messageID, role: "user", content: [{ type: "text", text }] }
      history.push(kind === "user" ? { ...message, metadata: {} } : message)
      if (kind === "instructions") emit("session.synthetic", { sessionID: id, text })
    }
    return inputs.filter(({ kind }) => kind !== "instructions")
  }

  async function context(): Promise<readonly V2Message[]> {
    const compacted = history.findLastIndex((message) => message.id?.startsWith("msg_compaction"))
    const event: ContextEvent & { readonly system: unknown[] } = {
      sessionID: id,
      ...BUILD,
      ...settings,
      system: [{ type: "text", text: "You are opencode." }],
      messages: structuredClone(history.slice(Math.max(compacted, 0))),
      tools: Object.fromEntries(host.tools.map((name) => [name, { description: name, input: { type: "object" } }])),
    }
    await fire("session.context", event)
    return event.messages
  }

  async function request(): Promise<void> {
    const promoted = promote()
    timeline.push("context")
    const messages = await context()
    requests.push(messages)
    dispatches.push(messages.map(shown))
    for (const { id: inputID } of promoted) emit("session.input.promoted", { sessionID: id, inputID })
  }

  /** Runs calls in parallel. Returns the errors that some of them ended with. */
  async function runCalls(calls: readonly V2ToolStep[]): Promise<string[]> {
    const messageID = nextID("msg")
    const made = calls.map((step): MadeCall => ({ step, callID: step.callID ?? nextID("call") }))
    history.push({ id: messageID, role: "assistant", content: made.map(callPart) })
    const errors = new Map<string, string>()

    async function startCall(call: MadeCall): Promise<void> {
      const { step, callID } = call
      if (step.unavailable) return void errors.set(callID, step.output)
      timeline.push(`execute.before ${callID}`)
      try {
        await fire("tool.execute.before", hookEvent(call, messageID))
      } catch (error) {
        errors.set(callID, (error as Error).message)
      }
    }

    async function endCall(call: MadeCall): Promise<void> {
      const { step, callID } = call
      await step.during?.()
      if (step.failed) errors.set(callID, step.output)
      timeline.push(`execute.after ${callID}`)
      await fire("tool.execute.after", { ...hookEvent(call, messageID), ...outcomeOf(step, later) })
    }

    await Promise.all(made.map(startCall))
    const running = made.filter(({ callID }) => !errors.has(callID))
    await Promise.all(running.toSorted((one, other) => (one.step.ends ?? 0) - (other.step.ends ?? 0)).map(endCall))
    for (const call of made) {
      history.push(resultMessage(call, errors.get(call.callID)))
      const { instructions } = call.step
      if (instructions !== undefined) inbox.push({ id: nextID("msg"), text: instructions, kind: "instructions" })
    }
    return made.flatMap(({ callID }) => errors.get(callID) ?? [])
  }

  function hookEvent({ step, callID }: MadeCall, messageID: string) {
    const { agent } = { ...BUILD, ...settings }
    const named = later ? { id: callID } : { callID }
    return { tool: step.tool, sessionID: id, agent, messageID, ...named, input: structuredClone(step.args) }
  }

  async function runTurn(steps: readonly V2Step[]) {
    const first = dispatches.length
    const errors: string[] = []
    const queue = [...steps]
    let open = true
    let outcome = "succeeded"
    emit("session.execution.started", { sessionID: id })
    while (open) {
      await request()
      const step = readStep(queue.shift() ?? "done")
      switch (step.kind) {
        case "retry":
          break
        case "answer":
          await step.during?.()
          history.push({ id: nextID("msg"), role: "assistant", content: [{ type: "text", text: step.text }] })
          open = inbox.length > 0
          break
        default:
          errors.push(...(await runCalls(step.calls)))
          if (step.kind === "calls") break
          open = false
          outcome = "interrupted"
      }
    }
    emit(`session.execution.${outcome}`, { sessionID: id })
    await quiet()
    return Object.assign(dispatches.slice(first), { errors })
  }

  function commitRevert(): void {
    const from = history.findIndex((message) => message.id !== undefined && message.id === revertFrom)
    revertFrom = undefined
    if (from >= 0) history.splice(from)
  }

  async function prompt(text: string, steps: readonly V2Step[], changed: V2Settings, command?: string) {
    settings = changed
    commitRevert()
    if (later) await fire("session.prompt", { sessionID: id, messageID: nextID("msg"), text })
    admit(text, command)
    return runTurn(steps)
  }

  return {
    id,
    inbox,
    dispatches,
    summaries,
    /** The messages of each provider request as they were sent. */
    requests,
    prompt: (text: string, steps: readonly V2Step[], changed: V2Settings = {}) => prompt(text, steps, changed),
    command: (name: string, template: string, steps: readonly V2Step[]) => prompt(template, steps, {}, name),
    /** A further prompt of the user while a turn runs. */
    steer: (text: string) => admit(text),
    async compact() {
      const event = { sessionID: id, context: [] as string[] }
      if (later) await fire("session.compaction", event)
      summaries.push([...history.map(shown), ...event.context])
      const summary = [{ type: "text", text: "a summary of what came before" }]
      history.push({ id: nextID("msg_compaction"), role: "user", content: summary })
      emit("session.compaction.ended", { sessionID: id })
      await quiet()
      return event.context
    },
    revert(nth: number) {
      revertFrom = history.filter(({ metadata }) => metadata !== undefined)[nth]?.id
    },
    stored: () => history,
    storedWith: (text: string) => [
      ...history.filter((message) => message.role === "user" && shown(message).includes(text)),
      ...inbox.filter((input) => input.text.includes(text)),
    ],
    async callTool(step: ToolStep) {
      const event = hookEvent({ step, callID: nextID("call") }, nextID("msg"))
      await fire("tool.execute.before", event)
      await fire("tool.execute.after", { ...event, ...outcomeOf(step, later) })
    },
    dispatch: async () => (await context()).map(shown),
  }
}

type ReadStep =
  | { readonly kind: "answer"; readonly text: string; readonly during?: () => unknown }
  | { readonly kind: "calls" | "interrupt"; readonly calls: readonly V2ToolStep[] }
  | { readonly kind: "retry" }

function readStep(step: V2Step): ReadStep {
  if (typeof step === "string") return { kind: "answer", text: step }
  if (!("kind" in step)) return { kind: "calls", calls: [step].flat() as readonly V2ToolStep[] }
  return step.kind === "answer" ? { ...step, text: "done" } : step
}

/** Lets pass what a plugin does of its own accord, without a clock: events, and what follows from them. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
