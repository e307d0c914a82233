import fc from "fast-check"

/** How a text becomes another, line by line. */
export interface LineChange {
  readonly sign: " " | "+" | "-"
  readonly text: string
}

/** One side of the changes as a text; "+" for what it becomes, "-" for what it was. */
export function side(changes: readonly LineChange[], sign: "+" | "-"): string {
  return changes
    .filter((each) => each.sign === " " || each.sign === sign)
    .map(({ text }) => `${text}\n`)
    .join("")
}

/** The places that change, with so many lines of context around them, each with the number of its first line afterwards. */
export function hunksOf(changes: readonly LineChange[], context: number): { start: number; lines: LineChange[] }[] {
  const isNear = (at: number) =>
    changes.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== " ")
  const found: { start: number; lines: LineChange[] }[] = []
  let open = false
  let line = 1
  for (const [at, each] of changes.entries()) {
    if (isNear(at) && !open) found.push({ start: line, lines: [] })
    open = isNear(at)
    if (open) found.at(-1)?.lines.push(each)
    if (each.sign !== "-") line += 1
  }
  return found
}

/** The same as a host shows it. */
export function unifiedDiff(changes: readonly LineChange[]): string {
  const shown = hunksOf(changes, 4).map(({ start, lines }) => {
    const count = (sign: string) => lines.filter((each) => each.sign === " " || each.sign === sign).length
    return [`@@ -1,${count("-")} +${start},${count("+")} @@`, ...lines.map(({ sign, text }) => sign + text)].join("\n")
  })
  return ["Index: file", "--- file", "+++ file", ...shown, ""].join("\n")
}

/** Any changes of a text that ends with a line break or is empty. */
export function changesOf(text: string, line: fc.Arbitrary<string>): fc.Arbitrary<readonly LineChange[]> {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n")
  const inserted = fc
    .array(line, { maxLength: 2 })
    .map((all) => all.map((added): LineChange => ({ sign: "+", text: added })))
  const each = lines.map((kept) =>
    fc
      .tuple(fc.constantFrom<LineChange["sign"]>(" ", " ", " ", "-"), inserted)
      .map(([sign, more]) => [{ sign, text: kept }, ...more]),
  )
  return fc.tuple(inserted, ...each).map((all) => all.flat())
}
