import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import { parse } from "jsonc-parser/lib/esm/main.js"
import type { Io } from "./io.ts"
import { listedPlugins } from "./listed-plugins.ts"

/** What of OpenCode's configuration decides a turn's defaults, and what becomes of rules. */
export interface HostConfig {
  /** The agent that a session begins with. */
  readonly agent: string
  /** `provider/model` of that agent; undefined when no file names one, and OpenCode chooses. */
  model(agent: string): string | undefined
  /** Names of the MCP servers that are not turned off. */
  readonly mcpServers: readonly string[]
  /** The plugin's option `projectCommands`. */
  readonly projectCommands: boolean
  /** The plugin's option `projectLinks`. */
  readonly projectLinks: boolean
  /** The templates of slash commands, by name. */
  readonly commandTemplates: readonly (readonly [name: string, template: string])[]
  /** Files and patterns that OpenCode sends by itself. */
  readonly instructions: readonly unknown[]
  /** What the files name, turned off or not. */
  readonly declared: DeclaredNames
  /** The plugin's options as the user wrote them. */
  readonly pluginOptions: Readonly<Record<string, unknown>>
}

/** Names that configuration gives. */
export interface DeclaredNames {
  readonly agents: readonly string[]
  readonly commands: readonly string[]
  readonly mcpServers: readonly string[]
  /** `modelID` and `providerID/modelID`. */
  readonly models: readonly string[]
  /** Whether there is another plugin, which may add any of these, or configuration that no file has. */
  readonly hasMore: boolean
}

type Settings = Readonly<Record<string, unknown>>

/** Where OpenCode's configuration is: the user's folder, and the project's folders, the outermost first. All absolute. */
export interface ConfigPlaces {
  readonly user: string
  readonly project: readonly string[]
}

/**
 * Reads `opencode.json` and `opencode.jsonc` where OpenCode does. Later files win. What can't be read declares nothing. Never rejects.
 */
export async function readHostConfig(places: ConfigPlaces, io: Pick<Io, "cwd" | "env">): Promise<HostConfig> {
  const layers = await Promise.all(hostConfigFiles("opencode", places, io).map(readSettings))
  const servers = new Map(layers.flatMap((layer) => Object.entries(objectAt(layer, "mcp"))))
  const options = layers.flatMap(pluginOptions).at(-1) ?? {}
  return {
    agent: lastOf(layers, "default_agent") ?? "build",
    model: (agent) =>
      lastOf(
        layers.map((layer) => objectAt(objectAt(layer, "agent"), agent)),
        "model",
      ) ?? lastOf(layers, "model"),
    mcpServers: [...servers].filter(([, server]) => !isOff(server)).map(([name]) => name),
    projectCommands: options["projectCommands"] === true,
    projectLinks: options["projectLinks"] === true,
    commandTemplates: layers.flatMap((layer) => Object.entries(objectAt(layer, "command")).flatMap(templateOf)),
    instructions: layers.flatMap(({ instructions }): unknown[] => (Array.isArray(instructions) ? instructions : [])),
    declared: declaredNames(layers, Boolean(io.env["OPENCODE_CONFIG_CONTENT"])),
    pluginOptions: options,
  }
}

/**
 * The files that OpenCode, or its TUI, reads its configuration from, whether they are there or not, in its order: those in the user's
 * configuration, the one at `$OPENCODE_CONFIG`, those in each project folder, then those in each `.opencode`.
 */
export function hostConfigFiles(
  stem: "opencode" | "tui",
  { user, project }: ConfigPlaces,
  { cwd, env }: Pick<Io, "cwd" | "env">,
): readonly string[] {
  const filesIn = (folder: string) => [join(folder, `${stem}.json`), join(folder, `${stem}.jsonc`)]
  const own = stem === "opencode" ? env["OPENCODE_CONFIG"] : undefined
  return [
    ...filesIn(user),
    ...(own ? [resolve(cwd, own)] : []),
    ...project.flatMap(filesIn),
    ...project.flatMap((folder) => filesIn(join(folder, ".opencode"))),
  ]
}

function declaredNames(layers: readonly Settings[], isInline: boolean): DeclaredNames {
  const keysOf = (...keys: readonly string[]) =>
    layers.flatMap((layer) => keys.flatMap((key) => Object.keys(objectAt(layer, key))))
  const agents = layers.flatMap((layer) => [...Object.values(objectAt(layer, "agent")), layer])
  const chosen = agents.flatMap((settings) => (isRecord(settings) ? [settings["model"], settings["small_model"]] : []))
  const offered = layers.flatMap((layer) =>
    Object.entries(objectAt(layer, "provider")).flatMap(([provider, settings]) =>
      isRecord(settings) ? Object.keys(objectAt(settings, "models")).map((id) => `${provider}/${id}`) : [],
    ),
  )
  const models = [...chosen, ...offered].filter((model) => typeof model === "string")
  return {
    agents: keysOf("agent", "agents", "mode"),
    commands: keysOf("command", "commands"),
    mcpServers: keysOf("mcp"),
    models: models.flatMap((model) => [model, model.slice(model.indexOf("/") + 1)]),
    hasMore: isInline || layers.some((layer) => listedPlugins(layer).some(({ spec }) => !isOurs(spec))),
  }
}

function templateOf([name, command]: [string, unknown]): (readonly [string, string])[] {
  const template = isRecord(command) ? command["template"] : undefined
  return typeof template === "string" ? [[name, template]] : []
}

/** Plugins of this repository add no tool, agent or command. */
function isOurs(name: unknown): boolean {
  return typeof name === "string" && (OWN_ENTRY.test(name) || GUARD_ENTRY.test(name))
}

async function readSettings(path: string): Promise<Settings> {
  try {
    const value: unknown = parse(await readFile(path, "utf8"))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** A package's name with or without a version, a folder or file of a package of that name. */
const OWN_ENTRY = /(?:^|[\\/])opencode-rulebook(?:@[^\\/]*)?(?:[\\/].*)?$/
const GUARD_ENTRY = /(?:^|[\\/])(?:opencode-rulebook-)?bash-guard(?:@[^\\/]*)?(?:[\\/].*)?$/
/** Options of this plugin alone: they tell it where its entry is a path with another name. */
const OWN_OPTIONS = ["projectCommands", "projectLinks", "maxSessions", "receipts", "maxTokens", "rulesOf", "packs"]

/** The options of each entry of this plugin, `{}` where it has none. */
function pluginOptions(layer: Settings): readonly Settings[] {
  return listedPlugins(layer).flatMap(({ spec, options: given }): Settings[] => {
    const options = isRecord(given) ? given : {}
    const isOwn = typeof spec === "string" && OWN_ENTRY.test(spec)
    return isOwn || OWN_OPTIONS.some((key) => Object.hasOwn(options, key)) ? [options] : []
  })
}

function isOff(server: unknown): boolean {
  return isRecord(server) && (server["enabled"] === false || server["disabled"] === true)
}

function lastOf(layers: readonly Settings[], key: string): string | undefined {
  const values = layers.map((layer) => layer[key])
  return values.findLast((value): value is string => typeof value === "string" && value !== "")
}

function objectAt(settings: Settings, key: string): Settings {
  const value = settings[key]
  return isRecord(value) ? value : {}
}
