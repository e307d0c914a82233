import { impossibleEnd, isTypoOf, quoted } from "@opencode-rulebook/rule-schema/authoring"
import { type ExpressionSource, type HookSource, hookSources } from "./hook-sources.ts"
import type { Lint, LintFinding } from "./lint.ts"

/** Arguments of other tools' tools: OpenCode's own name for them, on each major where they differ. */
const OTHER_ARGUMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cmd: "`command`",
    file_path: "`filePath` (`path` on OpenCode 2)",
    filepath: "`filePath` (`path` on OpenCode 2)",
    file: "`filePath` (`path` on OpenCode 2)",
    old_string: "`oldString`",
    new_string: "`newString`",
  }),
)
/** The arguments of built-in tools, on both majors (measured on OpenCode 1.18.33 and the preview of 2). */
const ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    bash: ["command", "description", "timeout", "workdir"],
    shell: ["command", "description", "timeout", "workdir"],
    read: ["filePath", "path", "offset", "limit"],
    write: ["filePath", "path", "content"],
    edit: ["filePath", "path", "oldString", "newString", "replaceAll"],
    apply_patch: ["patchText"],
    patch: ["patchText"],
  }),
)

export const impossibleHook: Lint = {
  code: "impossible-hook",
  about:
    "A hook's `match` that no call can match: `^git` on the JSON of all arguments, which begins with `{`, or an argument that the tool doesn't have.",
  check({ source }) {
    return hookSources(source).flatMap((hook) => hook.matches.flatMap((expression) => findingsOf(expression, hook)))
  },
}

function findingsOf(expression: ExpressionSource, { tools }: HookSource): readonly LintFinding[] {
  const { source, offset, path, argument } = expression
  if (argument !== undefined) {
    const meant = meantArgument(argument, tools)
    if (meant === undefined) return []
    const reason = `${tools.join(" and ")} ${tools.length > 1 ? "have" : "has"} no argument ${quoted(argument)}, so the hook never fires`
    return [{ offset, field: path, reason, remedy: `Write ${meant}` }]
  }
  const end = impossibleEnd(source)
  if (end === undefined) return []
  const shape = end === "start" ? "begins with `{`" : "ends with `}`"
  const reason = `${quoted(source)} is tested on the JSON of all arguments, which ${shape}, so the hook never fires`
  const isShell = tools.every((tool) => tool === "bash" || tool === "shell")
  const name = isShell ? "command" : "<argument>"
  const remedy = `Name the argument: \`match: { ${name}: '${source.replaceAll("'", "''")}' }\``
  return [{ offset, field: path, reason, remedy }]
}

/**
 * What an argument that none of the tools has should be called. Undefined: a tool has it or is not known here, or it is like none of
 * theirs and may be a newer one.
 */
function meantArgument(argument: string, tools: readonly string[]): string | undefined {
  const known = tools.map((tool) => ARGUMENTS.get(tool))
  if (known.includes(undefined)) return undefined
  const names = known.flatMap((own) => own ?? [])
  if (names.includes(argument)) return undefined
  const typo = names.find((name) => isTypoOf(argument, name))
  return OTHER_ARGUMENTS.get(argument) ?? (typo && `\`${typo}\``)
}
