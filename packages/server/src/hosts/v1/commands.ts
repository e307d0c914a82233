import type { Part } from "@opencode-ai/sdk"
import { writtenText } from "./history.ts"

/** Commands remembered: some never become a prompt, because another plugin or the host stops them. */
const MOST = 32

/** Finds the slash command that a prompt came from. The host names it in an event of its own, ahead of the prompt. */
export interface Commands {
  /** A command was expanded into these parts, which other plugins may still change in place. */
  expanded(sessionID: string, name: string, parts: readonly Part[]): void
  /** The command that this prompt came from, if any. Each is found once. */
  take(sessionID: string, parts: readonly Part[]): string | undefined
  /** The commands whose subtask may have this prompt, with the session that they were given in. */
  subtasks(prompt: string): readonly Subtask[]
  /** A subtask's own session has begun with its prompt. */
  subtaskBegan(subtask: Subtask): void
}

export interface Subtask {
  readonly parentID: string
  readonly name: string
  readonly prompt: string
}

interface Expanded {
  readonly sessionID: string
  readonly name: string
  readonly parts: readonly Part[]
  /** Whether a prompt of the session has come since that was not its own. */
  isPassed: boolean
}

/** The commands of one host process. */
export function createCommands(): Commands {
  const waiting: Expanded[] = []
  const subtasks: Subtask[] = []
  return {
    expanded(sessionID, name, parts) {
      remember(waiting, { sessionID, name, parts, isPassed: false })
    },
    take(sessionID, parts) {
      const at = indexOf(waiting, sessionID, writtenText(parts))
      const [found] = at < 0 ? [] : waiting.splice(at, 1)
      for (const other of waiting) if (other.sessionID === sessionID) other.isPassed = true
      if (!found) return undefined
      for (const part of parts) {
        if (part.type === "subtask") remember(subtasks, { parentID: sessionID, name: found.name, prompt: part.prompt })
      }
      return found.name
    },
    subtasks: (prompt) => subtasks.filter((subtask) => subtask.prompt === prompt),
    subtaskBegan(subtask) {
      const at = subtasks.indexOf(subtask)
      if (at >= 0) subtasks.splice(at, 1)
    },
  }
}

/**
 * Two commands can be on their way at once: the text tells them apart. A plugin may have added to it meanwhile; that is
 * not looked for in a command whose time has passed, as it may never have become a prompt.
 */
function indexOf(waiting: readonly Expanded[], sessionID: string, text: string): number {
  const find = (fits: (one: Expanded) => boolean) =>
    waiting.findIndex((one) => one.sessionID === sessionID && fits(one))
  const exact = find(({ parts }) => writtenText(parts) === text)
  return exact >= 0 ? exact : find(({ parts, isPassed }) => !isPassed && text.includes(writtenText(parts)))
}

function remember<T>(list: T[], entry: T): void {
  list.push(entry)
  if (list.length > MOST) list.shift()
}
