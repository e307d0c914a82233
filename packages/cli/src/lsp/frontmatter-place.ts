/** Where a position is in a rule's frontmatter. Told by its lines, so that it works while the YAML is not whole. */
export type FrontmatterPlace =
  | { readonly kind: "body" }
  /** At a key of the frontmatter, or of a hook, perhaps half written. */
  | { readonly kind: "key"; readonly word: string; readonly isHook: boolean }
  /** In the value of a key. */
  | { readonly kind: "value"; readonly key: string; readonly word: string; readonly isHook: boolean }

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
  const before = current.slice(0, character)
  const after = /^[^\s,:\]}"']*/.exec(current.slice(character))?.[0] ?? ""
  const word = (/[^\s,:[{"']*$/.exec(before)?.[0] ?? "") + after
  const colon = /^\s*(?:-\s+)?([\w-]+)\s*:/.exec(current)
  const isInValue = colon !== null && character > colon[0].length - 1
  const isHook = isBelowHooks(lines, line)
  if (isInValue) return { kind: "value", key: colon?.[1] ?? "", word, isHook }
  if (colon) return { kind: "key", word: colon[1] ?? "", isHook }
  const isItem = /^\s*-(?:\s|$)/.test(current)
  const owner = isItem && !isHook ? keyAbove(lines, line) : undefined
  if (owner !== undefined) return { kind: "value", key: owner, word, isHook: false }
  return { kind: "key", word, isHook }
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
