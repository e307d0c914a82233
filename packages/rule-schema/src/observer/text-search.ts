/** Looks for many literals in one text. */
export interface TextSearch {
  /**
   * The numbers of the literals that a text may have: all that it has, and few others. A literal of several lines may be in a text that
   * has something between them.
   */
  candidatesIn(text: string): readonly number[]
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
/** Of a longer literal its beginning is looked for, so that windows need not overlap by more. */
const LONGEST = 4096
/** For fewer literals the pass over the text costs more than it saves. */
const WORTH_A_PASS = 8

/**
 * One pass over a text notes which runs of three characters it has. A literal with another run in it can't be there. All
 * literals' rarest runs are in one array: to reach what is in no cache takes longer than to compare.
 */
export function createTextSearch(literals: readonly string[]): TextSearch {
  const samples = literals.map(sampleOf)
  const longest = samples.reduce((most, { length }) => Math.max(most, length), 0)
  const hashes = hashesOf(samples)
  const all = [...literals.keys()]
  const table = new Uint8Array(TABLE + 1)
  return {
    candidatesIn(text) {
      if (literals.length < WORTH_A_PASS) return all
      const found = new Set<number>()
      for (let start = 0; start < text.length; start += WINDOW) {
        note(text, start, Math.min(start + WINDOW + longest, text.length), table)
        for (const at of passing(hashes, table)) found.add(at)
      }
      return [...found]
    },
  }
}

/** The numbers of the samples of which a table has every hash. */
function passing({ rarest, hashes }: SampleHashes, table: Uint8Array): readonly number[] {
  const found: number[] = []
  const count = rarest.length
  for (let at = 0; at < count; at += 1) {
    if (table[rarest[at] as number] !== 1) continue
    let index = at * TRIGRAMS
    const end = index + TRIGRAMS
    while (index < end && table[hashes[index] as number] === 1) index += 1
    if (index === end) found.push(at)
  }
  return found
}

interface SampleHashes {
  /** Of each sample the hash that fewest have. */
  readonly rarest: Uint16Array
  /** All of each. */
  readonly hashes: Uint16Array
}

/** What stands in one piece in every text that has a literal: its longest line, or the beginning of that. */
function sampleOf(literal: string): string {
  const lines = literal.split("\n")
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest)).slice(0, LONGEST)
}

function hashesOf(samples: readonly string[]): SampleHashes {
  const hashes = new Uint16Array(samples.length * TRIGRAMS).fill(ANY)
  const uses = new Uint32Array(TABLE + 1)
  for (const [at, sample] of samples.entries()) {
    const last = sample.length - 3
    for (let index = 0; index < TRIGRAMS && last >= 0; index += 1) {
      const hash = hashAt(sample, Math.floor((index * last) / (TRIGRAMS - 1)))
      hashes[at * TRIGRAMS + index] = hash
      uses[hash] = (uses[hash] ?? 0) + 1
    }
  }
  const rarest = new Uint16Array(samples.length)
  for (const at of samples.keys()) {
    const own = hashes.subarray(at * TRIGRAMS, (at + 1) * TRIGRAMS)
    rarest[at] = own.reduce((best, hash) => ((uses[hash] ?? 0) < (uses[best] ?? 0) ? hash : best))
  }
  return { rarest, hashes }
}

function note(text: string, start: number, end: number, table: Uint8Array): void {
  table.fill(0)
  table[ANY] = 1
  let hash = 0
  for (let index = start; index < end; index += 1) {
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
