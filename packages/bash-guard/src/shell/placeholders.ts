import type { ArgumentWord, Gap } from "./reading.ts"

/** The replacement text becomes a path or a word when it runs. */
export function withPlaceholders(words: readonly ArgumentWord[], mark: string): readonly ArgumentWord[] {
  return words.map((word) => {
    if (mark === "" || !word.fragments.some((text) => text.includes(mark))) return word
    const gaps: Gap[] = []
    const fragments = word.fragments.flatMap((text, index) => {
      const pieces = text.split(mark)
      gaps.push(...pieces.slice(1).map(() => ({ text: mark, isQuoted: true })), ...word.gaps.slice(index, index + 1))
      return pieces
    })
    return { ...word, fragments, gaps }
  })
}
