import type { Problems } from "../problems.ts"
import type { Origin } from "./origin.ts"

/**
 * Characters that show nothing and can carry a text for the model that its reader doesn't see: formats, tags, variation selectors,
 * fillers and controls.
 */
const HIDDEN =
  /\p{Cf}|\p{Co}|\p{Variation_Selector}|[\u{E0000}-\u{E0FFF}]|[\u115F\u1160\u2800\u3164\uFFA0]|\u034F|\u17B4|\u17B5|(?![\t\n\r])\p{Cc}/gu

const JOINERS = "\u200C\u200D"
const EMOJI_SELECTORS = "\uFE0E\uFE0F"
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji}|\p{Emoji_Modifier}|\uFE0F/u
/** A letter or mark of a script that is written with joiners. */
const JOINING = /(?!\p{Script=Latin})(?:\p{L}|\p{M})/u

/** Refuses a pack's rule that hides something: nobody has read it who only looked at it. */
export function reportHidden(origin: Origin | undefined, text: string, problems: Problems): void {
  if (origin?.kind !== "pack") return
  for (const match of text.matchAll(HIDDEN)) {
    const { index } = match
    if (isMeant(text, index, match[0])) continue
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
    const reason = `the rule has an invisible character, U+${code}`
    problems.error({ offset: index }, "hidden-character", reason, "Ask the package's author to remove it")
    return
  }
}

/** A byte-order mark, the joiners and selectors of an emoji, and the joiners between letters that need them. */
function isMeant(text: string, at: number, character: string): boolean {
  if (at === 0 && character === "\uFEFF") return true
  const before = Array.from(text.slice(Math.max(at - 2, 0), at)).at(-1) ?? ""
  if (EMOJI_SELECTORS.includes(character)) return PICTURE.test(before)
  if (!JOINERS.includes(character)) return false
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0)
  return [PICTURE, JOINING].some((kind) => kind.test(before) && kind.test(after))
}
