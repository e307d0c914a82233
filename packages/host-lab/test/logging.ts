import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Lab, PluginSpec, Project, ProjectOptions } from "../src/index.ts"

/** What the logging plugin adds where it is to add something. */
export const NOTE = "a note of the plugin"

export type LogLine = {
  readonly kind: string
  readonly input: Record<string, unknown>
  readonly output: Record<string, unknown>
}

type Act = "note" | "note-with-own-ids" | "part" | "first-part" | "slow" | "meet" | "push" | "throw"
type Acts = Readonly<Record<string, Act>>

/** A project with the logging plugin, which does in each hook what `acts` says, and the plugin's lines so far. */
export async function loggedProject(lab: Lab, acts: Acts = {}, options: ProjectOptions = {}) {
  const file = join(lab.root, `hooks-${crypto.randomUUID()}.jsonl`)
  const project: Project = await lab.project({ others: [NOTE], ...options, plugins: [loggingPlugin(file, acts)] })
  return { project, lines: () => linesOf(file) }
}

/** The logging plugin, writing to a file. */
export function loggingPlugin(file: string, acts: Acts = {}): PluginSpec {
  return [join(import.meta.dir, "fixtures", "logging-plugin"), { file, acts }]
}

/** The whole lines that the logging plugin has written so far. */
export async function linesOf(file: string): Promise<LogLine[]> {
  const text = await readFile(file, "utf8")
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LogLine)
}

/** The kinds of these lines in order, those of no interest left out. */
export function kindsOf(lines: readonly LogLine[], interest: RegExp): string[] {
  return lines.map((line) => line.kind).filter((kind) => interest.test(kind))
}

type Shown = { readonly info: { role: string; summary?: unknown }; readonly parts: { type: string; text?: string }[] }

/** What each transform showed, as `role:text or part type` per message. */
export function transformsOf(lines: readonly LogLine[]): string[][] {
  return lines
    .filter((line) => line.kind === "experimental.chat.messages.transform")
    .map((line) => (line.output["messages"] as Shown[]).map(show))
}

function show(message: Shown): string {
  const parts = message.parts.filter((part) => !part.type.startsWith("step-"))
  return `${message.info.role}:${parts.map((part) => part.text ?? part.type).join("+")}`
}
