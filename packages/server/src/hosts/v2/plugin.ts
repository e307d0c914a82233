import { createHookBoundary } from "../../runtime/hook-boundary.ts"
import { claimEvent } from "../../runtime/instance.ts"
import { field, text } from "../shared/untyped.ts"
import { addToCompaction } from "./compaction.ts"
import { createPort, writeLog } from "./deliver.ts"
import { type SessionEvent, watchEvents } from "./events.ts"
import { applyEdits, visibleHistory } from "./history.ts"
import type { ContextEvent, Registration, ToolCall, V2Context } from "./host.ts"
import { hasFailed, observeToolResult } from "./observe.ts"
import { createSessions } from "./sessions.ts"
import { availableTools } from "./tools.ts"

/**
 * The plugin on OpenCode v2: hooks in, synthetic admissions out. The `context` hook alone writes to a dispatch. Nothing here
 * decides what applies or when it is delivered, and nothing but a blocked tool call leaves a hook as an exception.
 *
 * @param context what the host gives to a plugin.
 * @returns ends everything that was set up.
 */
export async function setup(context: V2Context): Promise<() => Promise<void>> {
  if (!hasHooks(context)) return async () => undefined
  const guarded = createHookBoundary((message) => writeLog("error", message))
  const sessions = createSessions(context, createPort(context.session, Date.now))
  let disposed = false

  async function onContext(event: ContextEvent): Promise<void> {
    const { sessionID, agent, model, messages } = event
    const session = sessions.open(sessionID)
    session.steps.dispatching()
    session.tools = availableTools(event.tools)
    const engine = await sessions.engine(sessionID)
    const edits = await engine.dispatch(sessionID, visibleHistory(messages, await engine.rules(sessionID)), {
      agent,
      model: model && { providerID: model.providerID, modelID: model.id },
      ...session.prompts.read(messages),
    })
    applyEdits(messages, edits)
  }

  async function onToolStarting(call: ToolCall): Promise<void> {
    const { sessionID, tool, input: args } = call
    const blocked = await guarded(async () => {
      sessions.open(sessionID).steps.callStarting(callID(call))
      const engine = await sessions.engine(sessionID)
      return engine.toolStarting({ sessionID, tool, args })
    })()
    if (blocked === undefined) return
    sessions.open(sessionID).steps.callEnded(callID(call), false)
    throw new Error(blocked)
  }

  async function onToolEnded(call: ToolCall): Promise<void> {
    const { sessionID, tool, input: args } = call
    const engine = await sessions.engine(sessionID)
    const event = { sessionID, tool, args }
    const succeeded = !hasFailed(call)
    if (succeeded) await guarded(() => engine.toolSucceeded(event, observeToolResult(call)))()
    if (sessions.open(sessionID).steps.callEnded(callID(call), succeeded)) await engine.freeMoment(sessionID)
  }

  async function onPrompt(event: unknown): Promise<void> {
    const sessionID = text(event, "sessionID")
    if (sessionID !== undefined) sessions.open(sessionID).prompts.admitted(event)
  }

  async function onCompaction(event: object): Promise<void> {
    const sessionID = text(event, "sessionID")
    if (sessionID === undefined) return
    const engine = await sessions.knownEngine(sessionID)
    const told = await engine?.workingContext(sessionID)
    if (told !== undefined) addToCompaction(event, told)
  }

  async function onEvent({ type, sessionID, data }: SessionEvent): Promise<void> {
    switch (type) {
      case "session.input.admitted":
        return sessions.open(sessionID).prompts.admitted(data)
      case "session.input.promoted":
        return (await sessions.knownEngine(sessionID))?.messagePromoted(sessionID, text(data, "inputID") ?? "")
      case "session.execution.started":
        return sessions.peek(sessionID)?.steps.executionStarted()
      case "session.execution.succeeded":
      case "session.execution.failed":
      case "session.execution.interrupted":
        if (sessions.peek(sessionID)?.steps.executionEnded()) setImmediate(guarded(onIdle), sessionID)
        return
      case "session.deleted": {
        const engine = await sessions.knownEngine(sessionID)
        sessions.drop(sessionID)
        engine?.closeSession(sessionID)
      }
    }
  }

  /** Events can be late: those that came in with the end of an execution may say that the next one is under way. */
  async function onIdle(sessionID: string): Promise<void> {
    if (!disposed && sessions.peek(sessionID)?.steps.isIdle())
      await (await sessions.engine(sessionID)).freeMoment(sessionID)
  }

  const self = {}
  let isTold = false
  /** Two names of the plugin make two copies of it, which get the very same events. */
  function once<E extends object>(hook: (event: E) => Promise<void>): (event: E) => Promise<void> {
    return async (event) => {
      if (claimEvent(event, self)) return hook(event)
      if (!isTold)
        writeLog("warn", "the plugin is loaded twice; name it once in the plugin lists. Only the first one works.")
      isTold = true
    }
  }

  const cleanups: (() => unknown)[] = [sessions.settled]
  async function register(registration: Registration | Promise<Registration>): Promise<void> {
    const registered = await registration
    cleanups.push(() => registered?.dispose())
  }

  await guarded(async () => {
    await register(context.session.hook("context", guarded(once(onContext))))
    await register(context.tool.hook("execute.before", once(onToolStarting)))
    await register(context.tool.hook("execute.after", guarded(once(onToolEnded))))
    const failed = (error: unknown) => writeLog("warn", `the host's events ended (${String(error)})`)
    cleanups.push(watchEvents(() => context.event.subscribe(), guarded(onEvent), failed))
    await register(context.session.hook("prompt", guarded(onPrompt)))
    await register(context.session.hook("compaction", guarded(once(onCompaction))))
  })()

  return async () => {
    disposed = true
    for (const cleanup of cleanups.toReversed()) await guarded(async () => cleanup())()
  }
}

/**
 * Whether the host has the hooks that v2 is about. OpenCode 1.18.33 calls `setup` too, beside `server`, with a context that
 * has neither (measured): there is nothing to do there.
 */
function hasHooks(context: { readonly session?: unknown; readonly tool?: unknown }): boolean {
  return [context.session, context.tool].every((domain) => typeof field(domain, "hook") === "function")
}

function callID(call: ToolCall): string {
  return call.callID ?? call.id ?? call.tool
}
