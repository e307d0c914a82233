/** One literal to look for, with the hashes of the runs of three characters in it. */
export interface Needle {
  readonly text: string
  readonly trigrams: readonly number[]
}

/** A hash of three characters: 15 bits, so that a table of them stays in the fastest cache. */
const BITS_PER_CHARACTER = 5
const TABLE = 1 << (3 * BITS_PER_CHARACTER)
/** So many hashes tell a literal's absence; more only cost memory. */
const MOST_TRIGRAMS = 16
/** A longer text is looked at in windows of so many characters: the table says nothing once it is full. */
const WINDOW = 64 * 1024
/** Longer literals are looked for one by one, so that windows need not overlap by more. */
const LONGEST = 4096
/** For fewer literals the pass over the text costs more than it saves. */
const WORTH_A_PASS = 8

export function needleOf(text: string): Needle {
  const trigrams: number[] = []
  let hash = 0
  for (let index = 0; index < text.length && trigrams.length < MOST_TRIGRAMS; index += 1) {
    hash = nextHash(hash, text.charCodeAt(index))
    if (index >= 2) trigrams.push(hash)
  }
  return { text, trigrams }
}

/**
 * Which of the seekers have one of their literals in the text? One pass over the text notes the runs of three characters
 * that are in it. A literal with another run in it can't be there; the few that remain are looked for in earnest.
 */
export function seekersIn<T extends { readonly needles: readonly Needle[] }>(
  text: string,
  seekers: readonly T[],
): ReadonlySet<T> {
  const found = new Set<T>()
  const { count, longest } = measure(seekers)
  if (count < WORTH_A_PASS || longest > LONGEST) {
    const isOne = ({ text: literal }: Needle) => count < WORTH_A_PASS || literal.length > LONGEST
    for (const seeker of seekers) {
      if (seeker.needles.some((needle) => isOne(needle) && text.includes(needle.text))) found.add(seeker)
    }
  }
  if (count < WORTH_A_PASS) return found

  const table = new Uint8Array(TABLE)
  for (let start = 0; start < text.length; start += WINDOW) {
    const end = start + WINDOW + Math.min(longest, LONGEST)
    const window = start === 0 && end >= text.length ? text : text.slice(start, end)
    note(window, table.fill(0))
    for (const seeker of seekers) {
      if (!found.has(seeker) && seeker.needles.some((needle) => isIn(needle, window, table))) found.add(seeker)
    }
  }
  return found
}

function measure(seekers: readonly { readonly needles: readonly Needle[] }[]): { count: number; longest: number } {
  let count = 0
  let longest = 0
  for (const { needles } of seekers) {
    count += needles.length
    for (const { text } of needles) longest = Math.max(longest, text.length)
  }
  return { count, longest }
}

function note(text: string, table: Uint8Array): void {
  let hash = 0
  for (let index = 0; index < text.length; index += 1) {
    hash = nextHash(hash, text.charCodeAt(index))
    table[hash] = 1
  }
}

/** Forgets the character before the last three. */
function nextHash(hash: number, code: number): number {
  return ((hash << BITS_PER_CHARACTER) ^ code) & (TABLE - 1)
}

function isIn({ text, trigrams }: Needle, window: string, table: Uint8Array): boolean {
  for (const trigram of trigrams) if (table[trigram] === 0) return false
  return window.includes(text)
}
