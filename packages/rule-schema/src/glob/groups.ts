/** What opens a group of a glob, and what closes it. */
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "(": ")" }

/**
 * The groups of a pattern: where each `{`, `(` and `[` that is closed closes. A class (`[…]`) lies in one segment and holds no
 * group; what is escaped opens and closes nothing. One pass, whatever the text.
 */
export function groupsOf(text: string): ReadonlyMap<number, number> {
  const groups = new Map<number, number>()
  const open: { readonly at: number; readonly closer: string }[] = []
  /** How many are open by closer: a closer of none is passed over without a search. */
  const waiting: Record<string, number> = { "}": 0, ")": 0 }
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] ?? ""
    if (char === "\\") {
      index += 1
    } else if (char === "[") {
      const end = classEnd(text, index)
      if (end !== undefined) {
        groups.set(index, end)
        index = end
      }
    } else if (char in CLOSERS) {
      const closer = CLOSERS[char] ?? ""
      open.push({ at: index, closer })
      waiting[closer] = (waiting[closer] ?? 0) + 1
    } else if (waiting[char]) {
      for (let group = open.pop(); group !== undefined; group = open.pop()) {
        waiting[group.closer] = (waiting[group.closer] ?? 0) - 1
        if (group.closer !== char) continue
        groups.set(group.at, index)
        break
      }
    }
  }
  return groups
}

/** The index of the `]` that ends a class; a `]` right at its start is a member of it. */
function classEnd(text: string, start: number): number | undefined {
  const match = CLASS.exec(text.slice(start, start + LONGEST_CLASS))
  return match === null ? undefined : start + match[0].length - 1
}

const LONGEST_CLASS = 300
const CLASS = /^\[(?:\[[^[\]/\r\n]+\]|[!^]?\]?(?:\[:[a-z]+:\]|\\[^\r\n]|[^\]\\/\r\n])*)\]/

/** The parts of a pattern between the slashes that stand in no group. */
export function segmentsOf(text: string): readonly string[] {
  const groups = groupsOf(text)
  const segments: string[] = []
  let from = 0
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]
    if (char === "\\") index += 1
    else if (char === "/") {
      segments.push(text.slice(from, index))
      from = index + 1
    } else index = groups.get(index) ?? index
  }
  return [...segments, text.slice(from)]
}
