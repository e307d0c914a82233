import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { ruleWith } from "../../test/rule.ts"
import { runs } from "../../test/runs.ts"
import { type CompiledRule, observes } from "../index.ts"
import { compilePathPattern } from "./compile.ts"
import { pathForm } from "./path-form.ts"
import { splitPatterns } from "./split.ts"

const POSIX = "/home/dev/app"
const WINDOWS = "C:\\dev\\app"

function meets(globs: string | readonly string[], path: string, root = POSIX): boolean {
  const rule: CompiledRule = { ...ruleWith(`globs: ${JSON.stringify(globs)}`), root }
  return observes(rule, { path, tool: "read", content: undefined }, root)
}

describe("paths that a pattern meets", () => {
  for (const [globs, path] of [
    ["src/**/*.rs", "/home/dev/app/src/a.rs"],
    ["src/**/*.rs", "src/a.rs"],
    ["src/**/*.rs", "./src/x/../a.rs"],
    ["src/**/*.rs", "/home/dev/app/lib/../src/a.rs"],
    ["./src/*.rs", "src/a.rs"],
    ["/src/*.rs", "/home/dev/app/src/a.rs"],
    ["/src/*.rs", "src/a.rs"],
    ["/etc/*.conf", "/etc/a.conf"],
    ["/home/dev/app/src/*.rs", "src/a.rs"],
    ["/README.md", "README.md"],
    ["**/*.rs", "/elsewhere/a.rs"],
    ["*.rs", "/elsewhere/x/a.rs"],
    ["*.rs", "a.rs"],
    ["a.rs", "src/a.rs"],
    ["*", ".env"],
    ["**/*.ts", ".github/x/.a.ts"],
    ["src/", "src/x/y.ts"],
    ["**", "a/b"],
    ["../lib/*.ts", "../lib/a.ts"],
    ["app/[id]/page.tsx", "app/[id]/page.tsx"],
    ["app/[...rest]/**", "app/[...rest]/a/b"],
    ["app/[[...rest]]/*", "app/[[...rest]]/a"],
    ["app/(marketing)/**", "/home/dev/app/app/(marketing)/x.tsx"],
    ["[slug]/*.ts", "[slug]/a.ts"],
    ["[abc].ts", "a.ts"],
    ["x/[a-z]/y", "x/q/y"],
    ["*.{ts,tsx}", "x/a.tsx"],
    ["{src,lib}/*.ts", "lib/a.ts"],
    ["v{1..12}.md", "v10.md"],
    ["v{01..03}.md", "v02.md"],
    ["!(a|b).ts", "c.ts"],
    ["a/!(x)/*.ts", "a/y/z.ts"],
    ["c++/*.h", "c++/a.h"],
    ["@scope/*", "@scope/a"],
    ["caf\u00E9/*", "cafe\u0301/a"],
    ["a b/*.ts", "a b/c.ts"],
    [["!dist/**", "**/*.js"], "src/a.js"],
  ] as const) {
    test(`${globs} meets ${path}`, () => expect(meets(globs, path)).toBeTrue())
  }

  for (const [globs, path] of [
    ["src/**/*.rs", "/home/dev/other/src/a.rs"],
    ["src/**/*.rs", "/home/dev/app2/src/a.rs"],
    ["src/*.rs", "../src/a.rs"],
    ["src/**/*.rs", "SRC/a.rs"],
    ["*.rs", "a.rsx"],
    ["/src/*.rs", "x/src/a.rs"],
    ["src/*.rs", "src/x/a.rs"],
    ["src/a.rs", "file:///home/dev/app/src/a.rs"],
    ["src/**/*.rs", "src\\a.rs"],
    ["app/[id]/page.tsx", "app/i/page.tsx"],
    ["app/(marketing)/**", "app/marketing/x.tsx"],
    ["x/[a-z]/y", "x/[a-z]/z"],
    ["(a+)+b", "aaab"],
    [["**/*.js", "!dist/**"], "dist/a.js"],
    [["!dist/**", "**/*.js"], "/home/dev/app/dist/a.js"],
    [["*.ts", "!*.test.ts"], "src/a.test.ts"],
  ] as const) {
    test(`${globs} does not meet ${path}`, () => expect(meets(globs, path)).toBeFalse())
  }

  for (const [globs, path, expected] of [
    ["src/**/*.rs", "src\\a.rs", true],
    ["src/**/*.rs", "C:\\dev\\app\\src\\a.rs", true],
    ["src/**/*.rs", "c:/dev/app/src/a.rs", true],
    ["src/**/*.rs", "D:\\dev\\app\\src\\a.rs", false],
    ["C:/dev/app/*.rs", "a.rs", true],
    ["*.rs", "\\\\server\\share\\a.rs", true],
  ] as const) {
    test(`on Windows: ${globs}, ${path}`, () => expect(meets(globs, path, WINDOWS)).toBe(expected))
  }

  test("a backslash is a letter of a POSIX name", () => {
    expect(meets("*.rs", "src/we\\ird.rs")).toBeTrue()
    expect(pathForm("src/we\\ird.rs", { root: POSIX, directory: POSIX })).toMatchObject({ base: "we\\ird.rs" })
  })

  test("a relative path is relative to the directory, a pattern to the root", () => {
    const rule: CompiledRule = { ...ruleWith("globs: src/*.ts"), root: "/w/packages/a" }
    expect(observes(rule, { path: "packages/a/src/x.ts", tool: "edit", content: undefined }, "/w")).toBeTrue()
  })
})

describe("patterns without bound", () => {
  for (const pattern of [
    "{1..1000000}",
    "{a,b}".repeat(20),
    "{".repeat(20) + "}".repeat(20),
    "+(+(a))",
    "*(*(*(a)))b",
    "+(a|ab)c",
    "+(*)x",
    "*a".repeat(12),
    "**/a/".repeat(12),
    "a".repeat(3000),
    "{*,*}".repeat(12),
  ]) {
    test(pattern.slice(0, 40), () => {
      const result = compilePathPattern(pattern)
      expect(result.kind === "bad" && result.reason).toMatch(/without bound|longer|nested deeper/)
    })
  }

  test("a repeated group of plain alternatives works", () => {
    expect(meets("+(ab|cd).ts", "abcd.ts")).toBeTrue()
    expect(meets("*.+(ts|js)", "a.ts")).toBeTrue()
  })
})

test("commas outside braces, brackets, parentheses and quotes split", () => {
  const split = (text: string) => splitPatterns(text).map((piece) => piece.text)
  expect(split("a, b,,{c,d}/[,x], @(e,f) ,")).toEqual(["a", "b", "{c,d}/[,x]", "@(e,f)"])
  expect(split(`"a,b", 'c', d\\,e`)).toEqual(["a,b", "c", "d\\,e"])
})

describe("properties", () => {
  const segment = fc.stringMatching(/^[a-zA-Z0-9_é.-]{1,8}$/).filter((name) => name !== "." && name !== "..")
  const segments = fc.array(segment, { minLength: 1, maxLength: 5 })
  const globs = fc.constantFrom("src/**/*.ts", "**/*.ts", "*.ts", "a/*", "/a/**", "**", "!x", "[ab]*", "{a,b}/**")

  test("absolute, relative, dotted and backslash forms agree", () => {
    fc.assert(
      fc.property(segments, globs, (parts, glob) => {
        const list = [glob, ...(glob.startsWith("!") ? ["**"] : [])]
        const relative = parts.join("/")
        const expected = meets(list, `${POSIX}/${relative}`)
        expect(meets(list, relative)).toBe(expected)
        expect(meets(list, `./${relative}`)).toBe(expected)
        expect(meets(list, parts.join("\\"), WINDOWS)).toBe(expected)
        expect(meets(list, `${WINDOWS}\\${parts.join("\\")}`, WINDOWS)).toBe(expected)
      }),
      { numRuns: runs(400) },
    )
  })

  test("compiling and matching never throws", () => {
    const glob = fc.array(fc.constantFrom(..."a*?[]{}()|!+@,.\\/-^$0\u00E9".split(""), "..", "[:alpha:]"), {
      maxLength: 14,
    })
    fc.assert(
      fc.property(glob, fc.string({ maxLength: 30 }), (parts, path) => {
        const result = compilePathPattern(parts.join(""))
        if (result.kind === "pattern") result.pattern.matches(pathForm(path, { root: POSIX, directory: POSIX }))
      }),
      { numRuns: runs(3000) },
    )
  })
})
