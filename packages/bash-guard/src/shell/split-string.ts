import type { ArgumentWord, Gap } from "./reading.ts"
import { wordOf } from "./words.ts"

/**
 * `env -S 'rm -rf x' y`: the string is cut into words as env does, the rest follows.
 * @returns undefined when the word at this index is no such option.
 */
export function splitEnvString(args: readonly ArgumentWord[], at: number): ArgumentWord[] | undefined {
  const option = args[at]
  if (option === undefined) return undefined
  const match = /^(?:-[a-zA-Z0]*S|--s[a-z-]*=?)/.exec(option.value)
  const [start = ""] = match ?? []
  if (match === null || (start.startsWith("--") && !"--split-string".startsWith(start.replace("=", ""))))
    return undefined
  const isAttached = option.value.length > start.length || start.endsWith("=")
  const source = isAttached ? option : args[at + 1]
  if (source === undefined) return []
  const rest = args.slice(isAttached ? at + 1 : at + 2)
  const [head = "", ...others] = source.fragments
  const fragments = isAttached ? [head.slice(start.length), ...others] : source.fragments
  return [...cut(fragments, source.gaps), ...rest]
}

const escapes: Readonly<Record<string, string>> = { f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", _: " " }

/** Cuts at whitespace, with env's quotes, escapes and `${NAME}`; what the shell fills in may be cut as well. */
function cut(fragments: readonly string[], gaps: readonly Gap[]): ArgumentWord[] {
  const words: ArgumentWord[] = []
  let known: string[] = [""]
  let open: Gap[] = []
  let isWord = false
  let quote = ""
  const add = (text: string): void => {
    known.push((known.pop() ?? "") + text)
    isWord = true
  }
  const addGap = (text: string): void => {
    open.push({ text, isQuoted: false })
    known.push("")
    isWord = true
  }
  const end = (): void => {
    if (isWord) words.push(wordOf(known, open))
    known = [""]
    open = []
    isWord = false
  }
  for (const [index, fragment] of fragments.entries()) {
    const gap = gaps[index - 1]
    if (gap !== undefined) addGap(gap.text)
    for (const [piece] of fragment.matchAll(/\\[\s\S]|\$\{[^}]*\}|[\s\S]/g)) {
      const character = piece.charAt(1)
      if (piece === quote) quote = ""
      else if (quote === "" && /^['"]$/.test(piece)) {
        quote = piece
        isWord = true
      } else if (quote === "" && /^\s$/.test(piece)) end()
      else if (piece.startsWith("${") && quote !== "'") addGap(piece)
      else if (piece.length === 2 && piece.startsWith("\\") && quote !== "'") {
        if (character === "c") {
          end()
          return words
        }
        if (character === "_" && quote === "") end()
        else add(escapes[character] ?? character)
      } else add(piece)
    }
  }
  end()
  return words
}
