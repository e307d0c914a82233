import { join } from "node:path"
import { normalPermission, renamed, rulesOf, rulesOfList, type SourcedRule, withTools } from "./rules.ts"
import { type ConfigMap, type ConfigValue, emptyMap, leafAt, mapAt, mapOf, merge } from "./value.ts"

/** Folders that OpenCode's default rules name. */
export interface HostFolders {
  readonly home: string
  /** `$XDG_DATA_HOME`, or what stands for it. */
  readonly data: string
  readonly temporary: string
}

/** The rules of each agent, in the order in which they apply: the last one that matches wins. */
export interface AgentRules {
  readonly defaultAgent: string
  readonly agents: ReadonlyMap<string, readonly SourcedRule[]>
}

const rule = (permission: string, pattern: string, action: SourcedRule["action"]): SourcedRule => ({
  permission,
  pattern,
  action,
  origin: undefined,
  scope: "default",
})

/** The default rules about shell, files and folders, as OpenCode 1.18.33 lists them (measured); by `doom_loop` the guard knows its default about folders. */
function defaults1({ data, temporary }: HostFolders): readonly SourcedRule[] {
  return [
    rule("*", "*", "allow"),
    rule("doom_loop", "*", "ask"),
    rule("external_directory", "*", "ask"),
    rule("external_directory", join(data, "opencode/tool-output/*"), "allow"),
    rule("external_directory", join(temporary, "opencode/*"), "allow"),
  ]
}

/** What its own agents add to them (1.18.33, measured). */
function builtIn1(folders: HostFolders): Readonly<Record<string, readonly SourcedRule[]>> {
  const plans = [rule("edit", "*", "deny"), rule("edit", ".opencode/plans/*.md", "allow")]
  const explore = [rule("*", "*", "deny"), rule("bash", "*", "allow"), ...defaults1(folders).slice(2)]
  return { build: [], plan: plans, general: [], explore }
}

/** @param merged the whole configuration, merged; agents of files in their `permission`. */
export function agentRules1(merged: ConfigMap, folders: HostFolders): AgentRules {
  const { home, data } = folders
  const user = rulesOf(withTools(mapAt(merged, "tools"), mapAt(merged, "permission")), home, "user")
  const own = mapAt(merged, "agent").entries
  const builtIn = builtIn1(folders)
  const last = rule("external_directory", join(data, "opencode/tool-output/*"), "allow")
  const names = [...new Set([...Object.keys(builtIn), ...own.keys()])].filter(
    (name) => leafAt(own.get(name), "disable") !== true,
  )
  const agents = names.map((name): [string, readonly SourcedRule[]] => [
    name,
    [
      ...defaults1(folders),
      ...(builtIn[name] ?? []),
      ...user,
      ...rulesOf(mapAt(own.get(name), "permission"), home, "agent"),
      last,
    ],
  ])
  return { defaultAgent: nameOf(leafAt(merged, "default_agent")), agents: new Map(agents) }
}

/** One file's part of the configuration, so that merging works as on OpenCode 1: words are objects, `tools` of agents permissions. */
export function normalDocument1(value: ConfigMap): ConfigMap {
  const agents = merge(mapAt(value, "agent"), mapAt(value, "mode"))
  const own = [...agents.entries].map(([name, agent]) => [name, normalAgent1(agent)] as const)
  const permission = normalPermission(value.entries.get("permission"))
  return mapOf([...value.entries, ["permission", permission], ["agent", mapOf(own)]])
}

export function normalAgent1(agent: ConfigValue): ConfigValue {
  if (agent.kind !== "map") return agent
  const permission = withTools(mapAt(agent, "tools"), normalPermission(agent.entries.get("permission")))
  return mapOf([...agent.entries, ["permission", permission]])
}

function nameOf(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "build"
}

/** What 2.0.26 begins with (`schema/agent.ts`, `core/plugin/agent.ts`; read). */
const builtIn2: Readonly<Record<string, readonly SourcedRule[]>> = {
  build: [],
  general: [],
  explore: [rule("*", "*", "deny"), rule("shell", "*", "allow"), rule("external_directory", "*", "allow")],
}

/** @param documents whole configurations and single agents, in order; their rules are appended, not merged. */
export function agentRules2(
  documents: readonly { readonly agent: string | undefined; readonly value: ConfigMap }[],
  home: string,
): AgentRules {
  const whole = documents.filter(({ agent }) => agent === undefined).map(({ value }) => value)
  const user = whole.flatMap((value) => documentRules2(value, home, "user"))
  const agents = new Map(
    Object.entries(builtIn2).map(([name, own]) => [name, [rule("*", "*", "allow"), ...own, ...user]]),
  )
  const add = (name: string, value: ConfigValue): void => {
    if (leafAt(value, "disable") === true || leafAt(value, "disabled") === true) agents.delete(name)
    else
      agents.set(name, [
        ...(agents.get(name) ?? [rule("*", "*", "allow"), ...user]),
        ...documentRules2(value, home, "agent"),
      ])
  }
  for (const { agent, value } of documents) {
    if (agent !== undefined) add(agent, value)
    else
      for (const key of ["agent", "mode", "agents"]) for (const [name, own] of mapAt(value, key).entries) add(name, own)
  }
  const named = whole.map((value) => leafAt(value, "default_agent")).findLast((name) => name !== undefined)
  return { defaultAgent: nameOf(named), agents }
}

function documentRules2(value: ConfigValue, home: string, scope: SourcedRule["scope"]): readonly SourcedRule[] {
  if (value.kind !== "map") return []
  const legacy = withTools(mapAt(value, "tools"), emptyMap)
  return [
    ...renamed(rulesOf(legacy, home, scope)),
    ...renamed(rulesOf(normalPermission(value.entries.get("permission")), home, scope)),
    ...rulesOfList(value.entries.get("permissions"), scope),
  ]
}
