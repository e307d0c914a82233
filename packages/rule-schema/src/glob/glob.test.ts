import { describe, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { observes } from "../../test/observes.ts"
import { parseWith, ruleWith } from "../../test/rule.ts"
import { runs } from "../../test/runs.ts"
import type { CompiledRule } from "../index.ts"
import { compilePathPattern } from "./compile.ts"
import { pathForm } from "./path-form.ts"
import { splitPatterns } from "./split.ts"

setDefaultTimeout(60_000)

const POSIX = "/home/dev/app"
const WINDOWS = "C:\\dev\\app"

function matches(globs: string | readonly string[], path: string, root = POSIX): boolean {
  const rule: CompiledRule = { ...ruleWith(`globs: ${JSON.stringify(globs)}`), root }
  return observes(rule, { path, tool: "read", content: undefined }, root)
}

describe("paths that a pattern matches", () => {
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
    [["!!(a|b).ts", "*.ts"], "b.ts"],
    ["c++/*.h", "c++/a.h"],
    ["@scope/*", "@scope/a"],
    ["caf\u00E9/*", "cafe\u0301/a"],
    ["a b/*.ts", "a b/c.ts"],
    [["!dist/**", "**/*.js"], "src/a.js"],
    ["docs/notes (old)/**", "docs/notes (old)/a.md"],
    ["docs/notes (old, odd)/**", "docs/notes (old, odd)/a.md"],
    ["app/(.)photo/**", "app/(.)photo/page.tsx"],
    ["app/(..)(..)photo/**", "app/(..)(..)photo/page.tsx"],
    ["{(shop),(blog)}/**", "(blog)/page.tsx"],
    ["app/{(shop),(blog)}/page.tsx", "app/(shop)/page.tsx"],
    ["+page@(app).svelte", "src/+page@(app).svelte"],
    ["+page@.svelte", "src/+page@.svelte"],
    ["(a|b).ts", "a.ts"],
    ["@(a|b).ts", "b.ts"],
    ["*.?(c)ts", "a.cts"],
    ["pages/[id].tsx", "pages/[id].tsx"],
    ["pages/[id].tsx", "pages/d.tsx"],
    ["pages/[lang]-[id].tsx", "pages/[lang]-[id].tsx"],
    ["pages/[ab]x/[id].tsx", "pages/bx/[id].tsx"],
    ["pages/[...slug].tsx", "pages/[...slug].tsx"],
    ["pages/[[...slug]].tsx", "pages/[[...slug]].tsx"],
    ["[[:alpha:]].ts", "q.ts"],
    ["[!a].ts", "b.ts"],
    ["src/a]", "src/a]"],
    ["src/a)", "src/a)"],
    ["src/a}", "src/a}"],
    ["*.{ts}", "src/a.ts"],
    ["{src}/{a,{b}}.ts", "src/b.ts"],
    ["*.{ts, tsx}", "a.tsx"],
    ["{./src,./lib}/**", "lib/a.ts"],
    ["{{cookiecutter.slug}}/**", "{{cookiecutter.slug}}/a.py"],
    ["a?b.ts", "a\u{1F600}b.ts"],
    ["a[!x]b.ts", "a\u{1F600}b.ts"],
    ["[\u{1F600}-\u{1F640}].ts", "\u{1F602}.ts"],
    ["a-b_c d#e%f~g.ts", "a-b_c d#e%f~g.ts"],
    ["src\\**\\*.ts", "src/a/b.ts"],
    ["src\\*.ts", "src/a.ts"],
    ["src\\@types\\*.d.ts", "src/@types/a.d.ts"],
    ["src\\[id]\\page.tsx", "src/[id]/page.tsx"],
    ["src\\{a,b}\\*.ts", "src/b/c.ts"],
    ["src\\components/*.ts", "src/components/a.ts"],
    ["src\\", "src/a/b.ts"],
    ["app/\\[id\\]/*.tsx", "app/[id]/a.tsx"],
    ["\\[id\\].tsx", "app/[id].tsx"],
    ["\\!important.md", "docs/!important.md"],
    ["src/./x/*.ts", "src/x/a.ts"],
    ["src//x/*.ts", "src/x/a.ts"],
    ["src/x/.", "src/x/a.ts"],
    [".", "src/a.ts"],
    ["./", "src/a.ts"],
  ] as const) {
    test(`${globs} matches ${path}`, () => expect(matches(globs, path)).toBeTrue())
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
    [["!!(a|b).ts", "*.ts"], "c.ts"],
    [["**/*.js", "!dist/**"], "dist/a.js"],
    [["!dist/**", "**/*.js"], "/home/dev/app/dist/a.js"],
    [["*.ts", "!*.test.ts"], "src/a.test.ts"],
    ["docs/notes (old)/**", "docs/notes old/a.md"],
    ["@(app).svelte", "app.svelte"],
    ["pages/[id].tsx", "pages/x.tsx"],
    ["a?b.ts", "a\u{1F600}\u{1F600}b.ts"],
    ["src/**/test/**", "test/a.ts"],
    ["src/a.ts", "/elsewhere/src/a.ts"],
    ["/src/*.ts", "/elsewhere/src/a.ts"],
  ] as const) {
    test(`${globs} does not match ${path}`, () => expect(matches(globs, path)).toBeFalse())
  }

  for (const [globs, path, expected] of [
    ["src/**/*.rs", "src\\a.rs", true],
    ["src/**/*.rs", "C:\\dev\\app\\src\\a.rs", true],
    ["src/**/*.rs", "c:/dev/app/src/a.rs", true],
    ["src/**/*.rs", "D:\\dev\\app\\src\\a.rs", false],
    ["C:/dev/app/*.rs", "a.rs", true],
    ["*.rs", "\\\\server\\share\\a.rs", true],
  ] as const) {
    test(`on Windows: ${globs}, ${path}`, () => expect(matches(globs, path, WINDOWS)).toBe(expected))
  }

  for (const root of ["/home/dev/test/build/app", "/test", "C:\\build\\test\\app"]) {
    const sep = root.includes("\\") ? "\\" : "/"
    for (const path of ["README.md", `${root}${sep}README.md`, `.${sep}README.md`, `x${sep}..${sep}README.md`]) {
      test(`the folders above ${root} never count, for ${path} neither`, () => {
        expect(matches("**/test/**", path, root)).toBeFalse()
        expect(matches("**/build/**", path, root)).toBeFalse()
        expect(matches("**/README.md", path, root)).toBeTrue()
        expect(matches(["**/*.md", "!**/build/**", "!**/test/**"], path, root)).toBeTrue()
      })
    }
  }

  test("a file outside the project is compared as an absolute path, with a relative path too", () => {
    for (const path of ["/home/dev/test/x/a.ts", "../test/x/a.ts"]) {
      expect(matches("**/test/**", path)).toBeTrue()
      expect(matches(["*.ts", "!**/test/**"], path)).toBeFalse()
      expect(matches("/home/dev/test/*/a.ts", path)).toBeTrue()
    }
  })

  test("a backslash is a letter of a POSIX name", () => {
    expect(matches("*.rs", "src/we\\ird.rs")).toBeTrue()
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
    expect(matches("+(ab|cd).ts", "abcd.ts")).toBeTrue()
    expect(matches("*.+(ts|js)", "a.ts")).toBeTrue()
  })
})

describe("lists of patterns in one text", () => {
  const rows: readonly [text: string, pieces: readonly string[]][] = [
    ["a, b,,{c,d}/[,x], @(e,f) ,", ["a", "b", "{c,d}/[,x]", "@(e,f)"]],
    [`"a,b", 'c', d\\,e`, ["a,b", "c", "d\\,e"]],
    ["src/*.ts\nlib/*.ts\r\n\n*.md\n", ["src/*.ts", "lib/*.ts", "*.md"]],
    ["*.ts; *.tsx", ["*.ts", "*.tsx"]],
    ["*.ts | *.tsx|*.js", ["*.ts", "*.tsx", "*.js"]],
    ["!(a|b).ts|(c|d).ts", ["!(a|b).ts", "(c|d).ts"]],
    ['"a" "b"', ["a", "b"]],
    [`'a' "b c" \`d\``, ["a", "b c", "d"]],
    ['-"a"', ["a"]],
    ['-"a" -"b"', ["a", "b"]],
    ["- src/*.ts\n- lib/*.ts", ["src/*.ts", "lib/*.ts"]],
    ["\u201C*.ts\u201D, \u201C*.tsx\u201D", ["*.ts", "*.tsx"]],
    ["\u201C*.ts, *.tsx\u201D", ["*.ts", "*.tsx"]],
    ["\u00ABa\u00BB \u201Eb\u201C", ["a", "b"]],
    ["\u2018*.ts\u2019", ["*.ts"]],
    ["`*.ts`, `*.tsx`", ["*.ts", "*.tsx"]],
    ['!"**/*.test.ts", **/*.ts', ["!**/*.test.ts", "**/*.ts"]],
    ["!'a' !'b'", ["!a", "!b"]],
    ['["a/**", "b/**"]', ["a/**", "b/**"]],
    ["[*.ts, *.tsx]", ["*.ts", "*.tsx"]],
    ["it's/*.ts, users'", ["it's/*.ts", "users'"]],
    ["my docs/*.md, a b.ts", ["my docs/*.md", "a b.ts"]],
    ["C:\\a\\*.ts, src\\b\\", ["C:\\a\\*.ts", "src\\b\\"]],
    ["a{b, c", ["a{b", "c"]],
    ['"a', ["a"]],
    ['""', []],
    [" , ;\n", []],
    ["a\rb", ["a", "b"]],
    ["a\\", ["a\\"]],
    ["a\\,b", ["a\\,b"]],
    ["a\\,", ["a\\,"]],
    ['"a"  "b"\t"c"', ["a", "b", "c"]],
    ["!\u201C \u201Ca\u201D", ["!a"]],
    ["a \u201D, b", ["a", "b"]],
    ["!!\u201C \u201Ca\u201D", ["!!a"]],
    ["src\\{a,b},src\\[c,d]", ["src\\{a,b}", "src\\[c,d]"]],
    ["`a,b`, -'c,d', - !\"e,f\"", ["a,b", "c,d", "!e,f"]],
    // A quote in a quoted pattern is none of its end, up to the eighth.
    ['"a"b"c"d"e"f"g"h,i", j', ['a"b"c"d"e"f"g"h,i', "j"]],
    ['"a"b"c"d"e"f"g"h"i,j", k', ['a"b"c"d"e"f"g"h"i', "j", "k"]],
    ["[a, [b]]", ["[a, [b]]"]],
    [" [ 'a' ] ", ["a"]],
    ["[ab]", ["[ab]"]],
  ]
  for (const [text, pieces] of rows) {
    test(JSON.stringify(text), () => {
      expect(splitPatterns(text)).toEqual(pieces)
    })
  }
})

test("quotes of any kind around a pattern have no effect; of a name's end only those that no name has are taken off", () => {
  const quotes = "´´ “” „“ ‟” ‘’ ‚‘ ‛’ «» ‹› ＂＂ ＇＇ 「」 『』 \"\" '' ``".split(" ")
  for (const [open, close] of quotes.map((pair) => [pair[0] ?? "", pair[1] ?? ""] as const)) {
    const [isPlain, isOfNames] = ["\"'`".includes(open), "´’‘›＇」』'".includes(close)]
    const each = [
      `${open}*.ts${close}`,
      `-${open}a${close} -!${open}b${close}`,
      `a${close}`,
      `${open}a, b`,
      `!${open}a,b${close}`,
    ]
    expect([open, ...each.map(splitPatterns)]).toEqual([
      open,
      ["*.ts"],
      ["a", "!b"],
      [isOfNames ? `a${close}` : "a"],
      ["a", "b"],
      isPlain ? ["!a,b"] : ["!a", isOfNames ? `b${close}` : "b"],
    ])
  }
})

describe("findings for one pattern", () => {
  const findings = (globs: string | readonly string[]) => {
    const parsed = parseWith(`globs: ${JSON.stringify(globs)}`)
    const problems = parsed.kind === "rule" ? parsed.problems : parsed.rule.problems
    return problems.map(({ severity, code }) => `${severity} ${code}`).join(", ")
  }

  for (const [globs, expected] of [
    ["../x/*.ts", "error dead-pattern"],
    ["src/../*.ts", "error dead-pattern"],
    ["..\\x\\*.ts", "error dead-pattern"],
    ["file:///src/*.ts", "error dead-pattern"],
    ["!(*)", "error dead-pattern"],
    [["../x/*.ts", "*.md"], "warning dead-pattern"],
    [["*.md", "!../x/**"], "warning dead-pattern"],
    [["../x/*.ts", "!*.md"], "error dead-pattern"],
    ["src/**.ts", "warning odd-pattern"],
    ["src/**test/*.ts", "warning odd-pattern"],
    ["src/./x", "warning odd-pattern"],
    ["~/src/*.ts", "warning odd-pattern"],
    [`$\{workspaceFolder}/src/**`, "warning odd-pattern"],
    ["*.ts *.tsx", "warning odd-pattern"],
    ["src/\\*\\*/a.ts", "warning odd-pattern"],
    ["-*.ts", "warning odd-pattern"],
    ["^src/.*\\.ts$", "warning odd-pattern"],
    [".*\\.ts", "warning odd-pattern"],
    ["src/**/*.(ts)", "warning odd-pattern"],
    ["src/a(", "error bad-glob"],
    ["src/[a", "error bad-glob"],
    ["src/{a", "error bad-glob"],
  ] as const) {
    test(`${globs}: ${expected}`, () => expect(findings(globs)).toBe(expected))
  }

  for (const globs of [
    "src/**/*.ts",
    "**.ts",
    "src/**",
    "**/*",
    "./src/*.ts",
    "src\\**\\*.ts",
    "C:\\dev\\*.ts",
    "app/(shop)/[id]/*.tsx",
    "routes/$id.tsx",
    ".*",
    "config/.*rc.*",
    "*.(ts|tsx)",
    "{**/a,b}/*.ts",
    "docs/notes (old)/*.md",
    "a b/*.ts",
    ".github/**",
    "*.{ts}",
    "src/",
    ".",
  ]) {
    test(`${globs} means what it says`, () => expect(findings(globs)).toBe(""))
  }
})

describe("properties", () => {
  test("a path that a pattern quotes whole is one it matches, whatever legal characters are in it", () => {
    const name = fc
      .array(fc.constantFrom(..."ab-_.~#%&=:$^ é+@()]}".split(""), "\u{1F600}", "[id]", "(x)", "[...r]"), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => parts.join("").normalize("NFC"))
      .filter((text) => text.trim() === text && !/^\.+$/.test(text) && !/:$|\+\(/.test(text))
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 4 }), (names) => {
        const path = names.join("/")
        const result = compilePathPattern(`/${path}`)
        // `(` and `[` without an end don't compile, and say so.
        if (result.kind === "bad") expect(result.reason).toContain("Missing closing")
        else expect(result.pattern.matches(pathForm(path, { root: POSIX, directory: POSIX }))).toBeTrue()
      }),
      { numRuns: runs(500) },
    )
  })

  const segment = fc.stringMatching(/^[a-zA-Z0-9_é.-]{1,8}$/).filter((name) => name !== "." && name !== "..")
  const segments = fc.array(segment, { minLength: 1, maxLength: 5 })
  const globs = fc.constantFrom(
    "src/**/*.ts",
    "**/*.ts",
    "*.ts",
    "a/*",
    "/a/**",
    "**",
    "!x",
    "[ab]*",
    "{a,b}/**",
    "**/dev/**",
    "!**/app/**",
  )

  test("absolute, relative, dotted and backslash forms agree", () => {
    fc.assert(
      fc.property(segments, globs, (parts, glob) => {
        const list = [glob, ...(glob.startsWith("!") ? ["**"] : [])]
        const relative = parts.join("/")
        const expected = matches(list, `${POSIX}/${relative}`)
        expect(matches(list, relative)).toBe(expected)
        expect(matches(list, `./${relative}`)).toBe(expected)
        expect(matches(list, parts.join("\\"), WINDOWS)).toBe(expected)
        expect(matches(list, `${WINDOWS}\\${parts.join("\\")}`, WINDOWS)).toBe(expected)
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
        splitPatterns(parts.join(""))
        const result = compilePathPattern(parts.join(""))
        if (result.kind === "pattern") result.pattern.matches(pathForm(path, { root: POSIX, directory: POSIX }))
      }),
      { numRuns: runs(3000) },
    )
  })
})
