import { type CompiledRule, parseRule } from "@opencode-rulebook/rule-schema"

/** A rule as it is on disk, by its path in the project's rules folder. */
export function compiled(path: string, text: string, root = "/home/dev/app"): CompiledRule {
  const directory = { scope: "project", path: `${root}/.opencode/rules`, root, prefix: "" } as const
  const parsed = parseRule({ directory, path: `${directory.path}/${path}`, text })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}
