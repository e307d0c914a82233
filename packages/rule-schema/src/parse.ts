import { readActivation, withoutTemplateKeys } from "./activation.ts"
import { FAMILY_LIST } from "./families/table.ts"
import { cutFrontmatter } from "./frontmatter/fence.ts"
import { type Frontmatter, readFrontmatter } from "./frontmatter/read.ts"
import { readHooks } from "./hooks/read.ts"
import { digestOf, fileStem, ruleId } from "./identity.ts"
import { isKnownKey, isPatternKey, warnAboutTypos } from "./known-keys.ts"
import { collectProblems, type Problems } from "./problems.ts"
import type { CompiledRule, ParsedRule, RuleFile } from "./rule.ts"
import { label } from "./text.ts"

/**
 * Reads one rule file. Pure, and never throws: a file that can't be read as it is meant is a broken rule, which never matches
 * and says why. A rule's own problems are warnings.
 */
export function parseRule(file: RuleFile): ParsedRule {
  const problems = collectProblems(file.path, file.text)
  const { body, frontmatter } = readParts(file.text, problems)
  const name = readName(frontmatter, problems) ?? fileStem(file.path)
  const match = readCombination(frontmatter, problems)
  const declared = withoutTemplateKeys(frontmatter)
  const compiled = FAMILY_LIST.flatMap((family) => family.compile(declared, problems) ?? [])
  const hooks = readHooks(frontmatter, problems)
  const { activation, conditions } = readActivation(frontmatter, { match, conditions: compiled, hooks }, problems)
  const description = readDescription(frontmatter)
  warnAboutTypos(frontmatter, problems)
  checkBody(body, hooks, problems)
  const identity = {
    id: ruleId(file.directory, file.path),
    scope: file.directory.scope,
    file: file.path,
    name,
    digest: digestOf(file.text),
  }
  if (problems.all.some((problem) => problem.severity === "error")) {
    return { kind: "broken", rule: { ...identity, problems: problems.all } }
  }
  const { root } = file.directory
  const rule: CompiledRule = { ...identity, root, body, match, activation, description, conditions, hooks }
  return { kind: "rule", rule, problems: problems.all }
}

/** Cuts a rule file and reads its frontmatter; what can't be read is a problem and declares nothing. */
export function readParts(text: string, problems: Problems): { body: string; frontmatter: Frontmatter } {
  const cut = cutFrontmatter(text, isKnownKey)
  if (cut.kind === "none") return { body: cut.body, frontmatter: new Map() }
  if (cut.kind === "fenced") {
    const frontmatter = readFrontmatter(cut.source, cut.offset, isPatternKey, problems)
    return { body: cut.body, frontmatter: frontmatter ?? new Map() }
  }
  const { offset } = cut
  if (cut.kind === "unclosed") {
    const reason = "the frontmatter is never closed"
    const remedy = "Close it with a line that is exactly `---`; a file without frontmatter must not begin with one"
    problems.error({ offset }, "unclosed-fence", reason, remedy)
  } else {
    const reason = "the first line is almost, but not quite, a frontmatter fence"
    problems.error({ offset }, "bad-fence", reason, "Open the frontmatter with a line that is exactly `---`")
  }
  return { body: "", frontmatter: new Map() }
}

/** On one line; a value that is no text describes nothing. */
function readDescription(frontmatter: Frontmatter): string | undefined {
  const value = frontmatter.get("description")?.value
  return value?.kind === "scalar" && value.value !== null ? label(value.text) || undefined : undefined
}

function readName(frontmatter: Frontmatter, problems: Problems): string | undefined {
  const entry = frontmatter.get("name")
  if (entry === undefined) return undefined
  const name = entry.value.kind === "scalar" && entry.value.value !== null ? label(entry.value.text) : ""
  if (name !== "") return name
  const code = entry.value.kind === "scalar" ? "empty-value" : "wrong-type"
  const remedy = "Write a name, or remove the key: the file's name is used then"
  problems.error({ offset: entry.offset, field: entry.key }, code, "is not text", remedy)
  return undefined
}

function readCombination(frontmatter: Frontmatter, problems: Problems): "any" | "all" {
  const entry = frontmatter.get("match")
  const text = entry?.value.kind === "scalar" ? entry.value.text.trim().toLowerCase() : ""
  if (entry === undefined || text === "any") return "any"
  if (text === "all") return "all"
  const at = { offset: entry.value.offset || entry.offset, field: entry.key }
  problems.error(at, "wrong-type", "is neither any nor all", "Write `match: any` or `match: all`")
  return "any"
}

/** A rule without a text has nothing to deliver; with hooks it can still block or run something. */
function checkBody(body: string, hooks: CompiledRule["hooks"], problems: Problems): void {
  if (body !== "" || problems.all.some((problem) => problem.severity === "error")) return
  if (hooks.some((hook) => hook.run !== undefined)) return
  const report = hooks.length > 0 ? problems.warning : problems.error
  report({ offset: 0 }, "empty-body", "the rule has no text", "Write what the model should know below the frontmatter")
}
