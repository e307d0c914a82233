import { basename, join } from "node:path"
import { createOpencodeClient, type Event, type OpencodeClient } from "@opencode-ai/sdk/v2"
import type { ScriptedProvider } from "./provider.ts"
import type { ProviderRequest } from "./request.ts"
import {
  type Files,
  initGit,
  linkTypescript,
  lspConfig,
  mcpConfig,
  type PluginSpec,
  providerConfig,
  seedConfigFolder,
  writeFiles,
} from "./seed.ts"
import { openSession, type Session } from "./session.ts"
import type { Inspector } from "./whole/inspector.ts"

export type ProjectOptions = {
  /** The folder's name, of letters, digits and hyphens; p1, p2 … when left out. */
  readonly name?: string
  readonly files?: Files
  /** Rule files of the project: `.opencode/rules/<name>`. */
  readonly rules?: Files
  readonly plugins?: readonly PluginSpec[]
  /** Plugins of the TUI: `.opencode/tui.json` names them. */
  readonly tuiPlugins?: readonly PluginSpec[]
  /** More `opencode.json`, beside the provider and the plugins. A function gets the provider's URL for this project. */
  readonly config?: Record<string, unknown> | ((baseURL: string) => Record<string, unknown>)
  /** Makes the folder a git repository on this branch, all files committed. */
  readonly git?: string
  /** Makes the `lsp` tool answer for TypeScript files. */
  readonly lsp?: boolean
  /** Starts an MCP server of each of these names; its tool is `<name>_echo`, with a `text`. */
  readonly mcp?: readonly string[]
  /** The host works in this folder below the project's root. */
  readonly subfolder?: string
  /** Texts that other plugins add to user messages, or that attachments come to: nobody else's are in any request. */
  readonly others?: readonly string[]
}

export type Project = {
  readonly key: string
  /** The folder that the host works in. */
  readonly directory: string
  readonly client: () => OpencodeClient
  /** Absolute path of a file of the project. */
  path(relative: string): string
  session(id?: string): Promise<Session>
  /** Every provider request of this project, titles included. */
  requests(): ProviderRequest[]
  /** Every event that the host published for this folder since the project was opened. */
  events(): readonly Event[]
  /** The first event that fits, past or future. */
  event(fits: (event: Event) => boolean): Promise<Event>
  /** Follows the events of the server that runs now; the lab calls it after a restart. */
  listen(): void
}

export type ProjectHost = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly provider: ScriptedProvider
  readonly inspector: Inspector
  readonly url: () => string
}

/** Seeds the folder as a project and listens to the host's events for it. */
export async function openProject(host: ProjectHost, options: ProjectOptions): Promise<Project> {
  const key = basename(host.folder)
  const directory = options.subfolder ? join(host.folder, options.subfolder) : host.folder
  const config = configOf(host.provider.url(key), options)
  await seedProject(host, config, options)
  const templates = templatesOf(config)
  await host.inspector.open({ folder: host.folder, templates, others: options.others ?? [] })
  const client = () => createOpencodeClient({ baseUrl: host.url(), directory })
  const events: Event[] = []
  const waiting = new Set<(event: Event) => void>()

  function listen(): void {
    void follow(client(), (event) => {
      events.push(event)
      for (const wake of waiting) wake(event)
    })
  }

  listen()
  return {
    key,
    directory,
    client,
    path: (relative) => join(host.folder, relative),
    session: (id) => openSession({ key, client, templates, provider: host.provider, inspector: host.inspector }, id),
    requests: () => host.provider.requests.filter((request) => request.project === key),
    events: () => events,
    event(fits) {
      const past = events.find(fits)
      if (past) return Promise.resolve(past)
      return new Promise((found) => {
        const wake = (event: Event) => {
          if (!fits(event)) return
          waiting.delete(wake)
          found(event)
        }
        waiting.add(wake)
      })
    },
    listen,
  }
}

type Config = Readonly<Record<string, unknown>>

/** The project's `opencode.json`. */
function configOf(baseURL: string, options: ProjectOptions): Config {
  return {
    ...providerConfig(baseURL),
    plugin: options.plugins ?? [],
    ...(options.lsp ? { lsp: lspConfig() } : {}),
    ...(options.mcp ? { mcp: mcpConfig(options.mcp) } : {}),
    ...(typeof options.config === "function" ? options.config(baseURL) : options.config),
  }
}

/** The templates of a config's slash commands, by name. */
function templatesOf({ command = {} }: Config): Record<string, string> {
  const commands = Object.entries(command as Readonly<Record<string, { readonly template: string }>>)
  return Object.fromEntries(commands.map(([name, { template }]) => [name, template]))
}

async function seedProject(host: ProjectHost, config: Config, options: ProjectOptions): Promise<void> {
  const dotFiles = Object.keys(options.files ?? {}).some((path) => path.startsWith(".opencode/"))
  if (options.rules || options.tuiPlugins || dotFiles) await seedConfigFolder(join(host.folder, ".opencode"))
  await writeFiles(host.folder, { "opencode.json": JSON.stringify(config, undefined, 2), ...options.files })
  await writeFiles(join(host.folder, ".opencode", "rules"), options.rules ?? {})
  if (options.tuiPlugins) {
    await writeFiles(host.folder, { ".opencode/tui.json": JSON.stringify({ plugin: options.tuiPlugins }) })
  }
  if (options.lsp) await linkTypescript(host.folder)
  if (options.git) await initGit(host.folder, options.git, { ...host.env })
}

/** Reads the host's event stream until it ends; the server's stop or kill is an end like another. */
async function follow(client: OpencodeClient, take: (event: Event) => void): Promise<void> {
  try {
    const { stream } = await client.event.subscribe(undefined, { sseMaxRetryAttempts: 1 })
    for await (const event of stream) take(event)
  } catch {
    return
  }
}
