/** Scripts that are written without blanks between words: any place in them can be a word's start. */
const UNSPACED = ["Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"]
  .map((script) => `\\p{scx=${script}}`)
  .join("")
const HANGUL = "\\p{scx=Hangul}"
const WORD = "\\p{L}\\p{M}\\p{N}_"

/** What one character is. An engine takes about a millisecond to compile such a class, so it does that once for all keywords. */
const KINDS = {
  unspaced: lazy(`^[${UNSPACED}]`),
  hangul: lazy(`^${HANGUL}`),
  word: lazy(`[${WORD}]`),
  spacedWord: lazy(`^[[${WORD}]--[${UNSPACED}${HANGUL}]]`),
}

/** Finds one keyword in a text. */
export interface KeywordPattern {
  /** @param text in NFC. */
  test(text: string): boolean
}

/**
 * A matcher for one keyword: case-insensitive, a run of blanks in it meets any run, and it begins a word:
 *
 * - a letter or digit before it means that it is inside a word ("contest" has no `test`), but a change of script does not
 *   ("使用test" has `test`, and so has "배포test"); a keyword in a script without blanks is found anywhere;
 * - a keyword that begins with a sign must not follow a letter either (`.env` is in "edit .env", not in "process.env");
 * - a keyword of signs only (`=>`, `++`) is found anywhere.
 *
 * Compiled when it is used first: whoever only lists rules never needs it.
 */
export function keywordPattern(keyword: string): KeywordPattern {
  const text = keyword.normalize("NFC").trim()
  const pattern = lazy(sourceOf(text), "giv")
  const boundary = lazily(() => boundaryOf(text))
  return {
    test(searched) {
      const expression = pattern()
      expression.lastIndex = 0
      for (let found = expression.exec(searched); found; found = expression.exec(searched)) {
        if (boundary()?.test(characterBefore(searched, found.index)) !== true) return true
        // The next one can begin inside of this one.
        expression.lastIndex = found.index + firstCharacter(found[0]).length
      }
      return false
    },
  }
}

function sourceOf(keyword: string): string {
  return keyword
    .split(/\s+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("\\s+")
}

/** What must not stand before the keyword; undefined where anything may. */
function boundaryOf(keyword: string): RegExp | undefined {
  if (KINDS.unspaced().test(keyword) || !KINDS.word().test(keyword)) return undefined
  return KINDS.hangul().test(keyword) ? KINDS.hangul() : KINDS.spacedWord()
}

function characterBefore(text: string, index: number): string {
  const two = text.slice(Math.max(index - 2, 0), index)
  return (two.codePointAt(0) ?? 0) > 0xff_ff ? two : two.slice(-1)
}

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0)
}

function lazy(source: string, flags = "iv"): () => RegExp {
  return lazily(() => new RegExp(source, flags))
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
