import { type CompiledRule, parseRule, type Rulebook } from "@opencode-rulebook/rule-schema"
import { createEngine, type Engine } from "../packages/server/src/engine/engine.ts"
import type { ReceiptSink } from "../packages/server/src/engine/receipts/sink.ts"

export const ROOT = "/home/dev/app"
const ENDINGS = ["ts", "rs", "go", "py", "css"]

/** The text of one of many rule files: even ones ask for five literals each, odd ones for a path. */
export function ruleText(index: number): string {
  const literals = Array.from({ length: 5 }, (_, place) => `"call${index}.method${place}("`)
  const condition =
    index % 2 === 0
      ? `fileContains: [${literals.join(", ")}]`
      : `globs: "packages/p${index % 50}/**/*.${ENDINGS[index % ENDINGS.length]}"`
  return `---\n${condition}\n---\nGuidance ${index}: keep it short.\n`
}

/** The same with every kind of condition that projects have: files, words of the prompt, the agent. */
export function mixedRuleText(index: number): string {
  const conditions = [
    `keywords: [deploy${index}, "release ${index}"]`,
    `globs: "packages/p${index % 50}/**/*.${ENDINGS[index % ENDINGS.length]}"\nfileContains: "call${index}("`,
    `match: all\nglobs: "src/part${index}/**"\nagent: [build]`,
  ]
  return `---\n${conditions[index % conditions.length]}\n---\nGuidance ${index}: keep it short.\n`
}

export function manyRules(count: number): readonly CompiledRule[] {
  return Array.from({ length: count }, (_, index) => compiled(`r${index}`, ruleText(index)))
}

/** Rules that ask for a tool which is not there. */
export function toolRules(count: number): readonly CompiledRule[] {
  return Array.from({ length: count }, (_, index) =>
    compiled(`t${index}`, `---\ntools: [mcp_server${index}, lsp]\n---\nText.\n`),
  )
}

/** Rules without conditions. */
export function alwaysRules(count: number): readonly CompiledRule[] {
  return Array.from({ length: count }, (_, index) =>
    compiled(`a${index}`, `Guidance ${index}: ${"keep it short. ".repeat(50)}`),
  )
}

export function compiled(name: string, text: string): CompiledRule {
  const directory = { scope: "project", path: `${ROOT}/.opencode/rules`, root: ROOT, prefix: "" } as const
  const parsed = parseRule({ directory, path: `${directory.path}/${name}.md`, text })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

/** Text that looks like source and that no rule of `manyRules` asks for. */
export function sourceText(length: number): string {
  const words = "const return function import export await async interface string number session path result".split(" ")
  const lines: string[] = []
  for (let size = 0, line = 0; size < length; line += 1) {
    const text = `  ${words[line % words.length]} value${line} = ${words[(line * 7) % words.length]}(options, ${line * 31})`
    lines.push(text)
    size += text.length + 1
  }
  return lines.join("\n").slice(0, length)
}

/** What OpenCode 1.18 shows of a file that was read. */
export function readOutput(path: string, content: string): string {
  const lines = content.split("\n").map((line, index) => `${index + 1}: ${line}`)
  const end = `(End of file - total ${lines.length} lines)\n</content>`
  return `<path>${path}</path>\n<type>file</type>\n<content>\n${lines.join("\n")}\n\n${end}`
}

/** Takes the caches for itself: more memory than they hold, and objects to sort. */
export function otherWork(): void {
  const numbers = Float64Array.from({ length: 1024 * 1024 }, (_, index) => Math.sqrt(index))
  const objects = Array.from({ length: 10_000 }, (_, index) => ({
    index,
    text: `object ${index}`,
    root: numbers[index],
  }))
  objects.sort((a, b) => b.index - a.index)
}

export function engineWith(rules: readonly CompiledRule[], maxSessions = 200, receipts?: ReceiptSink): Engine {
  const rulebook: Rulebook = { rules, broken: [], problems: [], folders: [] }
  return createEngine({
    port: { persist: async () => ({ kind: "stored", messageID: "msg_1" }), log: () => undefined },
    facts: {
      os: "linux",
      ci: false,
      project: async () => new Set<string>(),
      branch: async () => undefined,
      tools: async () => new Set(["bash", "edit", "glob", "grep", "read", "task", "write"]),
    },
    loadRules: async () => rulebook,
    runCommand: () => undefined,
    publish: () => undefined,
    retract: () => undefined,
    directory: ROOT,
    maxSessions,
    receipts,
    now: () => 0,
  })
}
