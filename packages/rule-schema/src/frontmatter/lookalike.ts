import { skipComments } from "./fence.ts"
import { blockHasCondition, firstParagraph, isMeantAsKeys, type KeyTests } from "./key-lines.ts"
import { type Line, splitLines, withoutInvisibleStart } from "./lines.ts"

/** No more of a text is looked at. */
const MAX_LENGTH = 256 * 1024
const MAX_LINES = 200

/** A line of signs, as a fence or a thematic break is. Brackets close a list. */
const NO_WORDS = /^[^\p{L}\p{N}`[\]{}"']+$/u

/** Text that looks like frontmatter and is not read as such. */
export interface Lookalike {
  readonly offset: number
  readonly reason: string
  readonly remedy: string
}

const FENCES = "Put a line that is exactly `---` above the keys and one below"
const EXAMPLE = "move its keys into the frontmatter at the top of the file, or put an example into a code block"

/**
 * Finds conditions that are written as frontmatter in a place where they are not read: without them the rule would apply in
 * other sessions than its author meant. What stands in a code block of a text is an example.
 *
 * @param from where the body begins; 0 for a file without frontmatter.
 */
export function findLookalike(text: string, from: number, keys: KeyTests): Lookalike | undefined {
  const lines = splitLines(text.slice(from, from + MAX_LENGTH)).map((line) => ({ ...line, start: line.start + from }))
  const first = skipComments(lines, text, 0)
  const isTop = from === 0
  const wrapped = isTop ? wrappedFrontmatter(lines, first, keys) : undefined
  return wrapped ?? laterBlock(lines, isTop, keys) ?? unfencedKeys(lines, first, keys)
}

/** The frontmatter, or the whole file, in a markdown code block, as chats have it. */
function wrappedFrontmatter(lines: readonly Line[], first: number, keys: KeyTests): Lookalike | undefined {
  const line = lines[first]
  if (line === undefined || codeFence(line.text) === undefined) return undefined
  const isSkipped = (text: string) => text.trim() === "" || codeFence(text) !== undefined
  const inner = lines.findIndex(({ text }, index) => index > first && !isSkipped(text))
  const isFenced = /^\s*---\s*$/.test(lines[inner]?.text ?? "")
  const isWhole = codeFence(lines.findLast(({ text }) => text.trim() !== "")?.text ?? "") !== undefined
  const isMeant = isFenced
    ? blockHasCondition(lines, inner + 1, keys, "condition")
    : isWhole && isMeantAsKeys(firstParagraph(lines.slice(inner)), keys, "condition")
  if (!isMeant) return undefined
  const reason = "the frontmatter is inside a code block, where it is not read"
  return { offset: line.start, reason, remedy: "Remove the lines with the code block's fences" }
}

/** Keys at the beginning of a text, or below its first headings. */
function unfencedKeys(lines: readonly Line[], first: number, keys: KeyTests): Lookalike | undefined {
  let start = first
  while (/^(?:#{1,6}\s.*|\s*)$/.test(lines[start]?.text ?? "x")) start += 1
  const junk = NO_WORDS.test(lines[start]?.text ?? "") ? 1 : 0
  const paragraph = firstParagraph(lines.slice(start + junk, start + MAX_LINES))
  const closing = paragraph.findIndex(({ text }) => NO_WORDS.test(text))
  const line = paragraph[0]
  if (line === undefined || !isMeantAsKeys(paragraph.slice(0, closing < 0 ? undefined : closing), keys, "condition")) {
    return undefined
  }
  return { offset: line.start, reason: "these lines look like frontmatter, but are not between fences", remedy: FENCES }
}

/** A block between fences, or below one, further down. */
function laterBlock(lines: readonly Line[], isTop: boolean, keys: KeyTests): Lookalike | undefined {
  let code: string | undefined
  let isComment = false
  for (const [index, line] of lines.entries()) {
    const fence = codeFence(line.text)
    const opened = line.text.lastIndexOf("<!--")
    const wasComment = isComment
    if (code === undefined && opened >= 0) isComment = true
    if (isComment && line.text.lastIndexOf("-->") > opened) isComment = false
    if (wasComment) continue
    if (code !== undefined) {
      if (fence?.startsWith(code) && line.text.trim() === fence) code = undefined
    } else if (fence !== undefined) {
      code = fence
    } else if (/^ {0,3}(?:-{3,}|\+{3,})/.test(withoutComments(line.text))) {
      if (!blockHasCondition(lines, index + 1, keys, "condition")) continue
      const reason = isTop
        ? "text stands above this frontmatter, which is therefore not read"
        : "this second block of frontmatter is not read"
      const remedy = isTop
        ? `Move the text below the frontmatter; or ${EXAMPLE}`
        : `${EXAMPLE[0]?.toUpperCase()}${EXAMPLE.slice(1)}`
      return { offset: line.start, reason, remedy }
    }
  }
  return undefined
}

function withoutComments(line: string): string {
  return withoutInvisibleStart(line).replace(/^(?:<!--.*?-->\s*)+/, "")
}

/** The backticks or tildes that open or close a code block. */
function codeFence(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(withoutInvisibleStart(line))?.[1]
}
