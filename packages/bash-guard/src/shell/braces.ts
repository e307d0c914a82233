/** More words than this from one word's braces, or a longer word, and they are not expanded. */
const mostWords = 64
const longestWord = 400

/**
 * The words that brace expansion makes of a word: `{rm,-rf}` is `rm` and `-rf`.
 * @returns undefined for a word that has expansions of other kinds, no brace to expand, or too many words in it.
 */
export function expandBraces(written: string): readonly string[] | undefined {
  if (written.length > longestWord) return undefined
  const characters = unquote(written)
  if (characters === undefined || !characters.some(isOpen)) return undefined
  const budget = { left: mostWords * 4 }
  const words = expand(characters, budget)
  return words === undefined ? undefined : words.map((word) => word.map(({ text }) => text).join(""))
}

interface Character {
  readonly text: string
  readonly isPlain: boolean
}

/** The characters of a word without expansions; what was quoted is not special. */
function unquote(written: string): readonly Character[] | undefined {
  if (/[$`*?[\]~<>]/.test(written)) return undefined
  const characters: Character[] = []
  for (const [piece] of written.matchAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[\s\S]/gs)) {
    if (piece.length === 1 && /['"\\]/.test(piece)) return undefined
    const isPlain = piece.length === 1
    const text = isPlain ? piece : piece.startsWith("\\") ? piece.slice(1) : piece.slice(1, -1)
    characters.push(...text.split("").map((character) => ({ text: character, isPlain })))
  }
  return characters
}

function isOpen({ text, isPlain }: Character): boolean {
  return isPlain && text === "{"
}

function expand(
  characters: readonly Character[],
  budget: { left: number },
): readonly (readonly Character[])[] | undefined {
  budget.left -= 1
  if (budget.left < 0) return undefined
  const group = firstGroup(characters)
  if (group === undefined) return [characters]
  const before = characters.slice(0, group.open)
  const rest = expand(characters.slice(group.close + 1), budget)
  if (rest === undefined) return undefined
  const middles: (readonly Character[])[] = []
  for (const part of group.parts) {
    const expanded = expand(part, budget)
    if (expanded === undefined) return undefined
    middles.push(...expanded)
  }
  if (middles.length * rest.length > mostWords) return undefined
  return middles.flatMap((middle) => rest.map((tail) => [...before, ...middle, ...tail]))
}

interface Group {
  readonly open: number
  readonly close: number
  readonly parts: readonly (readonly Character[])[]
}

/** The first brace with a comma at its own level; a range such as `{1..3}` stays as it is, which names nothing. */
function firstGroup(characters: readonly Character[]): Group | undefined {
  const stack: { readonly open: number; readonly commas: number[] }[] = []
  let outermost: Group | undefined
  for (const [at, { text, isPlain }] of characters.entries()) {
    if (!isPlain) continue
    if (text === "{") stack.push({ open: at, commas: [] })
    if (text === ",") stack.at(-1)?.commas.push(at)
    if (text !== "}") continue
    const ended = stack.pop()
    if (ended === undefined || ended.commas.length === 0) continue
    if (outermost !== undefined && ended.open > outermost.open) continue
    const cuts = [ended.open, ...ended.commas, at]
    const parts = cuts.slice(1).map((cut, index) => characters.slice((cuts[index] ?? 0) + 1, cut))
    outermost = { open: ended.open, close: at, parts }
    if (stack.length === 0) return outermost
  }
  return outermost
}
