import { describe, expect, test } from "bun:test"
import { groupsOf, segmentsOf } from "./groups.ts"
import { escapeLiterals } from "./literals.ts"
import { unifySeparators } from "./separators.ts"

describe("what no author means is escaped for the library", () => {
  for (const [pattern, escaped] of [
    ["app/[id]/page.tsx", "app/\\[id\\]/page.tsx"],
    ["app/[...rest]/x", "app/\\[\\.\\.\\.rest\\]/x"],
    ["app/[$id=x-1.é]/x", "app/\\[\\$id=x-1\\.é\\]/x"],
    ["app/[1_e\u0301]/x", "app/\\[1_e\u0301\\]/x"],
    ["app/[...a-z]/x", "app/\\[\\.\\.\\.a-z\\]/x"],
    ["app/[...]/x", "app/@([...]|\\[\\.\\.\\.\\])/x"],
    ["app/[a b]/x", "app/@([a b]|\\[a b\\])/x"],
    ["app/[=a]/x", "app/@([=a]|\\[=a\\])/x"],
    ["app/[a][b]/x", "app/@([a]|\\[a\\])@([b]|\\[b\\])/x"],
    ["app/[..rest]/x", "app/@([..rest]|\\[\\.\\.rest\\])/x"],
    ["app/[-a]/x", "app/@([-a]|\\[-a\\])/x"],
    ["app/[a-z]/x", "app/@([a-z]|\\[a-z\\])/x"],
    ["app/[a-z0-9]/x", "app/@([a-z0-9]|\\[a-z0-9\\])/x"],
    ["app/[a-zx]/x", "app/\\[a-zx\\]/x"],
    ["app/[]/x", "app/@([]|\\[\\])/x"],
    ["[id].tsx", "@([id]|\\[id\\]).tsx"],
    ["x[a!@+?*(){}|,^$.]y", "x@([a!@+?*(){}|,^$.]|\\[a\\!\\@\\+\\?\\*\\(\\)\\{\\}\\|\\,\\^\\$\\.\\])y"],
    ["x[a\\-b]", "x@([a\\-b]|\\[a-b\\])"],
    ["[[...rest]]/x", "\\[\\[\\.\\.\\.rest\\]\\]/x"],
    ["[[:alpha:]]x", "[[:alpha:]]x"],
    ["[a[:digit:]]x", "[a[:digit:]]x"],
    ["[!a]x", "[!a]x"],
    ["[^a]x", "[^a]x"],
    ["(shop)/x", "\\(shop\\)/x"],
    ["(a|b)/x", "(a|b)/x"],
    ["(a)(b|c)(d)|", "\\(a\\)(b|c)\\(d\\)|"],
    ["(a\\|b)/x", "\\(a\\|b\\)/x"],
    ["!(x) @(x) *(x) +(x) ?(x)", "!(x) @\\(x\\) *(x) +(x) ?(x)"],
    ["@(x|y)", "@(x|y)"],
    ["((a|b))", "((a|b))"],
    ["a] b) c}", "a\\] b\\) c\\}"],
    ["a[ b( c{", "a[ b( c{"],
    ["c++ +x +(a)", "c\\+\\+ \\+x +(a)"],
    ["*.{ts}", "*.ts"],
    ["{}", "\\{\\}"],
    ["{ts, tsx ,js}", "{ts,tsx,js}"],
    ["{./a,.//b,c/./d,././e}", "{a,b,c/./d,e}"],
    ["{a,{b,c},d}", "{a,{b,c},d}"],
    ["{a\\,b}", "a\\,b"],
    ["{1..3}", "{1..3}"],
    ["{1../3}", "1../3"],
    ["{1..3/x}", "1..3/x"],
    ["{1..3{x}}", "1..3x"],
    ["{1..3\\}}", "1..3\\}"],
    ["{..3}", "..3"],
    ["{{a}..b}", "a..b"],
    ["{{name}}/x", "\\{\\{name\\}\\}/x"],
    ["{(a)}", "\\(a\\)"],
    ["{[!a]}", "[!a]"],
    ["{{a b}}", "\\{\\{a b\\}\\}"],
    ["{{a,b}}", "{a,b}"],
    ["{{a}x}", "ax"],
    ["{{{a}}}", "\\{\\{a\\}\\}"],
    ["{(a,b)}", "\\(a,b\\)"],
    ["{(a|b),c}", "{(a|b),c}"],
    ["\\{a,b\\}", "\\{a,b\\}"],
    ["a\\", "a\\"],
  ] as const) {
    test(`${pattern} becomes ${escaped}`, () => expect(escapeLiterals(pattern)).toBe(escaped))
  }
})

describe("a pattern's groups", () => {
  for (const [text, ...groups] of [
    ["{a}(b)[c]", [0, 2], [3, 5], [6, 8]],
    ["{a(b}c)", [0, 4]],
    ["(a{b)c}", [0, 4]],
    ["{{a}", [1, 3]],
    ["((a)", [1, 3]],
    ["{a}}", [0, 2]],
    ["\\{a}{b\\}c}", [4, 9]],
    ["[{]}", [0, 2]],
    ["[]a]", [0, 3]],
    ["[!]a]", [0, 4]],
    ["[^]a]", [0, 4]],
    ["[a\\]b]", [0, 5]],
    ["[a\\]"],
    ["[a/b]"],
    ["[a\nb]"],
    ["[[a]]", [0, 4]],
    ["[[a/b]]"],
    ["[[:alpha:]]", [0, 10]],
    ["[x[:a:]y]", [0, 8]],
    ["[x[::]y]", [0, 5]],
    ["[x[:a]y]", [0, 5]],
    ["["],
    [`[${"a".repeat(298)}]`, [0, 299]],
    [`[${"a".repeat(299)}]`],
    ["({[})", [0, 4], [1, 3]],
  ] as readonly [string, ...number[][]][]) {
    test(text.slice(0, 40), () => {
      expect([...groupsOf(text)].toSorted(([a], [b]) => a - b)).toEqual(groups as never)
    })
  }

  test("keep the slashes in them together", () => {
    expect(segmentsOf("a/{b/c,d}/[e]/(f/g)/\\/h/")).toEqual(["a", "{b/c,d}", "[e]", "(f/g)", "\\/h", ""])
    expect(segmentsOf("{a/b")).toEqual(["{a", "b"])
    expect(segmentsOf("a\\*/b\\\\/c\\")).toEqual(["a\\*", "b\\\\", "c\\"])
    expect(segmentsOf("")).toEqual([""])
  })
})

describe("a backslash between folders is a slash", () => {
  for (const [pattern, unified] of [
    ["a/b", "a/b"],
    ["a\\b", "a/b"],
    ["a\\\\b", "a/b"],
    ["a\\*.ts", "a/*.ts"],
    ["a\\**\\*.ts", "a/**/*.ts"],
    ["a\\", "a/"],
    ["a/b\\", "a/b/"],
    ["a/b\\c", "a/b/c"],
    ["a/\\*", "a/\\*"],
    ["a/\\?\\[\\]\\{\\}\\(\\)\\,\\|", "a/\\?\\[\\]\\{\\}\\(\\)\\,\\|"],
    ["a/\\!(b) \\@(c) \\+(d)", "a/\\!(b) \\@(c) \\+(d)"],
    ["a/b\\!c\\@d\\+e", "a/b/!c/@d/+e"],
    ["\\!a/b", "\\!a/b"],
    ["\\#a", "\\#a"],
    ["\\!a", "\\!a"],
    ["a\\!b", "a/!b"],
    ["\\a", "/a"],
    ["a\\[id]\\b", "a/[id]/b"],
    ["a\\[id\\]", "a\\[id\\]"],
    ["a\\{b,c}\\d", "a/{b,c}/d"],
    ["a\\{b,c\\}", "a\\{b,c\\}"],
    ["a\\(b)\\c", "a/(b)/c"],
    ["a\\(b\\)", "a\\(b\\)"],
    ["a\\{b\\},c}", "a\\{b\\},c}"],
    ["a\\[b\\]c]", "a\\[b\\]c]"],
    ["a\\(b\\)c)", "a\\(b\\)c)"],
    ["a\\(b\\c)", "a/(b/c)"],
    ["a\\[b", "a\\[b"],
    ["a\\,b\\|c\\)d\\]e\\}f", "a\\,b\\|c\\)d\\]e\\}f"],
    ["[a\\]b]\\c", "[a\\]b]/c"],
    ["[a\\b", "[a/b"],
    ["x/[a\\-b]\\c", "x/[a\\-b]/c"],
  ] as const) {
    test(`${pattern} is ${unified}`, () => expect(unifySeparators(pattern)).toBe(unified))
  }
})
