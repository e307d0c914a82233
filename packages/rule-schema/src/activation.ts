import type { Frontmatter } from "./frontmatter/read.ts"
import { type Entry, isEmptyValue } from "./frontmatter/value.ts"
import { PATTERN_KEYS } from "./known-keys.ts"
import type { Problems } from "./problems.ts"
import type { Activation, Condition, RuleHook } from "./rule.ts"
import { listed, quoted } from "./text.ts"

/** When a rule applies, as other tools' keys put it. "patterns": when its patterns match. "notAlways": its conditions decide. */
type Mode = "always" | "onRequest" | "patterns" | "notAlways"

interface DeclaredMode {
  readonly mode: Mode
  readonly entry: Entry
}

interface ModeKey {
  /** By value, in lower case, without `-` and `_`. */
  readonly modes: Readonly<Record<string, Mode>>
  readonly values: string
}

/** Cursor's `alwaysApply`, Kiro's `inclusion`, and the `trigger` of Windsurf and others. */
const MODE_KEYS: Readonly<Record<string, ModeKey>> = {
  alwaysApply: {
    modes: { true: "always", yes: "always", on: "always", false: "notAlways", no: "notAlways", off: "notAlways" },
    values: "`true` or `false`",
  },
  inclusion: {
    modes: { always: "always", filematch: "patterns", manual: "onRequest", auto: "onRequest" },
    values: "`always`, `fileMatch`, `auto` or `manual`",
  },
  trigger: {
    modes: { alwayson: "always", always: "always", glob: "patterns", manual: "onRequest", modeldecision: "onRequest" },
    values: "`always_on`, `glob`, `model_decision` or `manual`",
  },
}

/** What decides when a rule applies. */
export interface DeclaredTriggers {
  readonly match: "any" | "all"
  readonly conditions: readonly Condition[]
  readonly hooks: readonly RuleHook[]
}

export interface ReadActivation {
  readonly activation: Activation
  /** The conditions that count: none unless `activation` is "conditions". */
  readonly conditions: readonly Condition[]
}

/**
 * How a rule comes to the model. What says "always" wins over patterns, and a rule that its author leaves to the model's judgement
 * is on request. A value that can't be honoured is an error where the rule would otherwise always apply.
 */
export function readActivation(
  frontmatter: Frontmatter,
  { match, conditions, hooks }: DeclaredTriggers,
  problems: Problems,
): ReadActivation {
  const isBounded = conditions.length > 0 || hooks.length > 0
  const declared = Object.keys(MODE_KEYS).flatMap((key) => readMode(frontmatter, key, isBounded, problems) ?? [])
  reportContradiction(declared, problems)
  reportUnsupported(frontmatter, isBounded, problems)
  const chosen = declared.find(({ mode }) => mode !== "notAlways")
  if (chosen?.mode === "patterns" && !isBounded) {
    const reason = "waits for a file, but the rule has no patterns"
    problems.error(placeOf(chosen.entry), "no-patterns", reason, "Add `globs`")
  }
  if (chosen?.mode === "always" || chosen?.mode === "onRequest") {
    const canNarrow = chosen.mode === "always" && match === "all"
    const kept = canNarrow ? conditions.filter(({ family }) => family !== "file") : []
    warnAboutIgnored(
      chosen,
      conditions.filter((condition) => !kept.includes(condition)),
      frontmatter,
      problems,
    )
    return kept.length > 0
      ? { activation: "conditions", conditions: kept }
      : { activation: chosen.mode, conditions: [] }
  }
  if (conditions.length > 0) return { activation: "conditions", conditions }
  if (hooks.length > 0) return { activation: "hooks", conditions }
  const isLeftToTheModel = declared.length > 0 || (frontmatter.has("description") && hasEmptyPatterns(frontmatter))
  return { activation: isLeftToTheModel ? "onRequest" : "always", conditions }
}

/** Cursor's template has an empty `globs:` beside `alwaysApply` or a description: there it declares no patterns. */
export function withoutTemplateKeys(frontmatter: Frontmatter): Frontmatter {
  const isTemplate = ["description", ...Object.keys(MODE_KEYS)].some((key) => frontmatter.has(key))
  if (!isTemplate || !hasEmptyPatterns(frontmatter)) return frontmatter
  return new Map([...frontmatter].filter(([key]) => !PATTERN_KEYS.includes(key)))
}

function hasEmptyPatterns(frontmatter: Frontmatter): boolean {
  const patterns = PATTERN_KEYS.flatMap((key) => frontmatter.get(key) ?? [])
  return patterns.length > 0 && patterns.every(({ value }) => isEmptyValue(value))
}

function readMode(
  frontmatter: Frontmatter,
  key: string,
  isBounded: boolean,
  problems: Problems,
): DeclaredMode | undefined {
  const entry = frontmatter.get(key)
  const known = MODE_KEYS[key]
  if (entry === undefined || known === undefined || isEmptyValue(entry.value)) return undefined
  const text = entry.value.kind === "scalar" ? entry.value.text.trim() : ""
  const name = text.toLowerCase().replace(/[\s_-]/g, "")
  const mode = Object.hasOwn(known.modes, name) ? known.modes[name] : undefined
  if (mode !== undefined) return { mode, entry }
  const reason = `${text === "" ? "the value" : quoted(text)} is not known here`
  const remedy = `Write ${known.values}, or \`keywords\` for words of the prompt`
  if (isBounded) problems.warning(placeOf(entry), "unknown-value", `${reason} and is ignored`, remedy)
  else problems.error(placeOf(entry), "unknown-value", `${reason}, and without it the rule would always apply`, remedy)
  return undefined
}

/** Continue's `regex` narrows a rule by expressions over a file's text, which this plugin does not have. */
function reportUnsupported(frontmatter: Frontmatter, isBounded: boolean, problems: Problems): void {
  const entry = frontmatter.get("regex")
  if (entry === undefined || isEmptyValue(entry.value)) return
  const remedy = "Write `fileContains` with literal texts instead"
  if (isBounded) problems.warning(placeOf(entry), "unsupported-key", "is not supported and is ignored", remedy)
  else {
    const reason = "is not supported, and without it the rule would always apply"
    problems.error(placeOf(entry), "unsupported-key", reason, remedy)
  }
}

/** `notAlways` is the first that is declared, if any: `alwaysApply` alone says it. */
function reportContradiction(declared: readonly DeclaredMode[], problems: Problems): void {
  const isCompatible = (a: Mode, b: Mode) => a === b || (a === "notAlways" && b !== "always")
  for (const [index, { mode, entry }] of declared.entries()) {
    const other = declared.slice(0, index).find((before) => !isCompatible(before.mode, mode))
    if (other === undefined) continue
    problems.error(placeOf(entry), "contradiction", `contradicts \`${other.entry.key}\``, "Keep one of the two")
    return
  }
}

/** Patterns beside such a key are common in other tools' rules, and ignored there too. */
function warnAboutIgnored(
  { mode, entry }: DeclaredMode,
  ignored: readonly Condition[],
  frontmatter: Frontmatter,
  problems: Problems,
): void {
  // `forbid` is ours alone: beside it patterns are not those of another tool's rule.
  const forbids = frontmatter.has("forbid")
  const fileKeys = forbids ? [...PATTERN_KEYS, "fileContains"] : ["fileContains"]
  const names = ignored.flatMap(({ family }): readonly string[] => (family === "file" ? fileKeys : [family]))
  const written = names.filter((name) => frontmatter.has(name)).map((name) => `\`${name}\``)
  if (written.length === 0) return
  const effect = mode === "always" ? "makes the rule always apply" : "leaves the rule to the model's judgement"
  const scope = forbids && mode === "always" ? ", and `forbid` counts in every file" : ""
  const reason = `${effect}, so ${listed(written)} ${written.length === 1 ? "has" : "have"} no effect${scope}`
  problems.warning(placeOf(entry), "ignored-condition", reason, `Remove \`${entry.key}\` if the conditions are meant`)
}

function placeOf({ key, offset }: Entry): { readonly offset: number; readonly field: string } {
  return { offset, field: key }
}
