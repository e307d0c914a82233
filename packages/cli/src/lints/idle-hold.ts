import { type CompiledRule, isWithin } from "@opencode-rulebook/rule-schema"
import { hookSources } from "./hook-sources.ts"
import { hasFileCondition, type Lint, type LintedRule, type LintFinding } from "./lint.ts"

export const idleHold: Lint = {
  code: "idle-hold",
  about:
    "`hold` of a rule that no file makes match, or `block: once` of a rule that is in every request: neither ever holds a call.",
  check(subject, { directory }) {
    if (mayBeNested(subject.rule, directory)) return []
    return [...idleKey(subject), ...idleHooks(subject)]
  },
}

/** What a rule forbids, `hold` refuses, whatever makes the rule match. */
function idleKey({ rule, source }: LintedRule): readonly LintFinding[] {
  const entry = source.entry("hold")
  if (entry === undefined || !rule.hold || rule.forbid !== undefined || hasFileCondition(rule)) return []
  const why = rule.activation === "always" ? "the rule is in the first request" : "no file makes the rule match"
  const remedy =
    "Add `globs` or `fileContains`; for calls of other tools, write a hook with `type: PreToolUse` and `block: once`"
  return [{ offset: entry.offset, field: "hold", reason: `holds nothing: ${why}`, remedy }]
}

function idleHooks({ rule, source }: LintedRule): readonly LintFinding[] {
  if (rule.activation !== "always") return []
  return hookSources(source).flatMap(({ path, offset, blocks }) => {
    if (blocks !== "once") return []
    const reason = "`block: once` holds nothing: the rule is in the first request"
    return [{ offset, field: path, reason, remedy: "Leave `block` out, or what makes the rule always apply" }]
  })
}

/** A rule of a folder below the session's comes with the first file there, which a write can be. */
function mayBeNested({ scope, project, root }: CompiledRule, directory: string): boolean {
  return scope === "project" && (project !== undefined || (root !== directory && isWithin(root, directory)))
}
