import { homedir } from "node:os"
import type { Hooks, PluginInput } from "@opencode-ai/plugin"
import type { UserMessage } from "@opencode-ai/sdk"
import { homeFolder } from "@opencode-rulebook/rule-schema"
import type { Turn } from "../../engine/session.ts"
import { createLruMap } from "../../lru-map.ts"
import { createRuntime } from "../../runtime/runtime.ts"
import { createMessageTokens, type MessageTokens } from "../shared/message-tokens.ts"
import { diffsOf } from "../shared/unified-diff.ts"
import { withDiffs, writesOf } from "../shared/writes.ts"
import { isHostsOwnCall, rejectCall } from "./block.ts"
import { parentOf } from "./client.ts"
import { createCommands } from "./commands.ts"
import { appendedParts, createPort } from "./deliver.ts"
import { applyEdits } from "./edits.ts"
import { newestUserMessage, sessionOf, visibleHistory, writtenText } from "./history.ts"
import { partID } from "./ids.ts"
import { createInitiator, type Initiator } from "./initiator.ts"
import { observeToolResult } from "./observe.ts"
import { isOwnMessage, keepAlone } from "./own-message.ts"
import { createTools } from "./tools.ts"
import { createTurns, type Turns } from "./turns.ts"

/** What the adapter itself must remember of a session between hooks. */
interface V1Session {
  newest: UserMessage | undefined
  readonly turns: Turns
  readonly initiator: Initiator
  readonly tokens: MessageTokens
}

/**
 * The plugin on OpenCode v1: hooks in, no-reply prompts out. Nothing here decides what applies or when it is delivered,
 * and nothing but a blocked tool call leaves a hook as an exception.
 *
 * @param input what the host gives to a plugin.
 * @param rawOptions the plugin's options from `opencode.json`, not yet validated.
 */
export async function server(input: PluginInput, rawOptions?: unknown): Promise<Hooks> {
  const { client, directory } = input
  /** The ids of the deliveries that are on their way into the history. */
  const storing = new Set<string>()
  const runtime = createRuntime({
    host: "OpenCode 1",
    directory,
    worktree: input.worktree,
    env: process.env,
    home: homeFolder(process.env, homedir()),
    rawOptions,
    createPort: () => createPort(client, (sessionID) => sessions.peek(sessionID)?.newest, storing),
    instructions: async () => (await client.config.get()).data?.instructions,
    tools: (sessionID) => tools.offered(sessionID, sessions.peek(sessionID)?.newest),
  })
  runtime.announce()
  const { engine } = runtime
  const sessions = createLruMap<V1Session>({
    most: runtime.options.maxSessions,
    create: () => ({
      newest: undefined,
      turns: createTurns(),
      initiator: createInitiator(),
      tokens: createMessageTokens(),
    }),
  })
  /** Sessions whose next message transform is a summary's: the host announces it right before. */
  const summaries = new Set<string>()
  const commands = createCommands()
  const tools = createTools(client, runtime.options.maxSessions)

  /** The slash command of a prompt. A command that runs as a subtask is the turn's in the session that does the work, too. */
  async function commandOf(sessionID: string, parts: Parameters<typeof writtenText>[0]): Promise<string | undefined> {
    const given = commands.take(sessionID, parts)
    if (given !== undefined) return given
    const candidates = commands.subtasks(writtenText(parts))
    const parentID = candidates.length > 0 ? await parentOf(client, sessionID) : undefined
    const subtask = candidates.find((one) => one.parentID === parentID)
    if (subtask) commands.subtaskBegan(subtask)
    return subtask?.name
  }

  function turnEnded(sessionID: string): void {
    sessions.peek(sessionID)?.turns.ended()
    engine.turnEnded(sessionID)
  }

  const hooks = {
    "command.execute.before": runtime.guarded(async ({ command, sessionID }, { parts }) => {
      commands.expanded(sessionID, command, parts)
    }),

    "chat.message": runtime.guarded(async ({ sessionID }, output) => {
      const { message, parts } = output
      const session = sessions.open(sessionID)
      if (isOwnMessage(parts, storing)) return keepAlone(client, output, session.newest)
      session.newest = message
      const written = parts.some((part) => !("synthetic" in part && part.synthetic))
      if (written) session.turns.prompted()
      const command = await commandOf(sessionID, parts)
      const turn = settingsOf(message)
      const asked = written ? { prompt: writtenText(parts), promptID: message.id, command } : {}
      const handed = await engine.prompt(sessionID, { ...turn, ...asked })
      if (handed) parts.push(...appendedParts(handed, message, partID(parts)))
    }),

    "experimental.chat.messages.transform": runtime.guarded(async (_input, { messages }) => {
      // The list is empty for the summary of a session without history, and for nothing else.
      const sessionID = sessionOf(messages) ?? [...summaries].at(-1)
      if (sessionID === undefined || summaries.delete(sessionID)) return
      const session = sessions.open(sessionID)
      session.turns.dispatching()
      session.newest = newestUserMessage(messages)
      const turn = session.newest ? settingsOf(session.newest) : {}
      const before = messages.at(-1)
      applyEdits(messages, await engine.dispatch(sessionID, visibleHistory(messages, session.tokens), turn))
      session.initiator.dispatched(before, messages.at(-1))
    }),

    "chat.headers": runtime.guarded(async ({ sessionID, agent, model, message }, { headers }) => {
      sessions.peek(sessionID)?.initiator.mark({ agent, model, message }, headers)
    }),

    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const { turns } = sessions.open(sessionID)
      turns.callStarted(callID)
      const { args } = output
      const isLast = () => isHostsOwnCall(callID) || turns.isIdle()
      const paths = () => observeToolResult({ tool, args }, undefined).map(({ path }) => path)
      const call = { sessionID, tool, args, paths, writes: () => writesOf(tool, args), isLast }
      const stopped = await runtime.guarded(() => engine.toolStarting(call))()
      await runtime.guarded(() => engine.safePoint(sessionID, { callID, isOver: () => turns.isEarlier(callID) }))()
      if (stopped !== undefined) rejectCall(callID, args, stopped)
    },

    "tool.execute.after": runtime.guarded(async (call, output) => {
      // A command's subtask that failed has no output; other calls that fail don't come here (measured on OpenCode 1.18.33).
      if (output === undefined) return
      const { sessionID, tool, args, callID } = call
      const { turns } = sessions.open(sessionID)
      const event = { sessionID, tool, args }
      const writes = () => withDiffs(writesOf(tool, args), diffsOf(output.metadata))
      const taken = engine.toolSucceeded(event, observeToolResult({ tool, args }, output), writes)
      // After an abort the host settles the call as it comes to it: a wait here would change how.
      if (turns.isOver(callID)) return void runtime.guarded(() => taken)()
      await taken
      await engine.safePoint(sessionID, { callID, isOver: () => turns.isEarlier(callID) })
    }),

    "experimental.session.compacting": runtime.guarded(async ({ sessionID }, output) => {
      summaries.add(sessionID)
      engine.compacted(sessionID)
      const context = await engine.compacting(sessionID)
      if (context !== undefined) output.context.push(context)
    }),

    event: runtime.guarded(async ({ event }) => {
      tools.happened(event)
      switch (event.type) {
        case "message.removed":
          return engine.messageRemoved(event.properties.sessionID, event.properties.messageID)
        case "message.part.removed":
          // Of a message that may carry several deliveries and the user's own text: the history tells what is left.
          engine.messageRemoved(event.properties.sessionID, event.properties.messageID)
          return engine.compacted(event.properties.sessionID)
        case "session.idle":
        case "session.error":
          return event.properties.sessionID === undefined ? undefined : turnEnded(event.properties.sessionID)
        case "session.status":
          return event.properties.status.type === "idle" ? turnEnded(event.properties.sessionID) : undefined
        case "session.deleted":
          return engine.closeSession(event.properties.info.id)
        default:
      }
    }),

    dispose: runtime.dispose,
  } satisfies Hooks
  return hooks
}

function settingsOf(message: UserMessage): Pick<Turn, "agent" | "model"> {
  return { agent: message.agent, model: message.model }
}
