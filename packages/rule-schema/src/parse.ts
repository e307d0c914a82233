import { readActivation, withoutTemplateKeys } from "./activation.ts"
import { readEnforcement } from "./enforcement/read.ts"
import { FAMILY_LIST } from "./families/table.ts"
import { cutFrontmatter } from "./frontmatter/fence.ts"
import { splitLines, withoutInvisibleStart } from "./frontmatter/lines.ts"
import { findLookalike } from "./frontmatter/lookalike.ts"
import { type Frontmatter, readFrontmatter } from "./frontmatter/read.ts"
import { readHooks } from "./hooks/read.ts"
import { digestOf, fileStem, ruleId } from "./identity.ts"
import { KEY_TESTS, withKnownKeys } from "./known-keys.ts"
import { collectProblems, type Problems } from "./problems.ts"
import type { CompiledRule, ParsedRule, RuleFile } from "./rule.ts"
import { reportHidden } from "./sources/hidden.ts"
import { reportIncludes } from "./sources/references.ts"
import { withToolKeys } from "./sources/tool-keys.ts"
import { label } from "./text.ts"

/**
 * Reads one rule file. Pure, and never throws: a file that can't be read as it is meant is a broken rule, which never matches
 * and says why. A rule's own problems are warnings.
 */
export function parseRule(file: RuleFile): ParsedRule {
  const problems = collectProblems(file.path, file.text)
  const { body, below, frontmatter: written } = readParts(file.text, problems)
  const { origin } = file.directory
  const frontmatter = withToolKeys(origin, written, problems)
  const name = readName(frontmatter, problems) ?? fileStem(file.path)
  const match = readCombination(frontmatter, problems)
  const declared = withoutTemplateKeys(frontmatter)
  const compiled = FAMILY_LIST.flatMap((family) => family.compile(declared, problems) ?? [])
  const hooks = readHooks(frontmatter, problems)
  const { activation, conditions } = readActivation(frontmatter, { match, conditions: compiled, hooks }, problems)
  const description = readDescription(frontmatter)
  const enforcement = readEnforcement(frontmatter, activation, problems)
  checkBody(body, { hooks, ...enforcement }, problems)
  reportIncludes(origin, file.text, below, problems)
  reportHidden(origin, file.text, problems)
  const identity = {
    id: ruleId(file.directory, file.path),
    scope: file.directory.scope,
    file: file.path,
    name,
    ...(origin && { origin }),
    digest: digestOf(file.text),
  }
  if (problems.all.some((problem) => problem.severity === "error")) {
    return { kind: "broken", rule: { ...identity, problems: problems.all } }
  }
  const { root, project } = file.directory
  const rule: CompiledRule = {
    ...identity,
    ...{ root, project, body, match, activation, description, conditions, hooks },
    ...enforcement,
  }
  return { kind: "rule", rule, problems: problems.all }
}

/** What a rule file's text is made of. */
export interface RuleParts {
  readonly body: string
  /** Where the text below the frontmatter begins. */
  readonly below: number
  /** By the known keys that its keys are read as. */
  readonly frontmatter: Frontmatter
}

/** Cuts a rule file and reads its frontmatter; what can't be read is a problem and declares nothing. */
export function readParts(text: string, problems: Problems): RuleParts {
  const cut = cutFrontmatter(text, KEY_TESTS)
  if (cut.kind === "bad-fence") problems.error(cut, "bad-fence", cut.reason, cut.remedy)
  if (cut.kind === "unclosed") {
    const remedy = "Close it with a line that is exactly `---`; a file without frontmatter must not begin with one"
    problems.error(cut, "unclosed-fence", "the frontmatter is never closed", remedy)
  }
  if (cut.kind === "bad-fence" || cut.kind === "unclosed") return { body: "", below: 0, frontmatter: new Map() }
  const below = cut.kind === "fenced" ? cut.below : 0
  const lookalike = findLookalike(text, below, KEY_TESTS)
  if (lookalike) problems.error(lookalike, "hidden-frontmatter", lookalike.reason, lookalike.remedy)
  if (cut.kind === "none") return { body: cut.body, below, frontmatter: new Map() }
  warnAboutInvisible(text, below, problems)
  const frontmatter = readFrontmatter(cut.source, cut.offset, KEY_TESTS, problems) ?? new Map()
  return { body: cut.body, below, frontmatter: withKnownKeys(frontmatter, problems) }
}

/** One that begins a line would keep others, and editors, from seeing a fence or a key there. */
function warnAboutInvisible(text: string, below: number, problems: Problems): void {
  const line = splitLines(text.slice(0, below)).find(({ start, text: each }) => {
    const content = start === 0 ? each.replace(/^\uFEFF/, "") : each
    return withoutInvisibleStart(content) !== content
  })
  if (line === undefined) return
  const reason = "the line begins with an invisible character, which is ignored"
  problems.warning({ offset: line.start }, "invisible-character", reason, "Remove it")
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
  const at = { offset: entry.value.offset, field: entry.key }
  problems.error(at, "wrong-type", "is neither any nor all", "Write `match: any` or `match: all`")
  return "any"
}

/** A rule without a text has nothing to deliver; with hooks it can still block or run something, but hold nothing. */
function checkBody(
  body: string,
  { hooks, hold, remind }: Pick<CompiledRule, "hooks" | "hold" | "remind">,
  problems: Problems,
): void {
  if (body !== "" || problems.all.some((problem) => problem.severity === "error")) return
  const isDelivery = hold || remind !== undefined || hooks.some(({ block }) => block === "once")
  if (!isDelivery && hooks.some((hook) => hook.run !== undefined)) return
  const report = hooks.length > 0 ? problems.warning : problems.error
  report({ offset: 0 }, "empty-body", "the rule has no text", "Write what the model should know below the frontmatter")
}
