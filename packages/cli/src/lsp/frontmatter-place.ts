/** Where a position is in a rule's frontmatter. Told by its lines, so that it works while the YAML is not whole. */
export type FrontmatterPlace =
  | { readonly kind: "body" }
  /** At a key of the frontmatter, or of a hook. Undefined: it is not whole yet. */
  | { readonly kind: "key"; readonly key: string | undefined; readonly isHook: boolean }
  /** In the value of a key. */
  | { readonly kind: "value"; readonly key: string; readonly isHook: boolean }

/**
 * @param text the document.
 * @param line of the position, from 0.
 * @param character of the position, from 0.
 */
export function placeAt(text: string, line: number, character: number): FrontmatterPlace {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)
  const open = lines.findIndex((each) => each.trim() !== "")
  const close = lines.findIndex((each, index) => index > open && /^---\s*$/.test(each))
  if (!/^---\s*$/.test(lines[open] ?? "") || line <= open || (close >= 0 && line >= close)) return { kind: "body" }
  const current = lines[line] ?? ""
  const [written = "", key] = /^\s*(?:-\s+)?([\w-]+)\s*:/.exec(current) ?? []
  const isHook = isBelowHooks(lines, line)
  if (key !== undefined) return { kind: character < written.length ? "key" : "value", key, isHook }
  const owner = /^\s*-(?:\s|$)/.test(current) && !isHook ? keyAbove(lines, line) : undefined
  return owner === undefined ? { kind: "key", key, isHook } : { kind: "value", key: owner, isHook }
}

/** The key that a list's item belongs to. */
function keyAbove(lines: readonly string[], line: number): string | undefined {
  for (let at = line - 1; at >= 0; at -= 1) {
    const key = /^([\w-]+)\s*:/.exec(lines[at] ?? "")?.[1]
    if (key !== undefined) return key
  }
  return undefined
}

function isBelowHooks(lines: readonly string[], line: number): boolean {
  const isIndented = /^(?:\s|-)/.test(lines[line] ?? "")
  return isIndented && keyAbove(lines, line) === "hooks"
}
