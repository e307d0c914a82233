import { expect, test } from "bun:test"
import { splitEntries } from "./entries.ts"

/** Each entry in short: key and value's first line, then what else there is to say of it. */
function split(source: string): readonly string[] {
  const { entries, leading } = splitEntries(source)
  const said = entries.map(({ key, start, end, column, value, gap, isTabbed, rest, strays }) => {
    const written = source.slice(value.start, value.end)
    expect([value.end, source.slice(start, value.start).endsWith(":")]).toEqual([end, true])
    return [
      `${start} ${key}=${JSON.stringify(written)}`,
      ...(column > 0 ? [`column ${column}`] : []),
      ...(gap === "none" ? [] : [gap]),
      ...(isTabbed ? ["tabbed"] : []),
      ...(rest.length > 0 ? [`rest ${rest.length}`] : []),
      ...strays.map(({ start: at, isAdjoining }) => `stray ${at}${isAdjoining ? " adjoining" : ""}`),
    ].join(" ")
  })
  return [...(leading ? [`leading ${leading.start} ${leading.text}`] : []), ...said]
}

test.each<[source: string, ...entries: string[]]>([
  [""],
  ["# a: b"],
  ["text\nmore", "leading 0 text"],
  ["a: b", '0 a=" b"'],
  ["a: b\nc:\n  - d\n  - e: f\ng: h", '0 a=" b"', '5 c="\\n  - d\\n  - e: f" rest 2', '23 g=" h"'],
  ["a:\n- b\n- c\nd: e", '0 a="\\n- b\\n- c" rest 2', '11 d=" e"'],
  ['\'a b\': c\n"d\\"e": f\n<<: *g', `0 a b=" c"`, `9 d\\"e=" f"`, '19 <<=" *g"'],
  ["\n# x\n\ntext\n  a: b\n  c: d", "leading 6 text", '13 a=" b" column 2', '20 c=" d" column 2'],
  ["  a: b\n    c: d\n  e: f", '2 a=" b\\n    c: d" column 2 rest 1', '18 e=" f" column 2'],
  ["a: b\n  c: d", '0 a=" b\\n  c: d" rest 1'],
  ["\u200ba: b\nc: d", '1 a=" b"', '6 c=" d"'],
  ["a: b\n  c:\td", '0 a=" b\\n  c:\\td" rest 1'],
  ["a: b\n\tc: d\ne: f", '0 a=" b"', '6 c=" d" column 1 tabbed', '11 e=" f"'],
  ["a:\n\tc: d", '0 a="\\n\\tc: d" rest 1'],
  ["\ta: b", '1 a=" b" column 1 tabbed'],
  // What stands between two keys.
  ["a: b\n\nc: d", '0 a=" b\\n" rest 1', '6 c=" d" blank'],
  ["a: b\n \t\nc: d", '0 a=" b\\n \\t" rest 1', '8 c=" d" blank'],
  ["a: b\n\n# T\nc: d", '0 a=" b\\n\\n# T" rest 2', '10 c=" d" heading'],
  ["a: b\n\n#T\nc: d", '0 a=" b\\n\\n#T" rest 2', '9 c=" d" blank'],
  ["a: b\n# T\nc: d", '0 a=" b\\n# T" rest 1', '9 c=" d"'],
  ["a: b\n\n# T\ntext\nc: d", '0 a=" b\\n\\n# T\\ntext" rest 3 stray 10', '15 c=" d"'],
  ["\na: b", '1 a=" b" blank'],
  // Lines at the margin that are no part of a value.
  ["a: b\ntext\n more\nlast", '0 a=" b\\ntext\\n more\\nlast" rest 3 stray 5 adjoining stray 16 adjoining'],
  ["a: b\n\ntext\n# x\nlast", '0 a=" b\\n\\ntext\\n# x\\nlast" rest 4 stray 6 stray 15'],
  ["a:\n- b\ntext\n- c", '0 a="\\n- b\\ntext\\n- c" rest 3 stray 7 adjoining stray 12 adjoining'],
  ["a: b\n- c", '0 a=" b\\n- c" rest 1 stray 5 adjoining'],
  ["a: # x\n- c\n-\n-'d'\n-e", `0 a=" # x\\n- c\\n-\\n-'d'\\n-e" rest 4 stray 18 adjoining`],
  ["  a:\n  - b\n text", '2 a="\\n  - b\\n text" column 2 rest 2 stray 11 adjoining'],
  ["a: [\nb\n]\nc: d", '0 a=" [\\nb\\n]" rest 2', '9 c=" d"'],
  ["a:  [\nb\n]\nc: d", '0 a="  [\\nb\\n]" rest 2', '10 c=" d"'],
  ["a: [\nb\nc: d", '0 a=" [\\nb" rest 1 stray 5 adjoining', '7 c=" d"'],
  ["a: [x] # y\nb\n]", '0 a=" [x] # y\\nb\\n]" rest 2 stray 11 adjoining'],
  ["a: [xy] # z\nb\n]", '0 a=" [xy] # z\\nb\\n]" rest 2 stray 12 adjoining'],
  ["a: b [\nc\n]", '0 a=" b [\\nc\\n]" rest 2 stray 7 adjoining'],
  ["a: { # y\nb\n}", '0 a=" { # y\\nb\\n}" rest 2'],
])("%j", (source, ...entries) => {
  expect(split(source)).toEqual(entries)
})
