import { readdir, readFile } from "node:fs/promises"
import { join, sep } from "node:path"
import { projectFolders, type RuleProblem } from "@opencode-rulebook/rule-schema"
import { fileProblem } from "@opencode-rulebook/rule-schema/authoring"
import type { Project } from "../project.ts"

/** More files of one folder than this are not looked at. */
const MOST_FILES = 200
/** Frontmatter with a condition of ours, which no other markdown has. */
const RULE = /^---\n(?:.*\n)*?(?:globs|fileContains|keywords|alwaysApply|hooks)\s*:(?:.*\n)*?---(?:\n|$)/

/**
 * Files in the project's folders that look like rules, in places or under names that are not read. Never rejects.
 */
export async function misplacedRules({
  directory,
  worktree,
}: Pick<Project, "directory" | "worktree">): Promise<readonly RuleProblem[]> {
  const found = projectFolders({ directory, worktree }).map(async (folder) => {
    const rules = join(folder, ".opencode", "rules")
    const [singular, plain, texts] = await Promise.all([
      filesIn(join(folder, ".opencode", "rule"), /\.(?:mdc?|txt)$/i),
      filesIn(join(folder, "rules"), /\.mdc?$/i),
      filesIn(rules, /\.(?:txt|markdown|mdx|md\.\w+)$/i),
    ])
    const withConditions = await Promise.all(plain.map(async (file) => ((await isRule(file)) ? [file] : [])))
    return [
      ...[...singular, ...withConditions.flat()].map((file) =>
        notRead(file, "is in a folder that is not read, so this rule never matches", "Move it to `.opencode/rules/`"),
      ),
      ...texts.map((file) =>
        notRead(
          file,
          "does not end in `.md` or `.mdc`, so it is not read as a rule",
          "Rename it so that it ends in `.md`, or move it out of the rules folder",
        ),
      ),
    ]
  })
  return (await Promise.all(found)).flat()
}

function notRead(file: string, reason: string, remedy: string): RuleProblem {
  return fileProblem(file, "warning", "not-read", reason, remedy)
}

/** Without hidden ones. None where there is no such folder. */
async function filesIn(folder: string, ending: RegExp): Promise<readonly string[]> {
  const paths = await readdir(folder, { recursive: true }).catch((): string[] => [])
  const isShown = (path: string) => !path.split(sep).some((part) => part.startsWith(".") || part === "node_modules")
  return paths
    .filter((path) => ending.test(path) && isShown(path))
    .toSorted()
    .slice(0, MOST_FILES)
    .map((path) => join(folder, path))
}

async function isRule(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => "")
  return RULE.test(text.replaceAll("\r\n", "\n").slice(0, 4000))
}
