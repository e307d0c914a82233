/** Literals of which a text is to have one, prepared so that few of them must be looked for. */
export interface LiteralMatcher {
  readonly literals: readonly string[]
  /** For each literal, `TRIGRAMS` hashes of runs of three characters in it. One array: to reach many small ones takes longer than to compare. */
  readonly trigrams: Uint16Array
  /** The length of the longest. */
  readonly longest: number
}

/** A hash of three characters: 15 bits, so that a table of them stays in the fastest cache. */
const BITS_PER_CHARACTER = 5
const TABLE = 1 << (3 * BITS_PER_CHARACTER)
/** Stands for a hash where a literal is too short to have one: every text has it. */
const ANY = TABLE
/** So many hashes, from all over a literal, tell its absence. */
const TRIGRAMS = 8
/** A longer text is looked at in windows of so many characters: the table says nothing once it is full. */
const WINDOW = 64 * 1024
/** Longer literals are looked for one by one, so that windows need not overlap by more. */
const LONGEST = 4096
/** For fewer literals the pass over the text costs more than it saves. */
const WORTH_A_PASS = 8

export function literalMatcher(literals: readonly string[]): LiteralMatcher {
  const trigrams = new Uint16Array(literals.length * TRIGRAMS).fill(ANY)
  for (const [at, literal] of literals.entries()) {
    const last = literal.length - 3
    for (let index = 0; index < TRIGRAMS && last >= 0; index += 1) {
      const start = Math.floor((index * last) / (TRIGRAMS - 1))
      trigrams[at * TRIGRAMS + index] = hashAt(literal, start)
    }
  }
  return { literals, trigrams, longest: Math.max(0, ...literals.map((literal) => literal.length)) }
}

/**
 * Which of the matchers have one of their literals in the text? One pass over the text notes the runs of three characters
 * that are in it. A literal with another run in it can't be there; the few that remain are looked for in earnest.
 */
export function matchersIn<T extends LiteralMatcher>(text: string, matchers: readonly T[]): ReadonlySet<T> {
  const found = new Set<T>()
  const count = matchers.reduce((sum, { literals }) => sum + literals.length, 0)
  const longest = matchers.reduce((most, matcher) => Math.max(most, matcher.longest), 0)
  if (count < WORTH_A_PASS || longest > LONGEST) {
    const isOne = (literal: string) => count < WORTH_A_PASS || literal.length > LONGEST
    for (const matcher of matchers) {
      if (matcher.literals.some((literal) => isOne(literal) && text.includes(literal))) found.add(matcher)
    }
  }
  if (count < WORTH_A_PASS) return found

  const table = new Uint8Array(TABLE + 1)
  for (let start = 0; start < text.length; start += WINDOW) {
    const end = start + WINDOW + Math.min(longest, LONGEST)
    const window = start === 0 && end >= text.length ? text : text.slice(start, end)
    note(window, table)
    for (const matcher of matchers) if (!found.has(matcher) && isIn(matcher, window, table)) found.add(matcher)
  }
  return found
}

function note(text: string, table: Uint8Array): void {
  table.fill(0)
  table[ANY] = 1
  let hash = 0
  for (let index = 0; index < text.length; index += 1) {
    hash = nextHash(hash, text.charCodeAt(index))
    table[hash] = 1
  }
}

function hashAt(text: string, start: number): number {
  let hash = 0
  for (let index = start; index < start + 3; index += 1) hash = nextHash(hash, text.charCodeAt(index))
  return hash
}

/** Forgets the character before the last three. */
function nextHash(hash: number, code: number): number {
  return ((hash << BITS_PER_CHARACTER) ^ code) & (TABLE - 1)
}

function isIn({ literals, trigrams }: LiteralMatcher, window: string, table: Uint8Array): boolean {
  for (let at = 0; at < literals.length; at += 1) {
    let index = at * TRIGRAMS
    const end = index + TRIGRAMS
    while (index < end && table[trigrams[index] ?? ANY] === 1) index += 1
    if (index === end && window.includes(literals[at] ?? "")) return true
  }
  return false
}
