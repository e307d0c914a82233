import { FAMILIES, FAMILY_LIST } from "./families/table.ts"
import type { Frontmatter } from "./frontmatter/read.ts"
import type { Problems } from "./problems.ts"

const RULE_KEYS = ["match", "name", "description", "alwaysApply", "inclusion", "trigger", "hooks"]

/** Keys of other tools that a typo of ours could look like. */
const FOREIGN_KEYS: ReadonlySet<string> = new Set(["mode", "modes", "type", "title", "path", "names", "tags", "id"])

/** Every frontmatter key that means something, aliases included. */
export const KNOWN_KEYS: readonly string[] = [
  ...FAMILY_LIST.flatMap((family) => family.fields.flatMap((field) => [field.key, ...field.aliases])),
  ...RULE_KEYS,
]

/** `globs` and other tools' names for it. */
export const PATTERN_KEYS: readonly string[] = FAMILIES.file.fields.flatMap(({ key, aliases }) =>
  key === "globs" ? [key, ...aliases] : [],
)

/** Keys whose values are patterns, where a brace is always a text's. */
export function isPatternKey(key: string): boolean {
  return key === "branch" || PATTERN_KEYS.includes(key)
}

export function isKnownKey(key: string): boolean {
  return KNOWN_KEYS.includes(key)
}

/** Warns about keys that look like a typo of a known one; other unknown keys are other tools' and ignored. */
export function warnAboutTypos(frontmatter: Frontmatter, problems: Problems): void {
  for (const { key, offset } of frontmatter.values()) {
    const meant = meantKey(key)
    if (meant === undefined) continue
    const reason = `is not known and ignored; it looks like \`${meant}\``
    problems.warning({ offset, field: key }, "unknown-key", reason, `Write \`${meant}\`, or remove it`)
  }
}

/** The known key that this unknown one is probably meant to be. */
export function meantKey(key: string): string | undefined {
  if (isKnownKey(key) || key.length > 40 || FOREIGN_KEYS.has(key)) return undefined
  const plain = simplify(key)
  const same = KNOWN_KEYS.find((known) => simplify(known) === plain)
  if (same !== undefined) return same
  return KNOWN_KEYS.find((known) => {
    const allowed = known.length <= 3 ? 0 : known.length <= 6 ? 1 : 2
    return distance(key.toLowerCase(), known.toLowerCase()) <= allowed
  })
}

/** Without case, separators and plural. */
function simplify(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/(?<=[a-z]{3})(?:(?<=ch)es|s)$/, "")
}

/** Edits (insert, delete, replace, swap of neighbours) from one text to the other. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      )
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) best = Math.min(best, (before[column - 2] ?? 0) + 1)
      current.push(best)
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
