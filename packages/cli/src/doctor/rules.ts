import { formatProblem, instructionProblems, loadRulebook } from "@opencode-rulebook/rule-schema"
import { type Diagnosis, error, ok, type Patient, warning } from "./diagnosis.ts"

/** Are there rules, are they whole, and does OpenCode send them by itself too? */
export async function checkRules({ io, project }: Patient): Promise<readonly Diagnosis[]> {
  const { config } = project
  const rulebook = await loadRulebook(project.ruleDirectories)
  const { directory, worktree, ruleDirectories } = project
  const place = { home: io.home, directory, worktree, platform: io.platform }
  const listed = await instructionProblems(rulebook, ruleDirectories, config.instructions, place)
  const broken = rulebook.broken.flatMap(({ problems }) => problems.filter(({ severity }) => severity === "error"))
  const count = rulebook.rules.length
  return [
    count + rulebook.broken.length === 0
      ? warning(
          "rules",
          `no rules in ${ruleDirectories.map(({ path }) => path).join(", ")}`,
          "Write one, or run `opencode-rulebook init`",
        )
      : ok("rules", `${count === 1 ? "1 rule" : `${count} rules`} of ${count + rulebook.broken.length} can match`),
    ...broken.map((problem) =>
      error("rules", formatProblem(problem), "Run `opencode-rulebook check` for the place in the file"),
    ),
    ...project.sources.problems.map(({ reason, remedy }) => warning("packs", reason, remedy)),
    ...listed.map(({ reason, remedy }) => warning("instructions", reason, remedy)),
  ]
}
