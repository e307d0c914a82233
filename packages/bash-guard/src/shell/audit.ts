import type { Span } from "./visitor.ts"

/**
 * The audit: the raw text against what the tree accounts for. The parser misses some substitutions (in arithmetic,
 * subscripts, after array values, in here-documents); each `$(`, backtick, `<(`, `>(` and `${ ` that is neither the
 * start of a known substitution nor quoted is reported, so a command the walk could not see is never allowed.
 */

export interface TextAccount {
  /** Offsets at which the tree has a substitution. */
  readonly starts: Set<number>
  /** Offsets of closing backticks. */
  readonly closings: Set<number>
  /** Spans whose text is read as another text (backticks with escapes). */
  readonly elsewhere: Span[]
  /** Spans in which nothing is special. */
  readonly quoted: Span[]
  /** Spans in which `<(` and `>(` are not special. */
  readonly halfQuoted: Span[]
  /** Spans in which a backslash does not make the next character plain. */
  readonly unescapable: Span[]
  /** Words and other leaves: a `#` outside of them begins a comment. */
  readonly leaves: Span[]
  /** Bodies of here-documents, with the line that ends each. */
  readonly bodies: Span[]
}

export function emptyAccount(): TextAccount {
  return {
    starts: new Set(),
    closings: new Set(),
    elsewhere: [],
    quoted: [],
    halfQuoted: [],
    unescapable: [],
    leaves: [],
    bodies: [],
  }
}

/** The last two: a line continuation within `$x` or an operator, which shells join before they read it. */
const openings = /`|\$\(|[<>]\(|\$\{[ \t\r\n|]|\$\{?\\\r?\n|[<>&|;(){}=]\\\r?\n/g

/** The offsets of substitutions that the tree doesn't know. */
export function auditText(source: string, account: TextAccount): readonly number[] {
  const candidates = [...source.matchAll(openings)]
  if (candidates.length === 0) return []
  const isElsewhere = covering(account.elsewhere)
  const isComment = covering(commentSpans(source, account, isElsewhere))
  const isQuoted = covering(account.quoted)
  const isHalfQuoted = covering(account.halfQuoted)
  const isUnescapable = covering(account.unescapable)
  return candidates.flatMap((candidate) => {
    const at = candidate.index
    if (account.starts.has(at) || account.closings.has(at)) return []
    if (isElsewhere(at) || isComment(at) || isQuoted(at)) return []
    if (isEscaped(source, at) && !isUnescapable(at)) return []
    const isSubstitution = /^[$`]/.test(candidate[0])
    return !isSubstitution && isHalfQuoted(at) ? [] : [at]
  })
}

/**
 * Whether a line break separates parts of the script: not one in quotes or in a here-document, not a continuation, and not
 * those around comments before or after all of it.
 */
export function hasLineBreak(source: string, account: TextAccount): boolean {
  // The line break in front of a here-document's body belongs to it.
  const bodies = account.bodies.map(({ pos, end }) => ({ pos: pos - 1, end }))
  const isText = covering([...account.quoted, ...account.halfQuoted, ...bodies])
  const [before = ""] = /^(?:\s+|#[^\n]*)*/.exec(source) ?? []
  const end = endOfCode(source)
  for (let at = source.indexOf("\n", before.length); at !== -1 && at < end; at = source.indexOf("\n", at + 1)) {
    if (!isEscaped(source, at) && !isText(at)) return true
  }
  return false
}

/** The offset behind the last line that is more than whitespace and a comment. */
function endOfCode(source: string): number {
  let end = source.length
  while (end > 0) {
    const start = source.lastIndexOf("\n", end - 1) + 1
    if (!/^\s*(#.*)?$/.test(source.slice(start, end))) return end
    end = start - 1
  }
  return 0
}

/** Deeper nesting than this, or so deep a nesting of so long a text, takes the parser too long. */
const deepest = 100
const mostWork = 10_000_000

export function isTooDeep(source: string): boolean {
  let depth = 0
  let most = 0
  for (const [bracket] of source.matchAll(/[(){}]/g)) {
    depth = Math.max(0, depth + (bracket === "(" || bracket === "{" ? 1 : -1))
    most = Math.max(most, depth)
  }
  return most > deepest || most * source.length > mostWork
}

/** Whether an offset lies in one of the spans, in time that grows with the logarithm of their number. */
function covering(spans: readonly Span[]): (at: number) => boolean {
  const sorted = spans.toSorted((left, right) => left.pos - right.pos)
  const starts: number[] = []
  const ends: number[] = []
  for (const { pos, end } of sorted) {
    const last = ends.length - 1
    if (last >= 0 && pos <= (ends[last] ?? 0)) ends[last] = Math.max(ends[last] ?? 0, end)
    else {
      starts.push(pos)
      ends.push(end)
    }
  }
  return (at) => {
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    return low > 0 && at < (ends[low - 1] ?? 0)
  }
}

function isEscaped(source: string, at: number): boolean {
  let backslashes = 0
  while (source[at - 1 - backslashes] === "\\") backslashes += 1
  return backslashes % 2 === 1
}

function commentSpans(source: string, account: TextAccount, isElsewhere: (at: number) => boolean): readonly Span[] {
  if (!source.includes("#")) return []
  const isLeaf = covering(account.leaves)
  const comments: Span[] = []
  for (const match of source.matchAll(/(?<![^ \t\n;&|()])#[^\n]*/g)) {
    const at = match.index
    if (isLeaf(at) || isElsewhere(at)) continue
    comments.push({ pos: at, end: at + match[0].length })
  }
  return comments
}
