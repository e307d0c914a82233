import { ENFORCEMENT_KEYS } from "./enforcement/fields.ts"
import { FAMILIES, FAMILY_LIST } from "./families/table.ts"
import type { KeyTests } from "./frontmatter/key-lines.ts"
import { trimInvisible } from "./frontmatter/lines.ts"
import type { Frontmatter } from "./frontmatter/read.ts"
import type { Entry } from "./frontmatter/value.ts"
import { isTypoOf, simpleForm } from "./near-keys.ts"
import type { Problems } from "./problems.ts"

/** Keys that decide when a rule applies. A typo in one would change that without a sign. */
const CONDITION_KEYS: readonly string[] = [
  ...FAMILY_LIST.flatMap((family) => family.fields.flatMap((field) => [field.key, ...field.aliases])),
  ...["alwaysApply", "inclusion", "trigger", "hooks"],
]

/** Keys that say what a rule does beyond being delivered. A typo in one leaves the rule as it is without the key. */
const ENFORCING: readonly string[] = Object.keys(ENFORCEMENT_KEYS)

/** What must not stand unnoticed where it is not read. */
const NOTICED_KEYS: readonly string[] = [...CONDITION_KEYS, ...ENFORCING.filter((key) => key !== "reminder")]

/** Every frontmatter key that means something, aliases included. */
export const KNOWN_KEYS: readonly string[] = [...CONDITION_KEYS, "match", "name", "description", ...ENFORCING]

/** `globs` and other tools' names for it. */
export const PATTERN_KEYS: readonly string[] = FAMILIES.file.fields.flatMap(({ key, aliases }) =>
  key === "globs" ? [key, ...aliases] : [],
)

/** Keys of other tools, or of anybody, that look like a typo of ours. */
const FOREIGN_KEYS: ReadonlySet<string> = new Set(
  "mode modes modal watch batch patch exclusion exclusions pools books fold bold old".split(" "),
)

/** Words that no sentence has. */
const UNMISTAKABLE: ReadonlySet<string> = new Set([
  "globs",
  "applyTo",
  "fileMatchPattern",
  "fileContains",
  "alwaysApply",
])

export const KEY_TESTS: KeyTests = {
  isKnown: (key) => readAs(key) !== undefined,
  isCondition: (key) => NOTICED_KEYS.includes(readAs(key) ?? ""),
  isUnmistakable: (key) => UNMISTAKABLE.has(readAs(key) ?? ""),
  isProse: (key) => /^\p{Lu}/u.test(key) && ENFORCING.includes(readAs(key) ?? ""),
  takesMappings: (key) => readAs(key) === "hooks",
  isDescriptive: (key) => readAs(key) === "description",
}

/**
 * The known key that a key is read as: itself, or one from which it differs in case, `-`, `_`, an invisible character or a
 * plural's ending only.
 */
export function readAs(key: string): string | undefined {
  const bare = trimInvisible(key)
  if (KNOWN_KEYS.includes(bare)) return bare
  return FOREIGN_KEYS.has(bare) ? undefined : BY_SIMPLE_FORM.get(simpleForm(bare))
}

/**
 * The frontmatter by the keys that its keys are read as. Another form of a known key is one warning, what looks like another
 * typo of a condition key is an error; other unknown keys are other tools' and have no effect.
 */
export function withKnownKeys(frontmatter: Frontmatter, problems: Problems): Frontmatter {
  const known = new Map<string, Entry>()
  for (const entry of frontmatter.values()) {
    const key = trimInvisible(entry.key)
    const at = { offset: entry.offset, field: key }
    const meant = readAs(key) ?? key
    if (known.has(meant)) {
      if (KEY_TESTS.isDescriptive(meant)) {
        problems.warning(at, "duplicate-key", "the key is declared twice, and this one is ignored", "Keep one of them")
      } else {
        problems.error(at, "duplicate-key", "the key is declared twice", "Keep one of them, with all the values")
      }
      continue
    }
    known.set(meant, { ...entry, key })
    if (meant !== key) problems.warning(at, "key-form", `is read as \`${meant}\``, `Write \`${meant}\``)
    else reportTypo(at, key, problems)
  }
  for (const entry of frontmatter.values()) if (readAs(entry.key) === undefined) reportNested(entry, known, problems)
  return known
}

/** Conditions in a mapping of another key, as under `cursor:`, that no merge key (`<<`) brings to the top. */
function reportNested({ key, value }: Entry, known: Frontmatter, problems: Problems): void {
  if (value.kind !== "mapping") return
  const inner = [...value.entries.values()].find((each) => {
    const meant = readAs(each.key) ?? ""
    return UNMISTAKABLE.has(meant) && !known.has(meant)
  })
  if (inner === undefined) return
  const reason = `stands below \`${key}\`, where it is not read`
  problems.error({ ...inner, field: inner.key }, "hidden-frontmatter", reason, "Begin its line at the margin")
}

function reportTypo(at: { readonly offset: number; readonly field: string }, key: string, problems: Problems): void {
  const meant = meantKey(key)
  if (meant === undefined) return
  const remedy = `Did you mean \`${meant}\`? Write \`${meant}\`, or remove the key`
  if (CONDITION_KEYS.includes(meant)) problems.error(at, "unknown-key", "unknown key", remedy)
  else problems.warning(at, "unknown-key", "unknown key, which is ignored", remedy)
}

/** The known key that this unknown one is probably a typo of. */
function meantKey(key: string): string | undefined {
  if (readAs(key) !== undefined || FOREIGN_KEYS.has(key)) return undefined
  return KNOWN_KEYS.find((known) => isTypoOf(key, known))
}

const BY_SIMPLE_FORM: ReadonlyMap<string, string> = new Map(KNOWN_KEYS.map((key) => [simpleForm(key), key]))
