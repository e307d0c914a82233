const CONTROL = /[\p{Cc}\u200B\u2060\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu
const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

/** Makes control and direction characters visible as escapes, so that a text stays on its line and can't paint over others. */
export function visible(text: string): string {
  return text.replace(
    CONTROL,
    (char) => ESCAPES[char] ?? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  )
}

/** A one-line label: control characters become spaces, runs of blanks one space. */
export function label(text: string): string {
  return text.replace(CONTROL, " ").replace(/\s+/g, " ").trim()
}

/** A text in quotes, escaped and cut to `limit` characters. */
export function quoted(text: string, limit = 60): string {
  return `"${cut(visible(text), limit)}"`
}

/** Cuts at whole code points and says so with an ellipsis. */
export function cut(text: string, limit: number): string {
  const points = Array.from(text.slice(0, limit * 2 + 2))
  return points.length > limit ? `${points.slice(0, limit - 1).join("")}…` : text
}

/** "a", "a, b", "a, b, c +2". */
export function listed(words: readonly string[], shown = 3): string {
  const rest = words.length - shown
  return rest > 0 ? `${words.slice(0, shown).join(", ")} +${rest}` : words.join(", ")
}
