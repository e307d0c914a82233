import { tmpdir } from "node:os"
import { join } from "node:path"
import { type AgentRules, agentRules1, agentRules2, normalAgent1, normalDocument1 } from "./agents.ts"
import { type Document, readDocument } from "./documents.ts"
import { type CommandEnvironment, sourcesOf1, sourcesOf2 } from "./files.ts"
import { inGuardNames, invalidActions } from "./rules.ts"
import { type ConfigMap, emptyMap, fromPlain, mapAt, mapOf, merge, type Origin } from "./value.ts"

/** OpenCode's permissions as its files have them. */
export interface HostPermissions extends AgentRules {
  /** Whose way of reading them was taken. */
  readonly major: 1 | 2
  readonly problems: readonly { readonly origin: Origin; readonly reason: string }[]
}

/**
 * Reads the permissions of every agent, as OpenCode started in this folder would.
 *
 * @param major undefined: 2 when a file has a key that only version 2 knows.
 */
export function readPermissions(around: CommandEnvironment, major?: 1 | 2): HostPermissions {
  const documents1 = read(sourcesOf1(around), around)
  const chosen = major ?? (documents1.some(({ value }) => isOf2(value)) ? 2 : 1)
  const documents = chosen === 1 ? documents1 : read(sourcesOf2(around), around)
  const problems = documents.flatMap(problemsOf)
  const { home, env } = around
  if (chosen === 2) {
    const { defaultAgent, agents } = agentRules2(documents, home)
    const inNames = [...agents].map(([name, rules]) => [name, inGuardNames(rules)] as const)
    return { defaultAgent, agents: new Map(inNames), major: chosen, problems }
  }
  const data = env["XDG_DATA_HOME"] || join(home, ".local/share")
  const temporary = env["TMPDIR"] || tmpdir()
  const merged = documents.map(part1).reduce(merge, emptyMap)
  const rules = agentRules1(merge(merged, fromEnvironment(env)), { home, data, temporary })
  return { ...rules, major: chosen, problems }
}

function read(sources: ReturnType<typeof sourcesOf1>, { env }: CommandEnvironment): readonly Document[] {
  return sources.flatMap((source) => readDocument(source, env) ?? [])
}

function problemsOf({ agent, value, problem }: Document): HostPermissions["problems"] {
  const agents = agent === undefined ? ["agent", "mode"].flatMap((key) => [...mapAt(value, key).entries.values()]) : []
  const permissions = [value, ...agents].map((part) =>
    part.kind === "map" ? part.entries.get("permission") : undefined,
  )
  return [...(problem === undefined ? [] : [problem]), ...permissions.flatMap(invalidActions)]
}

/** Version 1 refuses a file with `permissions`, and does not know the others. */
function isOf2({ entries }: ConfigMap): boolean {
  return ["permissions", "agents", "plugins"].some((key) => entries.has(key))
}

function part1({ agent, value }: Document): ConfigMap {
  if (agent === undefined) return normalDocument1(value)
  return mapOf([["agent", mapOf([[agent, normalAgent1(value)]])]])
}

/** `$OPENCODE_PERMISSION` is JSON, merged over everything (1.18.33, measured). */
function fromEnvironment(env: CommandEnvironment["env"]): ConfigMap {
  const text = env["OPENCODE_PERMISSION"]
  if (!text) return emptyMap
  try {
    const permission = fromPlain(JSON.parse(text), { file: "$OPENCODE_PERMISSION", line: 1 })
    return normalDocument1(mapOf([["permission", permission]]))
  } catch {
    return emptyMap
  }
}
