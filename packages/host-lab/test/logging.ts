import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Lab, Project, ProjectOptions } from "../src/index.ts"

export type LogLine = {
  readonly kind: string
  readonly input: Record<string, unknown>
  readonly output: Record<string, unknown>
}

type Acts = Readonly<Record<string, "note" | "note-with-own-ids" | "part" | "push" | "throw">>

/** A project with the logging plugin, which does in each hook what `acts` says, and the plugin's lines so far. */
export async function loggedProject(lab: Lab, acts: Acts = {}, options: ProjectOptions = {}) {
  const file = join(lab.root, `hooks-${crypto.randomUUID()}.jsonl`)
  const plugin = join(import.meta.dir, "fixtures", "logging-plugin")
  const project: Project = await lab.project({ ...options, plugins: [[plugin, { file, acts }]] })
  const lines = async (): Promise<LogLine[]> =>
    (await readFile(file, "utf8"))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as LogLine)
  return { project, lines }
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
