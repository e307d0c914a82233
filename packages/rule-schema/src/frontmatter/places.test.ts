import { describe, expect, test } from "bun:test"
import { KEY_TESTS } from "../known-keys.ts"
import { collectProblems } from "../problems.ts"
import { isInline, keyAt, readValue } from "./lenient.ts"
import { readFrontmatter } from "./read.ts"
import { OversizedYaml, type Value } from "./value.ts"

/** A value with the offset of each part: `7"a"`, `7[8"a" 11"b"]`, `7{9 key=14"a"}`; with what it is where that is not its text. */
function shown(value: Value): string {
  if (value.kind === "list") return `${value.offset}[${value.items.map(shown).join(" ")}]`
  if (value.kind === "mapping") {
    const entries = [...value.entries.values()].map((entry) => `${entry.offset} ${entry.key}=${shown(entry.value)}`)
    return `${value.offset}{${entries.join(" ")}}`
  }
  const text = JSON.stringify(value.text)
  return value.value === value.text ? `${value.offset}${text}` : `${value.offset}${text}=${JSON.stringify(value.value)}`
}

function read(source: string): readonly string[] {
  const problems = collectProblems("/r.md", source)
  const found = readFrontmatter(source, 0, KEY_TESTS, problems)
  const entries = [...(found?.values() ?? [])].map(({ offset, key, value }) => `${offset} ${key}=${shown(value)}`)
  return [...entries, ...problems.all.map(({ code, line, column, field }) => `${code} ${line}:${column} ${field}`)]
}

describe("each value has its text and its place, whoever reads it", () => {
  for (const [source, ...entries] of [
    ["globs: *.ts, *.tsx # both\nname: x", '0 globs=7"*.ts, *.tsx"', '26 name=32"x"'],
    ["globs:\n  - *.ts # c\n  -   {a,b}\n  - 'q' # d\n\n  # e\n  - r", '0 globs=9[11"*.ts" 26"{a,b}" 36"q" 55"r"]'],
    ["globs: [ *.ts , 'a b', \"c\", {d,e}/f ] # g", '0 globs=7[9"*.ts" 16"a b" 23"c" 28"{d,e}/f"]'],
    ["globs: [\n  *.a, # one\n  b\n]\nname: x", '0 globs=7[11"*.a" 24"b"]', '28 name=34"x"'],
    ["globs:\n  *.ts\n  # c\n  b.ts # d\nos: linux", '0 globs=9"*.ts\\nb.ts"="*.ts b.ts"', '31 os=35"linux"'],
    ["globs: *.ts\n  b.ts\n  c.ts\nos: linux", '0 globs=7"*.ts\\nb.ts\\nc.ts"="*.ts b.ts c.ts"', '26 os=30"linux"'],
    ["  globs: *.ts\n  os: @linux\n    darwin", '2 globs=9"*.ts"', '16 os=20"@linux\\ndarwin"="@linux darwin"'],
    ['globs: "a" , \'b\',"c" ,\nos: @x', '0 globs=7[7"a" 13"b" 17"c"]', '23 os=27"@x"'],
    ["globs: 'a',\n  'b'\nos: @x", '0 globs=7[7"a" 14"b"]', '18 os=22"@x"'],
    ['globs: "", \'\' , "b"\nos: @x', '0 globs=7[7"" 11"" 16"b"]', '20 os=24"@x"'],
    ["keywords: \"a\", 'b' c", `0 keywords=10"\\"a\\", 'b' c"`],
    ["keywords: x \"a\", 'b'\nos: @x", `0 keywords=10"x \\"a\\", 'b'"`, '21 os=25"@x"'],
    ["fileContains: #include <x>\nos: linux", '0 fileContains=14"#include <x>"', '27 os=31"linux"'],
    ["fileContains:   #include\nos: @x", '0 fileContains=16"#include"', '25 os=29"@x"'],
    [
      "fileContains:\n  - #include\n  - @x\n  - # nothing\n  -\n  - a",
      '0 fileContains=16[18"#include" 31"@x" 34""=null 48""=null 56"a"]',
    ],
    ["fileContains:\n  - @b\n  -\"a\", 'c'\n  -'d'", `0 fileContains=16[18"@b" 24"a" 29"c" 36"d"]`],
    ["fileContains: [@a, #b ]", '0 fileContains=14[15"@a" 19"#b"]'],
    ["fileContains: @a # b", '0 fileContains=14"@a"'],
    ["fileContains:\n  @a\n\n  b", '0 fileContains=16"@a\\nb"="@a b"'],
    [
      "hooks:\n  type: PreToolUse\n  tool: *\n  match:\n    command: *x\n    path: '\\.env$'\n  block: true\nname: x",
      '0 hooks=9{9 type=15"PreToolUse" 28 tool=34"*" 38 match=49{49 command=58"*x" 65 path=71"\\\\.env$"} 82 block=89"true"=true}',
      '94 name=100"x"',
    ],
    [
      "hooks:\n  - type: PreToolUse\n    tool: *\n    match: { command: *x, 'path': \"b\" }\n  - type: PostToolUse\n    run: |\n      a *\n      b\n    tool: [*, bash]",
      '0 hooks=9[11{11 type=17"PreToolUse" 32 tool=38"*" 44 match=51{53 command=62"*x" 66 path=74"b"}} 84{84 type=90"PostToolUse" 106 run=111"a *\\nb\\n" 135 tool=141[142"*" 145"bash"]}]',
    ],
    [
      "hooks: { type: PreToolUse, tool: * , match: {command: *x} } # c",
      '0 hooks=7{9 type=15"PreToolUse" 27 tool=33"*" 37 match=44{45 command=54"*x"}}',
    ],
    [
      'hooks: [{ type: PreToolUse, tool: * }, {type: PostToolUse, "tool": !a}]',
      '0 hooks=7[8{10 type=16"PreToolUse" 28 tool=34"*"} 39{40 type=46"PostToolUse" 59 tool=67"!a"}]',
    ],
    ["hooks:\n  -\n    type: PreToolUse\n    tool: *", '0 hooks=9[15{15 type=21"PreToolUse" 36 tool=42"*"}]'],
    ["hooks:\n- type: a\n  tool: *\n- tool: b", '0 hooks=7[9{9 type=15"a" 19 tool=25"*"} 29{29 tool=35"b"}]'],
    [
      "hooks:\n  # c\n  tool: *\n\n  run:\n    # d\n    @a\n    b",
      '0 hooks=15{15 tool=21"*" 26 run=43"@a\\nb"="@a b"}',
    ],
    ["hooks:\n  - - tool: *\n      run: a\n    - b", '0 hooks=9[11[13{13 tool=19"*" 27 run=32"a"} 40"b"]]'],
    [
      "keywords: [true, 5, null, ~, @a, 1.10]",
      '0 keywords=10[11"true"=true 17"5"=5 20"null"=null 26"~"=null 29"@a" 33"1.10"=1.1]',
    ],
    [
      "keywords:\n  - true\n  - 5\n  - @a\n  - null\n  - Yes\n  - off",
      '0 keywords=12[14"true"=true 23"5"=5 29"@a" 36"null"=null 45"Yes" 53"off"]',
    ],
    ["keywords: true, @a", '0 keywords=10"true, @a"'],
    ["keywords: [a, b] c, @d", '0 keywords=10"[a, b] c, @d"'],
    ["x: &n [a]\nkeywords: *n\nos: @b", '0 x=6[7"a"]', '10 keywords=6[7"a"]', '23 os=27"@b"'],
    [
      "x: [a, {b: c}]\nkeywords: {d}\ntitle: 'e'\nos: @b",
      '0 x=3"[a, {b: c}]"',
      '15 keywords=25"{d}"',
      `29 title=36"'e'"`,
      '40 os=44"@b"',
    ],
    ["description: a: b\n  c\nglobs: *", '0 description=13"a: b\\nc"="a: b c"', '22 globs=29"*"'],
    ["description: [a\nglobs: *", '0 description=13"[a"', '16 globs=23"*"'],
    ["description: 'a\nglobs: *", `0 description=13"'a"`, '16 globs=23"*"'],
    ["globs: {a\nos: @x", '0 globs=7"{a"', '10 os=14"@x"'],
    ["fileContains: [derive(\nos: @x", '0 fileContains=14"[derive("', '23 os=27"@x"'],
    ["globs: | x\nos: linux", '0 globs=7"| x"', '11 os=15"linux"'],
    [
      'fileContains:\n  - "a", \'b\'\n  - ["d", @e]\n  - c\nos: @x',
      '0 fileContains=16[18"a" 23"b" 31[32"d" 37"@e"] 45"c"]',
      '47 os=51"@x"',
    ],
    ['globs: !"a", b\nos: linux', '0 globs=7"!\\"a\\", b"', '15 os=19"linux"'],
    [
      "globs: *.ts\n\n# T\nos: linux\ntitle: { a: @b, c: d }\ntags: @z",
      '0 globs=7"*.ts"',
      '17 os=21"linux"',
      '27 title=34{36 a=39"@b" 43 c=46"d"}',
      '50 tags=56"@z"',
    ],
    ["title:  a: b \nglobs: x", '0 title=8"a: b"', '14 globs=21"x"'],
    ["globs: *.ts\r\nos: [@a,\r\n  b]\r\nname: x", '0 globs=7"*.ts"', '13 os=17[18"@a" 25"b"]', '29 name=35"x"'],
    // What can't be read has the place of what is wrong, or of its key.
    ['  os: linux\n  keywords: "a\\d"', "yaml-syntax 2:15 keywords"],
    ["  os: @x\n  keywords: [a,\n    'b", "yaml-syntax 2:3 keywords"],
    ["keywords: [a, 'b]\nos: @x", "yaml-syntax 1:1 keywords"],
    ["hooks: { *, b }", "yaml-syntax 1:10 hooks"],
  ] as const) {
    test(JSON.stringify(source), () => expect(read(source)).toEqual([...entries]))
  }

  test("twenty lists in one another are read, and not one more", () => {
    const nested = (levels: number) => `keywords: ${"[".repeat(levels)}@x${"]".repeat(levels)}`
    expect(read(nested(20))[0]).toMatch(/^0 keywords=10\[11\[12\[.*"@x"\]+$/)
    expect(read(nested(21))).toEqual(["yaml-syntax 1:32 keywords"])
  })
})

test("a value that is read one by one counts, with each value in it, up to five thousand", () => {
  const reading = (left: number) => {
    const names = { anchors: new Set<string>(), aliases: new Set<string>() }
    return { source: "[@x, @y]", base: 0, names, takesText: true, column: 1, depth: 0, budget: { left } }
  }
  const all = { start: 0, end: 8 }
  const exact = reading(3)
  expect([readValue(exact, all, false)?.kind, exact.budget.left]).toEqual(["list", 0])
  expect(() => readValue(reading(2), all, false)).toThrow(OversizedYaml)
  const many = Array.from({ length: 5000 }, () => "@x").join(", ")
  expect(read(`keywords: [${many}]`)).toEqual(["yaml-syntax 1:1 undefined"])
})

test("a key stands at the start of its line, with a colon and a space or the line's end behind it", () => {
  for (const [text, key, length] of [
    ["a: b", "a", 2],
    ["a:", "a", 2],
    ["a:\nb", "a", 2],
    ["a : b", "a", 3],
    ["a b:\tc", "a b", 4],
    ["'a b': c", "a b", 6],
    ["'a''b':", "a''b", 7],
    ['"a\\"b": c', 'a\\"b', 7],
    ['"": c', "", 3],
    ["<<: *a", "<<", 3],
    ["é-b_c.d: e", "é-b_c.d", 8],
    [`${"x".repeat(201)}: a`, "x".repeat(201), 202],
    ...[",", "&", "*", "!", "|", ">", "%", "@", "`", "?", "-"].map((sign) => [`x${sign}z: y`, `x${sign}z`, 4] as const),
  ] as const) {
    expect([text, keyAt(text)]).toEqual([text, { key, length }])
  }
  const signs = Array.from("#\"'[]{},&*!|>%@`?:- \n", (sign) => `${sign}x: y`)
  const inside = Array.from("#\"'[]{}:\n", (sign) => `x${sign}z: y`)
  const others = ["a:b", "a", "", ": a", `${"x".repeat(202)}: a`, "'a: b", '"a\\": b']
  expect([...signs, ...inside, ...others].filter((text) => keyAt(text) !== undefined)).toEqual([])
})

test("a value begins in its key's line, unless there is a comment alone", () => {
  const values = [" a", " #a", "\t#a", "#a", "a", `${" ".repeat(499)}a`, "", "\n a", " # a", " #", " \n", "\t"]
  const inline = values.filter((value) => isInline(`x:${value}`, 2))
  expect(inline).toEqual([" a", " #a", "\t#a", "#a", "a", `${" ".repeat(499)}a`])
  expect(isInline("x: a\ny", 2)).toBe(true)
  expect(isInline("a:\ny", 2)).toBe(false)
})
