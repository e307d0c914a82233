import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { RuleDirectory } from "@opencode-rulebook/rule-schema"
import { type CompletionItem, CompletionItemKind } from "vscode-languageserver-types"
import { BUILT_IN_TOOLS } from "../built-in-tools.ts"
import { placeAt } from "./frontmatter-place.ts"
import { HOOK_KEYS, KEYS, type KeyReference } from "./reference.ts"
import type { Workspace } from "./workspace.ts"

/** OpenCode's own agents that a session can run in (measured on OpenCode 1.18.33). */
const BUILT_IN_AGENTS = ["build", "plan", "general", "explore"]

/** What can stand at a position: keys, or the values of a key. */
export async function completionsAt(
  text: string,
  line: number,
  character: number,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  const place = placeAt(text, line, character)
  switch (place.kind) {
    case "body":
      return []
    case "key":
      return place.isHook ? keys(HOOK_KEYS) : keys(KEYS)
    case "value":
      return values(await valuesOf(place.key, place.isHook, workspace))
    default:
      return place satisfies never
  }
}

function keys(references: readonly KeyReference[]): readonly CompletionItem[] {
  return references.map(({ key, description, example }) => ({
    label: key,
    kind: CompletionItemKind.Property,
    insertText: `${key}: `,
    detail: example,
    documentation: description,
  }))
}

function values(words: readonly string[]): readonly CompletionItem[] {
  return [...new Set(words)].map((label) => ({ label, kind: CompletionItemKind.Value }))
}

async function valuesOf(key: string, isHook: boolean, { project, config }: Workspace): Promise<readonly string[]> {
  const tools = [...BUILT_IN_TOOLS, ...config.mcpServers.map((name) => `mcp_${name}`)]
  if (isHook) {
    if (key === "type") return ["PreToolUse", "PostToolUse"]
    if (key === "tool") return [...BUILT_IN_TOOLS, "*"]
    return key === "block" ? ["true", "once"] : []
  }
  switch (key) {
    case "match":
      return ["any", "all"]
    case "agent":
      return [...BUILT_IN_AGENTS, ...(await namesIn(project.ruleDirectories, ["agent", "agents"]))]
    case "command":
      return await namesIn(project.ruleDirectories, ["command", "commands"])
    case "tools":
      return tools
    default:
      return KEYS.find((reference) => reference.key === key)?.values ?? []
  }
}

/** Agents and commands are files beside the rules folders, named after themselves. */
async function namesIn(directories: readonly RuleDirectory[], folders: readonly string[]): Promise<readonly string[]> {
  const names = directories.flatMap(({ path }) =>
    folders.map(async (folder) => {
      const entries = await readdir(join(dirname(path), folder)).catch(() => [])
      return entries.filter((name) => name.endsWith(".md")).map((name) => basename(name, ".md"))
    }),
  )
  return (await Promise.all(names)).flat()
}
