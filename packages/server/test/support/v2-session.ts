import type { ContextEvent, ToolCall, V2Message } from "../../src/hosts/v2/host.ts"
import type { Dispatch, ToolStep } from "./host.ts"
import { callPart, type MadeCall, readStep, resultMessage, shown, type V2Step, type V2ToolStep } from "./v2-calls.ts"
import { asAnswered, checkpoint, fromCheckpoint, type Input, type Stored, storedInput } from "./v2-history.ts"
import type { V2Line } from "./v2-line.ts"

export interface V2Settings {
  readonly agent?: string
  readonly model?: { readonly id: string; readonly providerID: string; readonly variant?: string }
}

/** What a session has of its host. */
export interface V2SessionHost {
  readonly line: V2Line
  readonly tools: readonly string[]
  nextID(prefix: string): string
  /** Calls a hook, by its full name. */
  fire(name: string, event: unknown): Promise<void>
  /** @param id the event's, where a message is made of it. */
  emit(type: string, data: Readonly<Record<string, unknown>>, id?: string): void
  /** Hooks and events in the order in which they happened. */
  readonly timeline: string[]
}

const BUILD = { agent: "build", model: { id: "m1", providerID: "fake", variant: "default" } }
const GO_ON = "The previous response was interrupted. Continue from where you left off."

/**
 * The loop of one session: inputs are promoted when a step starts, and a turn ends when an answer finds no further one. Where the
 * lines differ, and for all that July's recordings don't show, the section of docs/opencode-2.md is named.
 */
export function createV2Session(host: V2SessionHost, id: string, inbox: Input[], begins: readonly Stored[] = []) {
  const { fire, line, nextID, timeline } = host
  const isStable = line.name === "stable"
  const history: Stored[] = [...begins]
  const requests: (readonly V2Message[])[] = []
  const dispatches: Dispatch[] = []
  const summaries: Dispatch[] = []
  const scripted: V2Step[] = []
  let settings: V2Settings = {}
  let revertFrom: string | undefined
  let systemUpdate: string | undefined

  function emit(type: string, data: Readonly<Record<string, unknown>> = {}, messageID?: string): void {
    host.emit(type, { sessionID: id, ...data }, messageID?.replace("msg_", "evt_"))
  }

  function admit(input: Input): void {
    inbox.push(input)
    emit(...line.enqueued(input.id, { type: input.kind, text: input.text, delivery: input.delivery }))
  }

  /** All that steer, in order; a queued one only when none does, and only when a turn begins (Inbox). */
  function promotable(isBeginning: boolean): Input[] {
    const steering = inbox.filter(({ delivery }) => delivery === "steer")
    return steering.length > 0 || !isBeginning ? steering : inbox.slice(0, 1)
  }

  /** Makes history of what waits. Returns whose promotion is still to be told: July's events of it follow the dispatch (recorded). */
  function promote(isBeginning: boolean): Input[] {
    const inputs = promotable(isBeginning)
    for (const input of inputs) {
      inbox.splice(inbox.indexOf(input), 1)
      history.push(storedInput(input))
      if (input.kind === "instructions") emit("session.synthetic", { text: input.text }, input.id)
    }
    return inputs.filter(({ kind }) => kind !== "instructions")
  }

  function tellDelivered(inputs: readonly Input[]): void {
    for (const input of inputs) emit(...line.delivered(input.id))
  }

  function contextEvent(): ContextEvent & { readonly system: unknown[] } {
    return {
      sessionID: id,
      ...BUILD,
      ...settings,
      system: [{ type: "text", text: "You are opencode." }],
      messages: structuredClone(fromCheckpoint(history).map(({ message }) => message)),
      tools: Object.fromEntries(host.tools.map((name) => [name, { description: name, input: { type: "object" } }])),
    }
  }

  async function context(): Promise<readonly V2Message[]> {
    const event = contextEvent()
    await fire("session.context", event)
    return event.messages
  }

  /** @param isRepeated a step that the host repeats promotes nothing (Retries). */
  async function request(isBeginning: boolean, isRepeated: boolean): Promise<void> {
    // A change of instructions is stored before inputs are promoted, as a message without an id (Messages).
    if (systemUpdate !== undefined)
      history.push({ message: { role: "system", content: [{ type: "text", text: systemUpdate }] }, type: "system" })
    systemUpdate = undefined
    const promoted = isRepeated ? [] : promote(isBeginning)
    if (isStable) tellDelivered(promoted)
    timeline.push("context")
    const messages = await context()
    requests.push(messages)
    dispatches.push(messages.map(shown))
    if (!isStable) tellDelivered(promoted)
  }

  /** Runs calls in parallel. Returns the errors that some of them ended with. */
  async function runCalls(calls: readonly V2ToolStep[]): Promise<string[]> {
    const messageID = nextID("msg")
    const made = calls.map((step): MadeCall => ({ step, callID: step.callID ?? nextID("call") }))
    history.push({ message: { id: messageID, role: "assistant", content: made.map(callPart) }, type: "assistant" })
    const errors = new Map<string, string>()
    const thrown = new Map<string, Error>()

    async function startCall(call: MadeCall): Promise<void> {
      const { step, callID } = call
      if (step.unavailable) errors.set(callID, step.output)
      if (step.unavailable && !isStable) return
      timeline.push(`execute.before ${callID}`)
      try {
        await fire("tool.execute.before", hookEvent(call, messageID))
      } catch (error) {
        thrown.set(callID, error as Error)
        errors.set(callID, (error as Error).message)
      }
    }

    async function endCall(made: MadeCall): Promise<void> {
      const refusal = isStable ? await refusalOf(made, messageID) : undefined
      const call = refusal === undefined ? made : { ...made, step: { ...made.step, failed: true, output: refusal } }
      const { step, callID } = call
      for (const child of step.inside ?? []) await runInside({ step: child, callID }, messageID)
      await step.during?.()
      if (step.failed) errors.set(callID, step.output)
      timeline.push(`execute.after ${callID}`)
      await fire("tool.execute.after", { ...hookEvent(call, messageID), ...line.outcome(step) })
    }

    await Promise.all(made.map(startCall))
    const running = made.filter(({ callID }) => !errors.has(callID))
    await Promise.all(running.toSorted((one, other) => (one.step.ends ?? 0) - (other.step.ends ?? 0)).map(endCall))
    // What a plugin rejected is settled when all has ended, with the first one's message (Calls).
    const [first] = thrown.values()
    if (isStable && first) for (const callID of thrown.keys()) errors.set(callID, first.message)
    for (const call of made) {
      history.push({ message: resultMessage(line, call, errors.get(call.callID)), type: "tool" })
      const { instructions } = call.step
      if (instructions !== undefined)
        inbox.push({ id: nextID("msg"), text: instructions, kind: "instructions", delivery: "steer" })
    }
    return made.flatMap(({ callID }) => errors.get(callID) ?? [])
  }

  /** Plugins have a say in a permission before the call runs; one that is refused is a failed call (Calls). */
  async function refusalOf({ step, callID }: MadeCall, messageID: string): Promise<string | undefined> {
    const source = { type: "tool", messageID, id: callID }
    const event = { sessionID: id, action: step.tool, resources: [], source, effect: "allow", message: undefined }
    await fire("permission.evaluate", event)
    return event.effect === "deny" ? (event.message ?? "Permission denied") : undefined
  }

  /** A call in Code Mode fires both hooks, with its parent's id; a rejected one fails inside the code (Calls). */
  async function runInside(call: MadeCall, messageID: string): Promise<void> {
    const event = hookEvent(call, messageID)
    const isRejected = await fire("tool.execute.before", event).then(
      () => false,
      () => true,
    )
    if (!isRejected && !call.step.unavailable)
      await fire("tool.execute.after", { ...event, ...line.outcome(call.step) })
  }

  function hookEvent({ step, callID }: MadeCall, messageID: string): ToolCall & { readonly agent: string } {
    const { agent } = { ...BUILD, ...settings }
    return {
      tool: step.tool,
      sessionID: id,
      agent,
      messageID,
      ...line.callID(callID),
      input: structuredClone(step.args),
    }
  }

  /** Runs the session until nothing is left for it to do. */
  async function run(steps: readonly V2Step[]) {
    const first = dispatches.length
    const errors: string[] = []
    scripted.splice(0, scripted.length, ...steps)
    let open = true
    let isBeginning = true
    let isRepeated = false
    let outcome = "succeeded"
    emit("session.execution.started")
    while (open) {
      await request(isBeginning, isRepeated)
      isBeginning = false
      const step = readStep(scripted.shift() ?? "done")
      isRepeated = step.kind === "retry"
      switch (step.kind) {
        case "retry":
          break
        case "broken":
          history.push(saying("some words"), goOn())
          break
        case "answer":
          await step.during?.()
          history.push(saying(step.text))
          open = inbox.length > 0
          isBeginning = promotable(false).length === 0
          break
        default:
          errors.push(...(await runCalls(step.calls)))
          if (step.kind === "calls") break
          open = false
          outcome = step.kind === "fail" ? "failed" : "interrupted"
      }
    }
    emit(`session.execution.${outcome}`)
    await quiet()
    return Object.assign(dispatches.slice(first), { errors })
  }

  function saying(text: string): Stored {
    return { message: { id: nextID("msg"), role: "assistant", content: [{ type: "text", text }] }, type: "assistant" }
  }

  function goOn(): Stored {
    const input: Input = { id: nextID("msg"), text: GO_ON, kind: "synthetic", delivery: "steer" }
    emit("session.synthetic", { text: GO_ON }, input.id)
    return storedInput(input)
  }

  /** Deletes messages from a boundary on, and what came into the inbox behind it (Reverts). */
  function commitRevert(): void {
    const from = history.findIndex(({ message }) => message.id !== undefined && message.id === revertFrom)
    if (from < 0) return
    history.splice(from)
    if (isStable) inbox.splice(0)
    if (isStable) emit("session.revert.committed", { to: revertFrom })
    revertFrom = undefined
  }

  async function prompt(
    text: string,
    steps: readonly V2Step[],
    changed: V2Settings,
    delivery: Input["delivery"] = "steer",
  ) {
    settings = changed
    const input: Input = { id: nextID("msg"), text, kind: "user", delivery }
    // The hook is called before a revert is committed and before the input is admitted (Prompts).
    if (isStable) await fire("session.prompt", { sessionID: id, messageID: input.id, prompt: { text }, delivery })
    commitRevert()
    admit(input)
    return run(steps)
  }

  /** A message of the host's own, in the user's role and seldom with metadata (Messages). */
  function tell(type: "shell" | "skill", text: string, metadata?: object): void {
    const message = {
      id: nextID("msg"),
      role: "user",
      content: [{ type: "text", text }],
      ...(metadata ? { metadata } : {}),
    }
    history.push({ message, type })
    emit(type === "shell" ? "session.shell.started" : "session.skill.activated", {}, message.id)
  }

  return {
    id,
    inbox,
    dispatches,
    summaries,
    /** The messages of each provider request as they were sent. */
    requests,
    prompt: (text: string, steps: readonly V2Step[], changed: V2Settings = {}) => prompt(text, steps, changed),
    /** A prompt that waits for the end of the turn; on an idle session it begins one. */
    queue: (text: string, steps: readonly V2Step[]) => prompt(text, steps, {}, "queue"),
    /** Neither line names the command with what it expands to (Commands). */
    command: (_name: string, template: string, steps: readonly V2Step[]) => prompt(template, steps, {}),
    /** A further prompt of the user while a turn runs. */
    steer: (text: string) => admit({ id: nextID("msg"), text, kind: "user", delivery: "steer" }),
    /** The output of a `!` command. */
    shellOutput: (text: string, metadata?: object) => tell("shell", text, metadata),
    skill: (text: string) => tell("skill", text),
    /** The host's instructions change: told with the next request. */
    updateInstructions(text: string) {
      systemUpdate = text
    },
    /** @param keeps whether the newest messages stay in the checkpoint, as text. */
    async compact(keeps: "nothing" | "newest" = "nothing") {
      const event = { ...contextEvent(), result: undefined }
      const before = event.messages.length
      if (isStable) await fire("session.compaction", event)
      summaries.push([...event.messages.map(shown), "user: Summarise."])
      history.push(checkpoint(nextID("msg_compaction"), keeps === "newest" ? history : []))
      emit("session.compaction.ended")
      await quiet()
      return event.messages.slice(before).map((message) => shown(message).replace(/^user: /, ""))
    },
    /** Marks all from the nth prompt of the user on; nothing leaves before the next prompt (Reverts). */
    revert(nth: number) {
      revertFrom = history.filter(({ type }) => type === "user")[nth]?.message.id
    },
    /** Takes a revert back, which wakes the session: what waits in its inbox has a turn of its own (Inbox). */
    async redo() {
      revertFrom = undefined
      return inbox.length > 0 ? run([]) : []
    },
    /** The user stops a session that may be idle already, and it goes on with what steers (Inbox). */
    async interruptAndResume() {
      return inbox.some(({ delivery }) => delivery === "steer") ? run([]) : []
    },
    /** Takes an input out of the inbox. */
    cancel(inboxID: string) {
      inbox.splice(
        inbox.findIndex((input) => input.id === inboxID),
        1,
      )
      emit("session.inbox.cancelled", { inboxID })
    },
    stored: () => history.map(({ message }) => message),
    /** The same, with what dispatches don't tell. */
    records: (): readonly Stored[] => history,
    answered: () => asAnswered(history),
    storedWith: (text: string) => [
      ...history.filter(
        ({ type, message }) => type !== "compaction" && message.role === "user" && shown(message).includes(text),
      ),
      ...inbox.filter((input) => input.text.includes(text)),
    ],
    async callTool(step: ToolStep) {
      emit("session.execution.started")
      await quiet()
      const event = hookEvent({ step, callID: nextID("call") }, nextID("msg"))
      await fire("tool.execute.before", event)
      await fire("tool.execute.after", { ...event, ...line.outcome(step) })
    },
    dispatch: async () => (await context()).map(shown),
  }
}

/** Lets pass what a plugin does of its own accord, without a clock: events, and what follows from them. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
