import { describe, expect, test } from "bun:test"
import { isBlock, isReadAsMeant, namesIn, parseYaml, reasonFor, remedyFor } from "./yaml.ts"

const CLOSE = "Put the value in single quotes, or close the bracket or quote that is open"

test.each([
  ['a: "open', "a quote is not closed", CLOSE],
  ["a: 'open", "a quote is not closed", CLOSE],
  ["a: [open", "`[` is not closed", CLOSE],
  ["a: {open", "`{` is not closed", CLOSE],
  [
    'a: "\\d"',
    "a backslash in double quotes begins an escape that does not exist",
    "Use single quotes: backslashes are plain characters there",
  ],
  ["a:\n\t- b", "the line is indented with a tab", "Indent with spaces"],
  [
    "a:\n    b: c\n  d: e",
    "the line is indented differently from the lines above",
    "Indent the items of a list, and the keys of a mapping, equally far",
  ],
  ["a: [b}", "`[` is not closed", CLOSE],
  ["a: @x", "not valid YAML: Plain value cannot start with reserved character @", CLOSE],
  ["%X\na: b", "not valid YAML: Missing directives-end/doc-start indicator line", CLOSE],
  ["a: [b,\nc]", "`[` is not closed", CLOSE],
  ["a: {b: c\nd", "`{` is not closed", CLOSE],
])("what is wrong with %j, in words", (source, reason, remedy) => {
  const [error] = parseYaml(source).errors
  expect([reasonFor(error), remedyFor(error)]).toEqual([reason, remedy])
})

test("an error without words of ours has the library's", () => {
  const [error] = parseYaml('a: "b" "c"').errors
  expect(reasonFor(error)).toBe("not valid YAML: Unexpected double-quoted-scalar at node end")
  expect([reasonFor(undefined), remedyFor(undefined)]).toEqual([
    "not valid YAML: the value can't be read, or has a key twice",
    CLOSE,
  ])
})

test("the anchors and aliases of a whole frontmatter", () => {
  expect(namesIn("x: &a [*b, {c: *d}]\n- &e f\n*g-h : i\nj&k *l*m a:*n &o, [&p]")).toEqual({
    anchors: new Set(["a", "e", "o", "p"]),
    aliases: new Set(["b", "d", "g-h", "l*m", "n"]),
  })
})

describe("YAML's reading is what is meant, unless a sign made something else of a text", () => {
  for (const [source, isMeant] of [
    ["a: b", true],
    ["[a, 'b', {c: d}]", true],
    ["a: !!str 5", true],
    ["a: !dist", false],
    ["a: [b, !c d]", false],
    ["a: &mut", false],
    ["a: &x b", false],
    ["a: &x 'b'", true],
    ["a: &x [b]", true],
    ["a: &x b\nc: *x", true],
    ["a: *x", false],
    ["{a,b}", false],
    ["{a: b, c}", false],
    ["{a: ~}", true],
    ["a:\nb: c", true],
    ["[a]: b", false],
    ["a: b\na: c", false],
    ["a: {b: c, b: d}", false],
    ["1: a\n'1': b", true],
    ["a: [b", false],
    ["%X\n---\na: b", false],
  ] as const) {
    test(JSON.stringify(source), () => expect(isReadAsMeant(parseYaml(source), namesIn(source))).toBe(isMeant))
  }
})

test("a list or a mapping over lines is a block", () => {
  for (const source of ["- a", "a: b"]) expect([source, isBlock(parseYaml(source))]).toEqual([source, true])
  for (const source of ["[a]", "{a: b}", "a", ""]) expect([source, isBlock(parseYaml(source))]).toEqual([source, false])
})
