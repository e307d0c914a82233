import { quoted } from "@opencode-rulebook/rule-schema/authoring"
import { type Lint, type LintedRule, type LintFinding, otherFamilies, type Surroundings } from "./lint.ts"

/** Under `match: any` one condition that holds in every session makes the others meaningless. */
export const alwaysOn: Lint = {
  code: "always-on",
  about: "A condition that always holds, so that under `match: any` the whole rule always applies.",
  check(subject, surroundings) {
    const everySystem = holdsOnEverySystem(subject)
    if (everySystem) return [everySystem]
    if (subject.rule.match === "all" || subject.rule.conditions.length < 2) return []
    return [
      ...outsideCI(subject),
      ...projectIsOne(subject, surroundings),
      ...systemIsThis(subject, surroundings),
      ...everyPattern(subject, "globs", "file", "every file"),
      ...everyPattern(subject, "branch", "branch", "every branch"),
    ]
  },
}

function holdsOnEverySystem({ rule, source }: LintedRule): LintFinding | undefined {
  const systems = source.entries("os")
  if (new Set(systems.map(({ text }) => text)).size < 3) return undefined
  const effect = rule.match === "any" ? "so the rule always applies" : "so the condition has no effect"
  const offset = source.entry("os")?.offset ?? 0
  return { offset, field: "os", reason: `names every system, ${effect}`, remedy: "Remove `os`" }
}

function outsideCI(subject: LintedRule): LintFinding[] {
  const entry = subject.source.entry("ci")
  if (entry?.value.kind !== "scalar" || entry.value.text.trim().toLowerCase() !== "false") return []
  return [suspicion(subject, "ci", "ci", entry.offset, "`ci: false` holds in every session outside CI")]
}

/** A project's own rule is read in this project only; in a monorepo's folders other tags may hold. */
function projectIsOne(subject: LintedRule, { tags }: Surroundings): LintFinding[] {
  if (subject.rule.scope !== "project" || tags.has("monorepo")) return []
  const here = subject.source.entries("project").find(({ text }) => tags.has(text))
  if (here === undefined) return []
  return [
    suspicion(
      subject,
      "project",
      "project",
      here.offset,
      `this project is ${quoted(here.text)}, so \`project\` always holds`,
    ),
  ]
}

/** Who writes `match: any` means it: on this system always, on others sometimes. */
function systemIsThis(subject: LintedRule, { os }: Surroundings): LintFinding[] {
  if (subject.source.entry("match") !== undefined) return []
  const here = subject.source.entries("os").find(({ text }) => text === os)
  return here ? [suspicion(subject, "os", "os", here.offset, `\`os\` always holds on ${os}`)] : []
}

function everyPattern(subject: LintedRule, key: "globs" | "branch", family: string, what: string): LintFinding[] {
  const words = subject.source.entries(key)
  const isNarrowed =
    words.some(({ text }) => text.startsWith("!")) ||
    (key === "globs" && subject.source.entries("fileContains").length > 0)
  const wide = words.find(({ text }) => /^(?:\*\*\/)*\*{1,2}$/.test(text))
  if (wide === undefined || isNarrowed) return []
  return [suspicion(subject, family, key, wide.offset, `${quoted(wide.text)} matches ${what}`)]
}

function suspicion(subject: LintedRule, family: string, field: string, offset: number, reason: string): LintFinding {
  const others = otherFamilies(subject, family).join(" and ")
  const remedy = "Write `match: all` if every condition is needed, or remove the ones that change nothing"
  return { offset, field, reason: `${reason}, and one condition is enough: ${others} can't narrow the rule`, remedy }
}
