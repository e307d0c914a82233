import { blockHasCondition, type KeyTests } from "./key-lines.ts"
import { type Line, skipInvisible, splitLines, withoutInvisibleStart } from "./lines.ts"

/** A rule file's text, cut at its fences. Offsets count in the file's text. */
export type Cut =
  | { readonly kind: "none"; readonly body: string }
  | { readonly kind: "unclosed"; readonly offset: number }
  | { readonly kind: "bad-fence"; readonly offset: number; readonly reason: string; readonly remedy: string }
  | FencedCut

export interface FencedCut {
  readonly kind: "fenced"
  readonly source: string
  readonly offset: number
  readonly body: string
  /** Where the text below the closing fence begins. */
  readonly below: number
}

/**
 * Cuts a rule file into frontmatter and body. Nothing of a body is lost: what stands above the frontmatter is whitespace, a
 * byte-order mark or markdown comments (`<!-- … -->`, `[//]: # (…)`), which have no effect, or lines of `#` and `//` and
 * comments in stars, which stay the beginning of the body.
 *
 * A line that is `---`, whitespace behind it aside, opens and closes. One that is nearly so (`----`, ` ---`, `---# T`, `...`)
 * is an error where a fence is expected.
 */
export function cutFrontmatter(text: string, keys: KeyTests): Cut {
  const lines = splitLines(text)
  const first = skipComments(lines, text, 0)
  const opening = openingFence(lines, text, first, keys)
  const fence = lines[opening ?? first]
  if (opening === undefined || fence === undefined) {
    if (fence === undefined || !isNearFence(bareText(fence)) || !blockHasCondition(lines, first + 1, keys, "known")) {
      return { kind: "none", body: cleanBody(text) }
    }
    const remedy = "Open the frontmatter with a line that is exactly `---`"
    return { kind: "bad-fence", offset: fence.start, reason: "the first line is almost a frontmatter fence", remedy }
  }
  const closing = lines.findIndex((line, index) => index > opening && /^---\s*$/.test(line.text))
  const inside = lines.slice(opening + 1, closing < 0 ? undefined : closing)
  const near = nearClosing(inside)
  if (near !== undefined) {
    const reason = "this line is almost a fence, and does not close the frontmatter"
    return {
      kind: "bad-fence",
      offset: near.start,
      reason,
      remedy: "Close the frontmatter with a line that is exactly `---`",
    }
  }
  const close = lines[closing]
  if (close === undefined) return { kind: "unclosed", offset: fence.start }
  const offset = lines[opening + 1]?.start ?? close.start
  const below = close.start + close.text.length
  const head = opening === first ? "" : text.slice(lines[first]?.start, fence.start)
  return {
    kind: "fenced",
    source: text.slice(offset, close.start),
    offset,
    body: [head, text.slice(below)]
      .map(cleanBody)
      .filter((part) => part !== "")
      .join("\n\n"),
    below,
  }
}

/** The body as it is delivered: `\n` line ends, no blank lines and no byte-order mark around it. */
export function cleanBody(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/^(?:\s*\n)?\uFEFF?/, "")
    .trimEnd()
}

/** Index of the first line from `from` on that is neither blank nor part of a markdown comment. */
export function skipComments(lines: readonly Line[], text: string, from: number): number {
  let index = from
  let at = lines[from]?.start ?? text.length
  for (;;) {
    at = skipInvisible(text, at)
    while ((lines[index + 1]?.start ?? Number.POSITIVE_INFINITY) <= at) index += 1
    const line = lines[index]
    if (line === undefined) return index
    // Behind a comment in its line only another one may stand.
    if (text.startsWith("<!--", at)) {
      const end = endOfComments(text, at)
      if (end === undefined) return index
      at = end
    } else if (/^\[(?:\/\/|comment)\]:/.test(line.text.slice(at - line.start))) {
      at = line.start + line.text.length
    } else {
      return index
    }
  }
}

/** Where the line ends in which one or several comments end; undefined when one is open or text follows them there. */
function endOfComments(text: string, start: number): number | undefined {
  let at = start
  while (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at)
    if (end < 0) return undefined
    at = skipInvisible(text, end + 3)
    if (/[\r\n]/.test(text.slice(end + 3, at))) return at
  }
  return undefined
}

/**
 * The line of the opening fence. Below lines that are comments elsewhere and headings or text in markdown, a fence opens
 * only over a known key: else it is a thematic break.
 */
function openingFence(lines: readonly Line[], text: string, first: number, keys: KeyTests): number | undefined {
  if (isOpening(lines[first])) return first
  let index = first
  for (let line = lines[index]; line !== undefined; line = lines[index]) {
    const content = withoutInvisibleStart(line.text).trimStart()
    if (/^(?:#|\/\/)/.test(content)) {
      index = skipComments(lines, text, index + 1)
    } else if (content.startsWith("/*")) {
      const end = lines.findIndex((candidate, at) => at >= index && candidate.text.trimEnd().endsWith("*/"))
      if (end < 0) return undefined
      index = skipComments(lines, text, end + 1)
    } else {
      break
    }
  }
  return index > first && isOpening(lines[index]) && blockHasCondition(lines, index + 1, keys, "known")
    ? index
    : undefined
}

function isOpening(line: Line | undefined): boolean {
  return line !== undefined && /^---\s*$/.test(withoutInvisibleStart(line.text))
}

function bareText(line: Line): string {
  return withoutInvisibleStart(line.text)
}

function isNearFence(line: string): boolean {
  return /^\s*(?:-{3,}|\+{3,})/.test(line)
}

/** What YAML or an author could take for the end of the frontmatter. */
function isNearClosing(line: string): boolean {
  return /^(?:---|\.\.\.\s*$|[\u2010-\u2015]{2,}\s*$|\+\+\+\s*$)|^\s+-{3,}\s*$/.test(withoutInvisibleStart(line))
}

/** The first of these lines that is taken for a closing fence, outside block texts (`|` or `>`). */
function nearClosing(lines: readonly Line[]): Line | undefined {
  let blockIndent: number | undefined
  for (const line of lines) {
    if (line.text.trim() === "") continue
    const indent = indentOf(line.text)
    if (blockIndent !== undefined && indent > blockIndent) continue
    if (isNearClosing(line.text)) return line
    blockIndent = /[:-]\s+[|>][-+\d]*\s*(?:#.*)?$/.test(line.text) ? indent : undefined
  }
  return undefined
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
