import { homedir } from "node:os"
import { join } from "node:path"
import { homeFolder, stateDirectory } from "@opencode-rulebook/rule-schema"
import type { LogLevel } from "../../engine/port.ts"
import { createHookBoundary } from "../../runtime/hook-boundary.ts"
import { claimEvent } from "../../runtime/instance.ts"
import { field, text } from "../shared/untyped.ts"
import { withDiffs, writesOf } from "../shared/writes.ts"
import { addToCompaction } from "./compaction.ts"
import { createPort } from "./deliver.ts"
import { meaningOf, type SessionEvent, watchEvents } from "./events.ts"
import { applyEdits, visibleHistory } from "./history.ts"
import type { ContextEvent, Registration, ToolCall, V2Context } from "./host.ts"
import { absolute } from "./location.ts"
import { type Log, openLogFile } from "./log-file.ts"
import { callID, hasFailed, observeToolResult, shownDiffs } from "./observe.ts"
import { explainMessages, type V2Session } from "./session.ts"
import { createSessions } from "./sessions.ts"
import { offeredTools } from "./tools.ts"

const LOG_FILE = "opencode-rulebook.log"

/** The plugin on OpenCode v2, with its log in the folder of the sidebar's states. What it returns ends everything that was set up. */
export function setup(context: V2Context): Promise<() => Promise<void>> {
  const env = { ...process.env }
  const folder = stateDirectory(env, homeFolder(env, homedir()))
  return setupWith(context, openLogFile(join(folder, LOG_FILE), Date.now))
}

/**
 * The plugin on OpenCode v2: hooks in, synthetic admissions out. The `context` hook alone writes to a dispatch. Nothing here
 * decides what applies or when it is delivered, and nothing but a blocked tool call leaves a hook as an exception.
 *
 * @param context what the host gives to a plugin.
 * @param log the plugin's own.
 * @returns ends everything that was set up.
 */
export async function setupWith(context: V2Context, log: Log): Promise<() => Promise<void>> {
  if (!hasHooks(context)) return async () => undefined
  const sessions = createSessions(context, createPort(context.session, log.write, Date.now))
  const guarded = createHookBoundary((message) => warn("error", message))
  /** Whether the host calls `prompt` for each prompt: what is pending is stored there, and never while a session is idle. */
  let tellsPrompts = typeof context.session.context === "function"
  let disposed = false

  function warn(level: LogLevel, message: string): void {
    log.write(level, message)
    sessions.notify(message)
  }

  async function onContext(event: ContextEvent): Promise<void> {
    const { sessionID, agent, model, messages } = event
    const session = sessions.open(sessionID)
    session.steps.dispatching()
    session.offered = offeredTools(event.tools)
    await explainMessages(session, context.session, sessionID, messages)
    const engine = await sessions.engine(sessionID)
    await engine.observed(sessionID, session.reads.settle(messages))
    const history = visibleHistory(messages, await engine.rules(sessionID), session.deliveries, session.tokens)
    const edits = await engine.dispatch(sessionID, history, {
      agent,
      model: model && { providerID: model.providerID, modelID: model.id },
      ...session.prompts.read(messages),
    })
    applyEdits(messages, edits)
  }

  async function onToolStarting(call: ToolCall): Promise<void> {
    const { sessionID, tool, input: args } = call
    const stopped = await guarded(async () => {
      const { steps } = sessions.open(sessionID)
      steps.callStarting(callID(call))
      const engine = await sessions.engine(sessionID)
      const paths = () => observeToolResult(call).observations.map(({ path }) => path)
      const writes = () => writesOf(tool, args)
      return engine.toolStarting({ sessionID, tool, args, paths, writes, isLast: steps.isIdle })
    })()
    if (stopped === undefined) return
    const session = sessions.open(sessionID)
    session.steps.callEnded(callID(call), false)
    throw session.blocked.block(call, stopped)
  }

  async function onToolEnded(call: ToolCall): Promise<void> {
    const { sessionID, tool, input: args } = call
    const engine = await sessions.engine(sessionID)
    const session = sessions.open(sessionID)
    const succeeded = !hasFailed(call)
    if (succeeded) {
      const { observations, unsure } = observeToolResult(call)
      if (unsure) session.reads.add(unsure)
      const writes = () => withDiffs(writesOf(tool, args), shownDiffs(call))
      await guarded(() => engine.toolSucceeded({ sessionID, tool, args }, observations, writes))()
    }
    if (stepIsOver(session, call, succeeded)) await engine.safePoint(sessionID, { isOver: session.steps.isIdle })
  }

  /**
   * A prompt of the user is about to be admitted: what is admitted now goes ahead of it, and is in the same request. Not so where the
   * prompt is queued: the host takes queued inputs when no other is left, so that ours would have a request of its own.
   */
  async function onPrompt(event: unknown): Promise<void> {
    const sessionID = text(event, "sessionID")
    if (sessionID === undefined) return
    tellsPrompts = true
    const session = sessions.open(sessionID)
    session.prompts.admitted(event)
    const isNext = session.steps.isIdle() && field(event, "delivery") !== "queue"
    const isOver = () => !session.steps.isIdle()
    if (isNext) await (await sessions.knownEngine(sessionID))?.safePoint(sessionID, { isOver })
  }

  async function onCompaction(event: object): Promise<void> {
    const sessionID = text(event, "sessionID")
    if (sessionID === undefined) return
    const engine = await sessions.knownEngine(sessionID)
    const told = await engine?.compacting(sessionID)
    if (told !== undefined) addToCompaction(event, told)
  }

  async function onEvent(event: SessionEvent): Promise<void> {
    const { sessionID, data } = event
    const meaning = meaningOf(event)
    if (meaning === undefined) return
    const session = sessions.peek(sessionID)
    switch (meaning.kind) {
      case "input":
        return (session ?? (isElsewhere(event) ? undefined : sessions.open(sessionID)))?.prompts.admitted(data)
      case "delivered":
        return (await sessions.knownEngine(sessionID))?.messagePromoted(sessionID, meaning.messageID)
      case "cancelled":
        return (await sessions.knownEngine(sessionID))?.messageRemoved(sessionID, meaning.messageID)
      case "not the user's":
        return session?.prompts.admitted({ id: meaning.messageID, type: "synthetic" })
      case "reverted":
        return (await sessions.knownEngine(sessionID))?.historyReverted(sessionID)
      case "started":
        return session?.steps.executionStarted()
      case "ended":
        if (session?.steps.executionEnded() && !tellsPrompts) setImmediate(guarded(onIdle), sessionID)
        return (await sessions.knownEngine(sessionID))?.turnEnded(sessionID)
      case "moved":
        return sessions.drop(sessionID)
      case "deleted": {
        const engine = await sessions.knownEngine(sessionID)
        sessions.drop(sessionID)
        return engine ? engine.closeSession(sessionID) : sessions.forget(sessionID)
      }
      default:
        return meaning satisfies never
    }
  }

  /**
   * Sessions of other folders have instances of their own; remembering theirs would push out this one's. The preview says of neither an
   * event nor an instance where it is.
   */
  function isElsewhere({ directory }: SessionEvent): boolean {
    return directory !== absolute(context.location)
  }

  /** Events can be late: those that came in with the end of an execution may say that the next one is under way. */
  async function onIdle(sessionID: string): Promise<void> {
    const isOver = () => disposed || !sessions.peek(sessionID)?.steps.isIdle()
    if (!isOver()) await (await sessions.engine(sessionID)).safePoint(sessionID, { isOver })
  }

  const self = {}
  let isTold = false
  /** Two names of the plugin make two copies of it, which get the very same events. */
  function once<E extends object>(hook: (event: E) => Promise<void>): (event: E) => Promise<void> {
    return async (event) => {
      if (claimEvent(event, self)) return hook(event)
      if (!isTold)
        warn("warn", "the plugin is loaded twice; name it once in the plugin lists. Only the first one works.")
      isTold = true
    }
  }

  const cleanups: (() => unknown)[] = [log.settled, sessions.settled]
  async function register(registration: Registration | Promise<Registration>): Promise<void> {
    const registered = await registration
    cleanups.push(() => registered?.dispose())
  }

  await guarded(async () => {
    await register(context.session.hook("context", guarded(once(onContext))))
    await register(context.tool.hook("execute.before", once(onToolStarting)))
    await register(context.tool.hook("execute.after", guarded(once(onToolEnded))))
    const failed = (error: unknown) =>
      warn(
        "warn",
        `OpenCode's events ended (${String(error)}); what a revert takes back may count as delivered until OpenCode is restarted`,
      )
    cleanups.push(watchEvents(() => context.event.subscribe(), guarded(onEvent), failed))
    await register(context.session.hook("prompt", guarded(once(onPrompt))))
    await register(context.session.hook("compaction", guarded(once(onCompaction))))
  })()

  return async () => {
    disposed = true
    for (const cleanup of cleanups.toReversed()) await guarded(async () => cleanup())()
  }
}

/** Calls in Code Mode have the id of their `execute`, and end before it. */
function stepIsOver({ steps }: V2Session, call: ToolCall, succeeded: boolean): boolean {
  const id = callID(call)
  return call.tool === "execute" ? steps.outerCallEnded(id, succeeded) : steps.callEnded(id, succeeded)
}

/**
 * Whether the host has the hooks that v2 is about. OpenCode 1.18.33 calls `setup` too, beside `server`, with a context that
 * has neither (measured): there is nothing to do there.
 */
function hasHooks(context: { readonly session?: unknown; readonly tool?: unknown }): boolean {
  return [context.session, context.tool].every((domain) => typeof field(domain, "hook") === "function")
}
