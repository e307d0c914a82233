import { type CompiledRule, parseRule, type Rulebook } from "@opencode-rulebook/rule-schema"

export const ROOT = "/home/dev/app"

/**
 * A rule of a file's text.
 *
 * @param file in the rules folder.
 * @param folder the nested folder that the rules are of, relative to the project; "" for the project's own.
 */
export function ruleOf(text: string, file = "a.md", folder = ""): CompiledRule {
  const own =
    folder === "" ? { root: ROOT, prefix: "" } : { root: `${ROOT}/${folder}`, prefix: `${folder}/`, project: ROOT }
  const directory = { scope: "project", path: `${own.root}/.opencode/rules`, ...own } as const
  const parsed = parseRule({ directory, path: `${directory.path}/${file}`, text })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

/** The rules of files, in the order given. */
export function rulesOf(files: Readonly<Record<string, string>>, folder = ""): readonly CompiledRule[] {
  return Object.entries(files).map(([file, text]) => ruleOf(text, file, folder))
}

export function rulebookOf(files: Readonly<Record<string, string>>, folder = ""): Rulebook {
  return { rules: rulesOf(files, folder), broken: [], problems: [], folders: [] }
}
