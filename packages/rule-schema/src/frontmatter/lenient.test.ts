import { describe, expect, test } from "bun:test"
import { conditionsOf, parseWith } from "../../test/rule.ts"

describe("values that YAML refuses, or reads as something else, because of an indicator", () => {
  for (const [frontmatter, expected] of [
    ["globs: *.ts, *.tsx", "file: *.ts, *.tsx"],
    ["globs: *", "file: *"],
    ["globs: **/*.ts # comment", "file: **/*.ts"],
    ["globs:\n  *.ts", "file: *.ts"],
    ["globs:\n  *.ts,\n  *.tsx", "file: *.ts, *.tsx"],
    ["globs: {a,b}/*.ts", "file: {a,b}/*.ts"],
    ["globs: {src,test}/**", "file: {src,test}/**"],
    ["globs: {a,b}", "file: {a,b}"],
    ["globs: **/*.rs, !dist/**", "file: **/*.rs, !dist/**"],
    ["globs: !dist/**, **/*.rs", "file: !dist/**, **/*.rs"],
    ["globs: [a]/*.ts", "file: [a]/*.ts"],
    ["globs: [id]/page.tsx, [slug]/x.ts", "file: [id]/page.tsx, [slug]/x.ts"],
    ["globs: [*.ts, *.tsx] # both", "file: *.ts, *.tsx"],
    ["globs: [\n  *.ts, # one\n  *.tsx\n]\nname: x", "file: *.ts, *.tsx"],
    ['globs: [{a,b}/*.ts, src/{c,d}.ts, "x"]', "file: {a,b}/*.ts, src/{c,d}.ts, x"],
    ["globs: [\n  *.a\n  b,\n  *.c\n]", "file: *.a, b, *.c"],
    ["globs: [[id]/page.tsx, (m)/**]", "file: [id]/page.tsx, (m)/**"],
    ['globs: "*.ts", "*.tsx"', "file: *.ts, *.tsx"],
    ["globs:\n  - *.ts\n  - {a,b}/*.ts\n  - !dist\n  - '*.q'", "file: *.ts, {a,b}/*.ts, !dist, *.q"],
    ["globs:\n- *.ts\n- *.q", "file: *.ts, *.q"],
    ["globs:\n  -\n    *.ts\n  - *.q", "file: *.ts, *.q"],
    ["  globs: *.ts\n  keywords: @x", 'file: *.ts | keywords: prompt has one of "@x"'],
    ["fileContains: @ts-ignore", 'file: contains "@ts-ignore"'],
    ["fileContains: `x`", 'file: contains "`x`"'],
    ["fileContains: %d", 'file: contains "%d"'],
    ["fileContains: &a b", 'file: contains "&a b"'],
    ["fileContains: &mut", 'file: contains "&mut"'],
    ["fileContains: *ptr", 'file: contains "*ptr"'],
    ["fileContains: !important", 'file: contains "!important"'],
    ["fileContains: | x", 'file: contains "| x"'],
    ["fileContains: > x", 'file: contains "> x"'],
    ["fileContains: - x", 'file: contains "- x"'],
    ["fileContains: ? x", 'file: contains "? x"'],
    ["fileContains: [derive(", 'file: contains "[derive("'],
    ["fileContains: {{ user }}", 'file: contains "{{ user }}"'],
    ["fileContains: key: value", 'file: contains "key: value"'],
    ['fileContains: "use strict";', 'file: contains ""use strict";"'],
    ["fileContains:\n  - @ts-ignore\n  - unsafe {", 'file: contains "@ts-ignore", "unsafe {"'],
    ["fileContains: [unsafe {, extern]", 'file: contains "unsafe {", "extern"'],
    ["fileContains: [console.log(, @ts-ignore]", 'file: contains "console.log(", "@ts-ignore"'],
    ["fileContains: [{{, f(a, b), @x, }}]", 'file: contains "{{, f(a, b), @x, }}"'],
    ["fileContains: [f(, g(), x {, @y]", 'file: contains "f(", "g()", "x {", "@y"'],
    ["keywords: [.env, @angular, c++]", 'keywords: prompt has one of ".env", "@angular", "c++"'],
    ["description: Use: always\nkeywords: [x]", 'keywords: prompt has one of "x"'],
    ["keywords: 'don''t', \"x\"", 'keywords: prompt has one of "don\'t", "x"'],
    ["keywords:\n  - 'a', \"b\"\n  - c", 'keywords: prompt has one of "a", "b", "c"'],
    ["keywords: |\n  a b\n  c", 'keywords: prompt has one of "a b", "c"'],
    ["keywords:\n  -a b\n  -c", 'keywords: prompt has one of "a b", "c"'],
    ["keywords: -a", 'keywords: prompt has one of "-a"'],
    ["keywords:\n  roll\n  back", 'keywords: prompt has one of "roll back"'],
    ['globs: [\n"a",\n"b"\n]\nname: x', "file: a, b"],
    ["globs: [\n*.a,\n*.b\n]", "file: *.a, *.b"],
    // A sign at the start belongs to the text, in lists and before quotes too.
    ['globs: ["**/*.ts", !"**/*.test.ts"]', "file: **/*.ts, !**/*.test.ts"],
    ["globs: ['**/*.ts', !'**/*.test.ts']", "file: **/*.ts, !**/*.test.ts"],
    ["globs: [**/*.ts, !**/*.test.ts]", "file: **/*.ts, !**/*.test.ts"],
    ['globs:\n  - "**/*.ts"\n  - !"**/*.test.ts"', "file: **/*.ts, !**/*.test.ts"],
    ["globs:\n- '**/*.ts'\n- !'**/*.test.ts'", "file: **/*.ts, !**/*.test.ts"],
    ['globs: "**/*.ts", !"**/*.test.ts"', "file: **/*.ts, !**/*.test.ts"],
    ['globs: **/*.ts, !"**/*.test.ts"', "file: **/*.ts, !**/*.test.ts"],
    ['branch: [main, !"release/*"]', "branch: branch is one of main, !release/*"],
    ["keywords:\n  - #include\n  - #todo", 'keywords: prompt has one of "#include", "#todo"'],
    ["keywords:\n- #include\n- todo # comment", 'keywords: prompt has one of "#include", "todo"'],
    ["keywords: [#todo, fix]", 'keywords: prompt has one of "#todo", "fix"'],
    ["keywords: [fix, #todo]", 'keywords: prompt has one of "fix", "#todo"'],
    ["fileContains: #include <x>", 'file: contains "#include <x>"'],
    [
      "fileContains:\n- @x\n- &y\n- *z\n- {a\n- [b\n- -c\n- !d\n- `e\n- %f\n- | g",
      'file: contains "@x", "&y", "*z", "{a", "[b", "-c", "!d", "`e", "%f", "| g"',
    ],
    [
      "fileContains: [@x, &y, *z, {a}, -c, !d, `e, %f]",
      'file: contains "@x", "&y", "*z", "{a}", "-c", "!d", "`e", "%f"',
    ],
    ['fileContains: "unsafe {", "TODO"', 'file: contains "unsafe {", "TODO"'],
    ["fileContains: 'a', \"b\"", 'file: contains "a", "b"'],
    ["globs:\n  src/*.ts\n  lib/*.ts", "file: src/*.ts, lib/*.ts"],
    ["globs:\n\t- a\n\t- b", "file: a, b"],
    ['globs:\n  -"a"\n  -"b"', "file: a, b"],
    ['globs: "*.ts\u200B"', "file: *.ts"],
  ] as const) {
    test(frontmatter, () => expect(conditionsOf(parseWith(frontmatter))).toBe(expected))
  }
})

test("an entry that is left out is a finding", () => {
  for (const [frontmatter, place, reason] of [
    ["fileContains:\n  - a\n  - 5", "4:5", "5 is not text, so it is left out"],
    ["fileContains: [a, true]", "2:19", "true is not text, so it is left out"],
    ["keywords:\n  - a\n  -\n  - b", "4:4", "this entry is empty, so it is left out"],
    ["keywords:\n  - a\n  - # b", "4:5", "this entry is empty, so it is left out"],
    ["keywords: [a, '']", "2:15", "this entry is empty, so it is left out"],
    ["keywords: [a, [b]]", "2:15", "a list in the list is not text, so it is left out"],
    ["keywords:\n  - a\n  - b: c", "4:5", "a mapping is not text, so it is left out"],
  ] as const) {
    const parsed = parseWith(frontmatter)
    const problems = parsed.kind === "rule" ? parsed.problems : []
    expect(problems.map(({ code, line, column, reason: why }) => [code, `${line}:${column}`, why])).toEqual([
      ["dropped-entry", place, reason],
    ])
  }
})

describe("hooks that YAML refuses", () => {
  for (const frontmatter of [
    "hooks:\n  - type: PreToolUse\n    tool: *\n    match: a: b",
    "hooks:\n  type: PreToolUse\n  tool: *\n  match: a: b",
    "hooks: [{ type: PreToolUse, tool: *, match: 'a: b' }]",
    "hooks: { type: PreToolUse, tool: *, match: 'a: b' }",
  ]) {
    test(JSON.stringify(frontmatter), () => {
      const parsed = parseWith(frontmatter)
      expect(parsed).toMatchObject({ kind: "rule", rule: { hooks: [{ type: "PreToolUse", tool: "*" }] } })
    })
  }
})

describe("invisible characters at the start of lines, as pages and chats leave them, are no part of the frontmatter", () => {
  for (const [frontmatter, line] of [
    ["hooks:\n  - type: PreToolUse\n\u200B    block: true", 4],
    ["hooks:\n  - type: PreToolUse\n\u00A0\u00A0\u00A0\u00A0block: true", 4],
    ["\u200Bhooks:\n\u2060  -\n\uFEFF\u200B    type: PreToolUse\n\u200B    block: true\n\u200B", 2],
    ["title: @x\nhooks:\n\u200B  - type: PreToolUse\n\u200B    tool: *\n\u200B    block: true", 4],
  ] as const) {
    test(JSON.stringify(frontmatter), () => {
      expect(parseWith(frontmatter)).toMatchObject({
        kind: "rule",
        rule: { hooks: [{ type: "PreToolUse", tool: "*", block: true }] },
        problems: [{ severity: "warning", code: "invisible-character", line, column: 1, field: undefined }],
      })
    })
  }
  for (const frontmatter of [
    "globs:\n\u200B  - a\n  - b",
    "globs:\n  - a\n\u00A0\u00A0- b",
    "globs: [\n\u200B  a,\n  b]",
    "globs: a, b\n\u200B",
  ]) {
    test(JSON.stringify(frontmatter), () => expect(conditionsOf(parseWith(frontmatter))).toBe("file: a, b"))
  }
})

describe("values that stay YAML's", () => {
  for (const [frontmatter, expected] of [
    ["x: &name '*.ts'\nglobs: *name", "file: *.ts"],
    ['globs: &g ["a", "b"]', "file: a, b"],
    ["globs: !!str a.ts", "file: a.ts"],
    [
      "fileContains: |\n  a\n    b: *x\nkeywords: [q]",
      'file: contains "a\\n  b: *x" | keywords: prompt has one of "q"',
    ],
    ["x: |\n\n  *foo\n\nglobs: *.ts", "file: *.ts"],
    ['fileContains: "a\n  *b"', 'file: contains "a *b"'],
    ['fileContains: "tab\\there"', 'file: contains "tab\\there"'],
    ['keywords: [{type: ",*} #"}, "a # b", c] # d', 'keywords: prompt has one of "a # b", "c"'],
    ['keywords: [{ type: :" }, { type: "," }, x]', 'keywords: prompt has one of "x"'],
    ["globs:\n  -\n    a.ts\n  -\n    '*.q'", "file: a.ts, *.q"],
    ["x:\n  -\n    a: 1\n    b: 2\n  - c: 3\nglobs: a.ts", "file: a.ts"],
    ["base: &b\n  globs: x/*\n<<: *b", "file: x/*"],
    ["fileContains: [1, true, null, x]", 'file: contains "x"'],
    ["keywords: [1.10, 0x10, yes, null, ~, true]", 'keywords: prompt has one of "1.10", "0x10", "yes", "null", "true"'],
  ] as const) {
    test(frontmatter, () => expect(conditionsOf(parseWith(frontmatter))).toBe(expected))
  }
})
