import { rmSync } from "node:fs"
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { rgPath } from "@vscode/ripgrep"
import { onProcessEnd } from "./cleanup.ts"
import { type OpencodeServer, runOpencode, startServer } from "./opencode.ts"
import { openProject, type Project, type ProjectOptions } from "./project.ts"
import { type ScriptedProvider, startProvider } from "./provider.ts"
import { type Files, seedHome, writeFiles } from "./seed.ts"
import { startInspector } from "./whole/inspector.ts"

export type LabOptions = {
  /** More environment for the host. Nothing but PATH is inherited, and that gets the `rg` which glob and grep need. */
  readonly env?: Record<string, string>
  /** Rule files of the user: `<config>/opencode/rules/<name>`. */
  readonly globalRules?: Files
  /** The user's own `opencode.json`. */
  readonly opencodeConfig?: Record<string, unknown>
  /** The host's executable; this workspace's without it. */
  readonly binary?: string
  /** Why its requests are not checked to be whole: a person chooses the rules, the time is measured, or the plugin is another. */
  readonly unchecked?: string
}

export type Lab = AsyncDisposable & {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly provider: ScriptedProvider
  /** URL of the server that runs now; another one after `restart()`. */
  url(): string
  /** The process of that server. */
  pid(): number
  project(options?: ProjectOptions): Promise<Project>
  /** Runs an `opencode` command of its own process in a folder, with the lab's environment. */
  run(cwd: string, args: readonly string[]): ReturnType<typeof runOpencode>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Stops the server (if it still runs) and starts another on the same data. */
  restart(): Promise<void>
  /** Lines of the host's log file. */
  log(): Promise<string[]>
  stop(): Promise<void>
}

/**
 * Starts one real OpenCode server in scratch folders, and the scripted provider beside it. Every request is checked to be whole when its turn
 * has ended, or at the latest when the lab stops: see `checkRequest`.
 */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "host-lab-")))
  const folders = await seedHome(root)
  const config = join(root, "config", "opencode")
  const settings = { autoupdate: false, share: "disabled", ...options.opencodeConfig }
  await writeFiles(config, { "opencode.json": JSON.stringify(settings) })
  await writeFiles(join(config, "rules"), options.globalRules ?? {})
  // The host unpacks native libraries into the temporary folder at each start, and leaves them there.
  const scratch = join(root, "tmp")
  await mkdir(scratch)
  // The host's own list has thousands of models, which it decodes for each project: 1.5 s of processor time (measured on 1.18.33).
  const models = join(root, "models.json")
  await writeFiles(root, { "models.json": "{}" })
  const env = { ...hostEnvironment(), ...folders, TMPDIR: scratch, OPENCODE_MODELS_PATH: models, ...options.env }
  const home = join(root, "projects")
  await mkdir(home)

  const forget = onProcessEnd(() => rmSync(root, { recursive: true, force: true }))
  const provider = startProvider()
  const inspector = startInspector(root, provider, options.unchecked === undefined)
  const projects: Project[] = []
  let server: OpencodeServer = await startServer(home, env, options.binary)

  async function stop(): Promise<void> {
    await server.stop()
    await provider.stop()
    const wrong = await inspector.end().catch((fault: unknown) => fault)
    await rm(root, { recursive: true, force: true })
    forget()
    if (wrong !== undefined) throw wrong
  }

  return {
    root,
    env,
    provider,
    url: () => server.url,
    pid: () => server.pid,
    async project(projectOptions = {}) {
      const folder = join(home, projectOptions.name ?? `p${projects.length + 1}`)
      await mkdir(folder)
      const project = await openProject({ folder, env, provider, inspector, url: () => server.url }, projectOptions)
      projects.push(project)
      return project
    },
    run: (cwd, args) => runOpencode(cwd, env, args),
    kill: () => server.kill(),
    async restart() {
      await server.stop()
      server = await startServer(home, env, options.binary)
      for (const project of projects) project.listen()
    },
    async log() {
      const text = await readFile(join(root, "data", "opencode", "log", "opencode.log"), "utf8").catch(() => "")
      return text.split("\n").filter((line) => line !== "")
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function hostEnvironment(): Record<string, string> {
  return {
    PATH: [dirname(rgPath), process.env["PATH"]].join(delimiter),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_EXPERIMENTAL_LSP_TOOL: "true",
    GIT_CONFIG_NOSYSTEM: "1",
  }
}
