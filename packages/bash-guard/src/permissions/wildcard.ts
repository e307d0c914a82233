/**
 * OpenCode's wildcards, measured on OpenCode 1.18.33: `*` is any text, newlines included; `?` is one character; a
 * trailing ` *` also meets nothing at all (`ls *` meets `ls`); everything else stands for itself; case counts;
 * backslashes count as slashes on both sides.
 */
export function compileWildcard(pattern: string): RegExp {
  const escaped = slashes(pattern)
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
  const optional = escaped.endsWith(" .*") ? `${escaped.slice(0, -3)}( .*)?` : escaped
  return new RegExp(`^${optional}$`, "s")
}

/** Whether OpenCode's wildcard pattern meets the text. */
export function matchesWildcard(text: string, wildcard: RegExp): boolean {
  return wildcard.test(slashes(text))
}

/** Longer texts than this are taken to be met by any pattern. */
const longestCompared = 4000

/**
 * Whether the pattern could meet a text of which only the fragments are known, with anything (or nothing) between
 * them: `["git ", ""]` could be met by `git push *`, `["git log ", ""]` could not.
 */
export function couldMatch(fragments: readonly string[], pattern: string): boolean {
  const known = fragments.map(slashes)
  if (known.reduce((sum, text) => sum + text.length, 0) > longestCompared) return true
  const wanted = slashes(pattern)
  const text: Token[] = known.flatMap((fragment, index) => [
    ...(index === 0 ? [] : [gap]),
    ...[...fragment].map((value): Token => ({ kind: "one", value })),
  ])
  return overlap(text, tokensOf(wanted)) || (wanted.endsWith(" *") && overlap(text, tokensOf(wanted.slice(0, -2))))
}

type Token = { readonly kind: "one"; readonly value: string } | { readonly kind: "any" } | { readonly kind: "gap" }

const gap: Token = { kind: "gap" }

function tokensOf(pattern: string): readonly Token[] {
  return [...pattern].map((value): Token => {
    if (value === "*") return gap
    return value === "?" ? { kind: "any" } : { kind: "one", value }
  })
}

/** Whether two texts with gaps have a common filling. Row by row; `row[j]`: the first `i` and `j` tokens can agree. */
function overlap(left: readonly Token[], right: readonly Token[]): boolean {
  const leading = right.findIndex((token) => token.kind !== "gap")
  let row = [true, ...right.map((_, index) => leading === -1 || index < leading)]
  for (const token of left) {
    const next: boolean[] = [row[0] === true && token.kind === "gap"]
    for (const [index, other] of right.entries()) next.push(agrees(token, other, row, next, index))
    row = next
  }
  return row.at(-1) === true
}

function agrees(left: Token, right: Token, above: readonly boolean[], row: readonly boolean[], index: number): boolean {
  if (left.kind === "gap" || right.kind === "gap") return above[index + 1] === true || row[index] === true
  return above[index] === true && sameCharacter(left, right)
}

function sameCharacter(left: Token, right: Token): boolean {
  return left.kind !== "one" || right.kind !== "one" || left.value === right.value
}

function slashes(text: string): string {
  return text.replaceAll("\\", "/")
}
