import { readdir, readFile } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import type { StoredEvent, StoredSession } from "@opencode-rulebook/server/dry-run"
import type { Project } from "../project.ts"

/** Finds the slash command that a prompt was expanded from; undefined where none or more than one could have made it. */
export type CommandOf = (prompt: string) => string | undefined

/** How much text of its own a template needs to be recognised, in characters. */
const SHORTEST = 8

/** The slash commands of a project as its files are now: an export of OpenCode 1 has the prompt that a command made, but not its name. */
export async function createCommandOf({ config, ruleDirectories }: Project): Promise<CommandOf> {
  const folders = ruleDirectories.filter(({ origin }) => origin === undefined).map(({ path }) => dirname(path))
  const files = folders.flatMap((folder) => ["command", "commands"].map((name) => templatesIn(join(folder, name))))
  const all = [...config.commandTemplates, ...(await Promise.all(files)).flat()]
  const templates = all.flatMap(([name, template]) => {
    const pieces = piecesOf(template)
    return pieces.join("").length < SHORTEST ? [] : [{ name, pieces }]
  })
  return (prompt) => {
    const names = new Set(templates.filter(({ pieces }) => hasInOrder(prompt, pieces)).map(({ name }) => name))
    return names.size === 1 ? [...names][0] : undefined
  }
}

/** A session with the commands of its prompts, as far as they can be recognised. */
export function withCommands(session: StoredSession, commandOf: CommandOf): StoredSession {
  const events = session.events.map((event): StoredEvent => {
    if (event.kind !== "prompt" || event.turn.command !== undefined || event.turn.prompt === undefined) return event
    return { ...event, turn: { ...event.turn, command: commandOf(event.turn.prompt) } }
  })
  return { ...session, events }
}

async function templatesIn(folder: string): Promise<(readonly [string, string])[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => [])
  const files = names.filter((name) => name.endsWith(".md"))
  return await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8").catch(() => "")
      return [
        name.slice(0, -".md".length).replaceAll(sep, "/"),
        text.replace(/^---\r?\n.*?\r?\n---\r?\n/s, ""),
      ] as const
    }),
  )
}

/** What of a template is in each prompt that it makes, in order: not its arguments, nor what its shell commands print. */
function piecesOf(template: string): readonly string[] {
  // What a template does not place stands behind it.
  return template.split(/\$ARGUMENTS|\$\d+|!`[^`]+`/).map((piece) => piece.trim())
}

/** A prompt begins with the first piece, and has the others behind it. */
function hasInOrder(prompt: string, pieces: readonly string[]): boolean {
  let from = 0
  for (const [index, piece] of pieces.entries()) {
    const at = prompt.indexOf(piece, from)
    if (at < 0 || (index === 0 && prompt.slice(0, at).trim() !== "")) return false
    from = at + piece.length
  }
  return true
}
