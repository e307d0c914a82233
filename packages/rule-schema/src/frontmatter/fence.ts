import { type Line, splitLines } from "./lines.ts"

/** A rule file's text, cut at its fences. Offsets count in the file's text. */
export type Cut =
  | { readonly kind: "none"; readonly body: string }
  | { readonly kind: "unclosed"; readonly offset: number }
  | { readonly kind: "bad-fence"; readonly offset: number; readonly line: string }
  | { readonly kind: "fenced"; readonly source: string; readonly offset: number; readonly body: string }

/**
 * Cuts a rule file into frontmatter and body.
 *
 * Above the first fence a byte-order mark, blank lines and comments (`<!-- … -->`, `[//]: # (…)`) say nothing. A line that
 * begins with `#` is a comment there only when the fenced text declares a known key: otherwise it is the heading of a text
 * with a thematic break. A first line that is nearly a fence (`----`, ` ---`, `---yaml`, `+++`) over known keys is meant as
 * frontmatter and must not pass as text, which would make the rule unconditional.
 * The opening fence may have trailing blanks; only a line that is exactly `---` closes.
 */
export function cutFrontmatter(text: string, isKnownKey: (key: string) => boolean): Cut {
  const lines = splitLines(text)
  const first = skipComments(lines, text, text.startsWith("\uFEFF") ? 1 : 0)
  const opening = openingFence(lines, text, first, isKnownKey)
  if (opening === undefined) {
    const line = lines[first]
    if (line && isNearFence(line.text) && declaresKnownKey(lines, first, isKnownKey)) {
      return { kind: "bad-fence", offset: line.start, line: line.text }
    }
    return { kind: "none", body: cleanBody(text) }
  }
  const closing = lines.findIndex((line, index) => index > opening && line.text === "---")
  const fence = lines[opening]
  const close = lines[closing]
  if (!fence || !close) return { kind: "unclosed", offset: fence?.start ?? 0 }
  const offset = lines[opening + 1]?.start ?? close.start
  return {
    kind: "fenced",
    source: text.slice(offset, close.start),
    offset,
    body: cleanBody(text.slice(close.start + close.text.length)),
  }
}

/** Index of the first line that is neither blank nor a comment. */
function skipComments(lines: readonly Line[], text: string, markLength: number, from = 0): number {
  let index = from
  while (index < lines.length) {
    const line = lines[index]
    if (!line) break
    const content = index === 0 ? line.text.slice(markLength) : line.text
    if (content.trim() === "" || /^\s*\[(?:\/\/|comment)\]:/.test(content)) {
      index += 1
      continue
    }
    if (!content.trimStart().startsWith("<!--")) break
    const end = text.indexOf("-->", line.start)
    if (end < 0) break
    const last = lines.findLastIndex((candidate) => candidate.start <= end)
    const lastLine = lines[last]
    if (!lastLine || text.slice(end + 3, lastLine.start + lastLine.text.length).trim() !== "") break
    index = last + 1
  }
  return index
}

function openingFence(lines: readonly Line[], text: string, first: number, isKnownKey: (key: string) => boolean) {
  const mark = text.startsWith("\uFEFF") ? 1 : 0
  if (isOpening(lines, first, mark)) return first
  let index = first
  while ((index === 0 ? lines[0]?.text.slice(mark) : lines[index]?.text)?.startsWith("#")) {
    index = skipComments(lines, text, mark, index + 1)
  }
  const isFence = index > first && isOpening(lines, index, mark)
  return isFence && declaresKnownKey(lines, index, isKnownKey) ? index : undefined
}

function isOpening(lines: readonly Line[], index: number, mark: number): boolean {
  const line = lines[index]
  return line !== undefined && /^---[ \t]*$/.test(index === 0 ? line.text.slice(mark) : line.text)
}

function isNearFence(line: string): boolean {
  return /^\uFEFF?\s*(?:-{3,}|\+{3,})/.test(line)
}

/**
 * Is the text under this line meant as frontmatter: does it begin with a key, and is a known key in it? It goes to the closing
 * fence; without one, to the end of its first paragraph.
 */
function declaresKnownKey(lines: readonly Line[], fence: number, isKnownKey: (key: string) => boolean): boolean {
  const below = lines.slice(fence + 1)
  const closing = below.findIndex((line) => line.text === "---")
  const block = closing < 0 ? firstParagraph(below) : below.slice(0, closing)
  const content = block.filter((line) => line.text.trim() !== "" && !/^\s*#/.test(line.text))
  const keys = content.map((line) => /^\s*["']?([A-Za-z][\w-]*)["']?\s*[:=]/.exec(line.text)?.[1])
  return keys[0] !== undefined && keys.some((key) => key !== undefined && isKnownKey(key))
}

function firstParagraph(lines: readonly Line[]): readonly Line[] {
  const start = lines.findIndex((line) => line.text.trim() !== "")
  if (start < 0) return []
  const length = lines.slice(start).findIndex((line) => line.text.trim() === "")
  return lines.slice(start, length < 0 ? undefined : start + length)
}

/** The body as it is delivered: `\n` line ends, no blank lines around it. */
function cleanBody(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd()
}
