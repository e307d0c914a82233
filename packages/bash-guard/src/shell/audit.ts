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
}

interface Span {
  readonly pos: number
  readonly end: number
}

export interface Audited {
  /** Offsets of substitutions the tree doesn't know. */
  readonly missed: readonly number[]
  /** Whether quoted or escaped text reads like a substitution: harmless, unless arithmetic evaluates it. */
  readonly hasQuotedSubstitution: boolean
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
  }
}

/** The last two: a line continuation within `$x` or an operator, which shells join before they read it. */
const openings = /`|\$\(|[<>]\(|\$\{[ \t\r\n|]|\$\{?\\\r?\n|[<>&|;(){}=]\\\r?\n/g

export function auditText(source: string, account: TextAccount): Audited {
  const missed: number[] = []
  let hasQuotedSubstitution = false
  const candidates = [...source.matchAll(openings)]
  if (candidates.length === 0) return { missed, hasQuotedSubstitution }
  const comments = commentSpans(source, account)
  for (const candidate of candidates) {
    const at = candidate.index
    if (account.starts.has(at) || account.closings.has(at)) continue
    if (isInside(at, account.elsewhere) || isInside(at, comments)) continue
    const isSubstitution = /^[$`]/.test(candidate[0])
    const isPlain = isEscaped(source, at) && !isInside(at, account.unescapable)
    if (isInside(at, account.quoted) || isPlain) {
      if (isSubstitution) hasQuotedSubstitution = true
      continue
    }
    if (!isSubstitution && isInside(at, account.halfQuoted)) continue
    missed.push(at)
  }
  return { missed, hasQuotedSubstitution }
}

/**
 * Whether a line break separates parts of the script: not one in quotes, not a continuation, and not those around
 * comments before or after all of it.
 */
export function hasLineBreak(source: string, account: TextAccount): boolean {
  const start = skipComments(source, 0)
  for (const match of source.slice(start).matchAll(/\n/g)) {
    const at = start + match.index
    if (isEscaped(source, at) || isInside(at, account.quoted) || isInside(at, account.halfQuoted)) continue
    if (skipComments(source, at) < source.length) return true
  }
  return false
}

function skipComments(source: string, from: number): number {
  const blank = /\s+|#[^\n]*/y
  blank.lastIndex = from
  let end = from
  while (blank.test(source)) end = blank.lastIndex
  return end
}

function isInside(at: number, spans: readonly Span[]): boolean {
  return spans.some((span) => span.pos <= at && at < span.end)
}

function isEscaped(source: string, at: number): boolean {
  let backslashes = 0
  while (source[at - 1 - backslashes] === "\\") backslashes += 1
  return backslashes % 2 === 1
}

function commentSpans(source: string, account: TextAccount): readonly Span[] {
  if (!source.includes("#")) return []
  const comments: Span[] = []
  for (const match of source.matchAll(/(?<![^ \t\n;&|()])#[^\n]*/g)) {
    const at = match.index
    if (isInside(at, comments) || isInside(at, account.leaves) || isInside(at, account.elsewhere)) continue
    comments.push({ pos: at, end: at + match[0].length })
  }
  return comments
}
