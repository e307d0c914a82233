import { builtInArguments, impossibleEnd, isTypoOf, quoted } from "@opencode-rulebook/rule-schema/authoring"
import { type ExpressionSource, type HookSource, hookSources } from "./hook-sources.ts"
import type { Lint, LintFinding } from "./lint.ts"

/** What other tools, and people, call arguments that OpenCode's tools have. */
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    command: "cmd script input shell_command bash_command",
    filePath: "file_path filepath file filename file_name absolute_path target_file notebook_path uri",
    oldString: "old_string old_str oldstr old_text search",
    newString: "new_string new_str newstr new_text replace replacement",
    replaceAll: "replace_all",
    content: "contents text file_text file_content body",
    patchText: "patch patch_text diff input",
    workdir: "cwd directory working_directory work_dir",
  }).flatMap(([name, others]) => others.split(" ").map((other) => [`${name} ${other}`, name] as const)),
)

export const impossibleHook: Lint = {
  code: "impossible-hook",
  about:
    "A hook's `match` that no call can match: `^git` on the JSON of all arguments, which begins with `{`, or an argument that the tool doesn't have.",
  check({ source }) {
    return hookSources(source).flatMap((hook) => hook.matches.flatMap((expression) => findingsOf(expression, hook)))
  },
}

function findingsOf(expression: ExpressionSource, hook: HookSource): readonly LintFinding[] {
  if (expression.argument !== undefined) return unknownArgument(expression, expression.argument, hook.tools)
  const { source, offset, path } = expression
  const { tools } = hook
  const end = impossibleEnd(source)
  if (end === undefined) return []
  const shape = end === "start" ? "begins with `{`" : "ends with `}`"
  const reason = `${quoted(source)} is tested on the JSON of all arguments, which ${shape}, so the hook never fires`
  const isShell = tools.every((tool) => tool === "bash" || tool === "shell")
  const name = isShell ? "command" : "<argument>"
  const remedy = `Name the argument: \`match: { ${name}: '${source.replaceAll("'", "''")}' }\``
  return [{ offset, field: path, reason, remedy }]
}

function unknownArgument(
  { offset, path }: ExpressionSource,
  argument: string,
  tools: readonly string[],
): readonly LintFinding[] {
  const meant = meantArgument(argument, tools)
  if (meant === undefined) return []
  const reason = `${tools.join(" and ")} ${tools.length > 1 ? "have" : "has"} no argument ${quoted(argument)}, so the hook never fires`
  return [{ offset, field: path, reason, remedy: `Write \`${meant}\`` }]
}

/**
 * What an argument that none of the tools has should be called. Undefined: a tool has it or is not known here, or it is like none of
 * theirs and may be a newer one.
 */
function meantArgument(argument: string, tools: readonly string[]): string | undefined {
  const known = tools.map(builtInArguments)
  if (known.includes(undefined)) return undefined
  const names = known.flatMap((own) => own ?? [])
  if (names.includes(argument)) return undefined
  return names.find((name) => isTypoOf(argument, name) || MEANT.has(`${name} ${argument.toLowerCase()}`))
}
