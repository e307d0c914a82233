import { isTypoOf, quoted } from "@opencode-rulebook/rule-schema/authoring"
import type { KnownNames } from "../known-names.ts"
import { consequence, type Lint, type LintedRule } from "./lint.ts"
import { type WrittenName, writtenNames } from "./written-names.ts"

/** What other tools, and people, call tools that OpenCode has. */
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: "terminal shell_exec run_shell run_command run_terminal_cmd execute_command exec sh zsh console command powershell",
    edit: "multiedit multi_edit edit_file str_replace search_replace notebookedit replace_in_file",
    read: "read_file view cat open_file",
    write: "write_file write_to_file create_file create",
    grep: "search search_files grep_search ripgrep",
    glob: "find list_files ls list_dir file_search",
    webfetch: "web_fetch fetch fetch_url",
    websearch: "web_search",
    task: "agent",
    todowrite: "todo todo_write",
  }).flatMap(([name, others]) => others.split(" ").map((other) => [other, name] as const)),
)

/** Only for a project's own rules: a global rule is for many projects, which may have other agents, commands and servers. */
export const unknownName: Lint = {
  code: "unknown-name",
  about:
    "An agent, a command or a tool that neither OpenCode nor the project has. Other plugins may add names, so nothing is reported if any are installed.",
  check(subject, { names }) {
    if (subject.rule.scope !== "project" || !names.isWhole) return []
    return writtenNames(subject, names)
      .filter(({ real, kind, text }) => real === undefined && kind !== "model" && !isOfServer(kind, text, names))
      .map((name) => ({
        offset: name.offset,
        field: name.field,
        reason: `there is no ${name.kind} ${quoted(name.text)} here, ${outcome(name, subject)}`,
        remedy: remedyFor(name, names),
      }))
  },
}

/** A prompt of an MCP server is a command, `<server>:<prompt>`. */
function isOfServer(kind: WrittenName["kind"], text: string, { toolPrefixes }: KnownNames): boolean {
  return kind === "command" && text.includes(":") && toolPrefixes.length > 0
}

function outcome({ isAlone, isHook }: WrittenName, subject: LintedRule): string {
  if (!isAlone) return "so this name has no effect"
  return isHook ? "so the hook never fires" : consequence(subject)
}

function remedyFor({ text, kind }: WrittenName, names: KnownNames): string {
  const known = { agent: names.agents, command: names.commands, tool: names.tools, model: names.models }[kind]
  const typo = [...known].find((name) => isTypoOf(text, name))
  const meant = (kind === "tool" ? MEANT.get(text.toLowerCase()) : undefined) ?? typo
  if (meant !== undefined) return `Write \`${meant}\``
  if (kind === "tool")
    return "Name a built-in tool such as `bash` or `edit`, `<server>_<tool>` of a configured MCP server, or with `tools` `mcp_<server>`"
  return `Correct the name, or add .opencode/${kind}/${text}.md`
}
