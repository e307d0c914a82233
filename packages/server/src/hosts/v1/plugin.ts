import { homedir } from "node:os"
import type { Hooks, PluginInput } from "@opencode-ai/plugin"
import type { UserMessage } from "@opencode-ai/sdk"
import type { Turn } from "../../engine/session.ts"
import { createLruMap } from "../../lru-map.ts"
import { createRuntime } from "../../runtime/runtime.ts"
import { appendedPart, createPort } from "./deliver.ts"
import {
  applyEdits,
  isOwnMessage,
  newestUserMessage,
  restoreReminders,
  sessionOf,
  visibleHistory,
  writtenText,
} from "./history.ts"
import { partID } from "./ids.ts"
import { observeToolResult } from "./observe.ts"
import { availableTools } from "./tools.ts"

/** What the adapter itself must remember of a session between hooks. */
interface V1Session {
  newest: UserMessage | undefined
  /** The slash command whose expanded prompt comes next. */
  command: string | undefined
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
  const runtime = createRuntime({
    directory,
    worktree: input.worktree,
    env: process.env,
    home: process.env["HOME"] ?? homedir(),
    rawOptions,
    createPort: () => createPort(client, (sessionID) => sessions.peek(sessionID)?.newest),
    instructions: async () => (await client.config.get()).data?.instructions,
    tools: (sessionID) => availableTools(client, sessionID, sessions.peek(sessionID)?.newest),
  })
  const { engine } = runtime
  const sessions = createLruMap<V1Session>({
    most: runtime.options.maxSessions,
    create: () => ({ newest: undefined, command: undefined }),
  })
  /** Sessions whose next message transform is a summary's: the host announces it right before. */
  const summaries = new Set<string>()

  return {
    "command.execute.before": runtime.guarded(async ({ command, sessionID }) => {
      sessions.open(sessionID).command = command
    }),

    "chat.message": runtime.guarded(async ({ sessionID }, { message, parts }) => {
      if (isOwnMessage(parts)) return
      const session = sessions.open(sessionID)
      session.newest = message
      const { command } = session
      session.command = undefined
      const written = parts.some((part) => !("synthetic" in part && part.synthetic))
      const turn = settingsOf(message)
      const handed = await engine.prompt(sessionID, written ? { ...turn, prompt: writtenText(parts), command } : turn)
      if (handed) parts.push(appendedPart(handed, message, partID(parts)))
    }),

    "experimental.chat.messages.transform": runtime.guarded(async (_input, { messages }) => {
      // The list is empty for the summary of a session without history, and for nothing else.
      const sessionID = sessionOf(messages) ?? [...summaries].at(-1)
      if (sessionID === undefined || summaries.delete(sessionID)) return
      const session = sessions.open(sessionID)
      restoreReminders(messages)
      session.newest = newestUserMessage(messages) ?? session.newest
      const turn = session.newest ? settingsOf(session.newest) : {}
      applyEdits(messages, await engine.dispatch(sessionID, visibleHistory(messages), turn))
    }),

    "tool.execute.before": async ({ tool, sessionID }, output) => {
      const blocked = await runtime.guarded(() => engine.toolStarting({ sessionID, tool, args: output.args }))()
      await runtime.guarded(() => engine.freeMoment(sessionID))()
      if (blocked !== undefined) throw new Error(blocked)
    },

    "tool.execute.after": runtime.guarded(async (call, output) => {
      const { sessionID, tool, args } = call
      const event = { sessionID, tool, args }
      await engine.toolSucceeded(event, observeToolResult({ tool, args }, output))
      await engine.freeMoment(sessionID)
    }),

    "experimental.session.compacting": runtime.guarded(async ({ sessionID }, output) => {
      summaries.add(sessionID)
      engine.compacted(sessionID)
      const context = await engine.workingContext(sessionID)
      if (context !== undefined) output.context.push(context)
    }),

    event: runtime.guarded(async ({ event }) => {
      if (event.type === "message.removed")
        engine.messageRemoved(event.properties.sessionID, event.properties.messageID)
      if (event.type === "message.part.removed") {
        engine.messageRemoved(event.properties.sessionID, event.properties.messageID)
      }
      if (event.type === "session.deleted") {
        sessions.drop(event.properties.info.id)
        engine.closeSession(event.properties.info.id)
      }
    }),

    dispose: runtime.dispose,
  }
}

function settingsOf(message: UserMessage): Pick<Turn, "agent" | "model"> {
  return { agent: message.agent, model: message.model }
}
