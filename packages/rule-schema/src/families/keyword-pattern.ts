/** Scripts that are written without blanks between words: any place in them can be a word's start. */
const UNSPACED = ["Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"]
  .map((script) => `\\p{scx=${script}}`)
  .join("")
const HANGUL = "\\p{scx=Hangul}"
const WORD = "\\p{L}\\p{M}\\p{N}_"

/**
 * A matcher for one keyword, for text in NFC: case-insensitive, a run of blanks in it meets any run, and it begins a word:
 *
 * - a letter or digit before it means that it is inside a word ("contest" has no `test`), but a change of script does not
 *   ("使用test" has `test`, and so has "배포test"); a keyword in a script without blanks is found anywhere;
 * - a keyword that begins with a sign must not follow a letter either (`.env` is in "edit .env", not in "process.env");
 * - a keyword of signs only (`=>`, `++`) is found anywhere.
 */
export function keywordPattern(keyword: string): RegExp {
  const text = keyword.normalize("NFC").trim()
  const source = text
    .split(/\s+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("\\s+")
  return new RegExp(boundary(text) + source, "iv")
}

function boundary(keyword: string): string {
  if (new RegExp(`^[${UNSPACED}]`, "v").test(keyword)) return ""
  if (!new RegExp(`[${WORD}]`, "v").test(keyword)) return ""
  if (new RegExp(`^${HANGUL}`, "v").test(keyword)) return `(?<!${HANGUL})`
  return `(?<![[${WORD}]--[${UNSPACED}${HANGUL}]])`
}
