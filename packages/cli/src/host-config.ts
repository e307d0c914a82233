import { readFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import { parse } from "jsonc-parser/lib/esm/main.js"
import type { Io } from "./io.ts"
import type { Project } from "./project.ts"

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
  /** Files and patterns that OpenCode sends by itself. */
  readonly instructions: readonly unknown[]
}

type Settings = Readonly<Record<string, unknown>>

/**
 * Reads `opencode.json` and `opencode.jsonc` where OpenCode does: in the user's configuration, at `$OPENCODE_CONFIG`, in each
 * project folder, then in each `.opencode`. Later files win. What can't be read declares nothing. Never rejects.
 */
export async function readHostConfig(project: Project, { cwd, env }: Io): Promise<HostConfig> {
  const own = env["OPENCODE_CONFIG"]
  const global = project.ruleDirectories.filter(({ scope }) => scope === "global")
  const projects = project.ruleDirectories.filter(({ scope }) => scope === "project")
  const files = [
    ...global.flatMap(({ path }) => configFiles(dirname(path))),
    ...(own ? [resolve(cwd, own)] : []),
    ...projects.flatMap(({ root }) => configFiles(root)),
    ...projects.flatMap(({ path }) => configFiles(dirname(path))),
  ]
  const layers = await Promise.all(files.map(readSettings))
  const servers = new Map(layers.flatMap((layer) => Object.entries(objectAt(layer, "mcp"))))
  return {
    agent: lastOf(layers, "default_agent") ?? "build",
    model: (agent) =>
      lastOf(
        layers.map((layer) => objectAt(objectAt(layer, "agent"), agent)),
        "model",
      ) ?? lastOf(layers, "model"),
    mcpServers: [...servers].filter(([, server]) => !isOff(server)).map(([name]) => name),
    projectCommands: pluginOption(layers, "projectCommands"),
    projectLinks: pluginOption(layers, "projectLinks"),
    instructions: layers.flatMap(({ instructions }): unknown[] => (Array.isArray(instructions) ? instructions : [])),
  }
}

function configFiles(folder: string): readonly string[] {
  return ["opencode.json", "opencode.jsonc"].map((name) => join(folder, name))
}

async function readSettings(path: string): Promise<Settings> {
  try {
    const value: unknown = parse(await readFile(path, "utf8"), [], { allowTrailingComma: true })
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** An option of this plugin alone, by what plugin entries say of it. The two majors of OpenCode write entries differently. */
function pluginOption(layers: readonly Settings[], name: string): boolean {
  const lists = layers.flatMap((layer) => [layer["plugin"], layer["plugins"]])
  const entries = lists.flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  const values = entries.flatMap((entry) => {
    const options: unknown = Array.isArray(entry) ? entry[1] : isRecord(entry) ? entry["options"] : undefined
    return isRecord(options) && name in options ? [options[name]] : []
  })
  return values.at(-1) === true
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
