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
    ["keywords: [.env, @angular, c++]", 'keywords: prompt has one of ".env", "@angular", "c++"'],
    ["description: Use: always\nkeywords: [x]", 'keywords: prompt has one of "x"'],
  ] as const) {
    test(frontmatter, () => expect(conditionsOf(parseWith(frontmatter))).toBe(expected))
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
