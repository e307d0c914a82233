import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Event } from "@opencode-ai/sdk/v2"
import { type Lab, type Project, type ProjectOptions, startLab } from "@opencode-rulebook/host-lab"
import { replaceFolder } from "../../../../scripts/replace-folder.ts"

type Asked = Extract<Event, { type: "permission.asked" }>["properties"]
export type Reply = "once" | "always" | "reject"

export const guardFolder = dirname(Bun.resolveSync("opencode-rulebook-bash-guard/package.json", import.meta.dir))

/** Builds the plugin as it is published, while tests beside this one may load it. */
export async function buildGuard(): Promise<void> {
  await replaceFolder(join(guardFolder, "dist"), async (folder) => {
    const command = [process.execPath, "build.ts", folder]
    const child = Bun.spawn(command, { cwd: guardFolder, stdout: "ignore", stderr: "pipe" })
    if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text())
  })
}

/**
 * A lab in which no command runs, whatever it is: the host starts a shell that does nothing. OpenCode 1.18.33 takes the
 * shell from `SHELL` (measured).
 */
export async function startLabThatRunsNothing(): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), "no-shell-"))
  const shell = join(folder, "bash")
  await writeFile(shell, "#!/bin/sh\nexit 0\n")
  await chmod(shell, 0o755)
  const lab = await startLab({ env: { SHELL: shell } })
  const stop = async (): Promise<void> => {
    await lab.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...lab, stop, [Symbol.asyncDispose]: stop }
}

/** A project that the guard watches, under these permissions. */
export function guardedProject(
  lab: Lab,
  permission: Record<string, unknown> | string,
  options: ProjectOptions = {},
): Promise<Project> {
  return lab.project({
    git: "main",
    plugins: [guardFolder],
    ...options,
    config: { permission, ...options.config },
  })
}

/** Answers every dialog of a project; `asked` has what was asked so far. */
export function answerDialogs(project: Project, answer: (asked: Asked) => Reply): { readonly asked: readonly Asked[] } {
  const asked: Asked[] = []
  const seen = new Set<string>()
  const isNew = (event: Event): event is Extract<Event, { type: "permission.asked" }> =>
    event.type === "permission.asked" && !seen.has(event.properties.id)
  async function follow(): Promise<void> {
    for (;;) {
      const event = await project.event(isNew)
      if (!isNew(event)) continue
      seen.add(event.properties.id)
      asked.push(event.properties)
      await project.client().permission.reply({ requestID: event.properties.id, reply: answer(event.properties) })
    }
  }
  void follow()
  return { asked }
}

export interface BashRun {
  readonly callID: string
  readonly status: string
  /** The tool's output, or the error that the model read. */
  readonly text: string
  readonly exit: unknown
  /** The command as the history has it. */
  readonly command: unknown
}

/** The outcome of a session's last bash call. */
export function lastRun(messages: Messages): BashRun {
  const last = bashRuns(messages).at(-1)
  if (last === undefined) throw new Error("no bash call in the session")
  return last
}

/** The outcomes of all bash calls of a session, in order. */
export function bashRuns(messages: Messages): readonly BashRun[] {
  const parts = messages.flatMap((message) => message.parts)
  return parts.filter(isBashPart).map(({ callID, state }) => ({
    callID,
    status: String(state["status"]),
    text: String(state["output"] ?? state["error"]),
    exit: isRecord(state["metadata"]) ? state["metadata"]["exit"] : undefined,
    command: isRecord(state["input"]) ? state["input"]["command"] : undefined,
  }))
}

/**
 * The guard's lines with this text in the host's log. The host writes its log on its own time: waits, within the test's own
 * limit, until there are as many as asked for.
 */
export async function guardLog(lab: Lab, text: string, least: number): Promise<string[]> {
  for (;;) {
    const lines = (await lab.log()).filter((line) => line.includes("bash-guard:") && line.includes(text))
    if (lines.length >= least) return lines
    await Bun.sleep(5)
  }
}

type Messages = readonly { readonly parts: readonly unknown[] }[]

export function fileIn(project: Project, name: string) {
  return Bun.file(join(project.directory, name))
}

function isBashPart(part: unknown): part is { readonly callID: string; readonly state: Record<string, unknown> } {
  return isRecord(part) && part["type"] === "tool" && part["tool"] === "bash" && isRecord(part["state"])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
