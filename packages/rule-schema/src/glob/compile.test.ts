import { describe, expect, test } from "bun:test"
import { compileNamePattern, compilePathPattern, isIncluded, type Pattern } from "./compile.ts"
import { nameForm, pathForms } from "./path-form.ts"

const form = pathForms({ root: "/w/app", directory: "/w/app" })

function pathPattern(source: string): Pattern {
  const result = compilePathPattern(source)
  if (result.kind === "bad") throw new Error(result.reason)
  return result.pattern
}

function namePattern(source: string): Pattern {
  const result = compileNamePattern(source)
  if (result.kind === "bad") throw new Error(result.reason)
  return result.pattern
}

describe("braces", () => {
  for (const [pattern, matching, others] of [
    ["v{1..3}", "v1 v2 v3", "v0 v4 v12 v{1..3}"],
    ["v{3..1}", "v1 v2 v3", "v0 v4"],
    ["v{9..11}", "v9 v10 v11", "v1 v19"],
    ["v{1..9..4}", "v1 v5 v9", "v2 v4 v13"],
    ["v{1..9..-4}", "v1 v5 v9", "v2"],
    ["v{1..3..0}", "v1 v2 v3", "v4"],
    ["v{-1..1}", "v-1 v0 v1", "v-2 v2"],
    ["v{01..10}", "v01 v09 v10", "v1 v9 v010"],
    ["v{8..010}", "v008 v009 v010", "v8 v10"],
    ["v{-01..1}", "v-01 v000 v001", "v-1 v0-1 v1"],
    ["v{a..c}", "va vb vc", "vd v`"],
    ["v{c..a}", "va vb vc", "vd"],
    ["v{B..D}", "vB vC vD", "vb vE"],
    ["v{a..1}", "v{a..1}", "va v1"],
    ["v{ab..d}", "v{ab..d}", "vab vd"],
    ["v{a+..b}", "v{a+..b}", "va v{aa..b}"],
    ["v{a,{b,c}d}", "va vbd vcd", "vb vd v"],
    ["v{a,}", "va v", "vaa"],
  ] as const) {
    test(pattern, () => {
      const { matches } = pathPattern(pattern)
      const matched = (texts: string) => texts.split(" ").filter((text) => matches(form(text)))
      expect([matched(matching).join(" "), matched(others).join(" ")]).toEqual([matching, ""])
    })
  }
})

describe("classes", () => {
  const all = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code + 1))
  const signs = Array.from("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~")
  for (const [name, expression] of [
    ["alnum", /[A-Za-z0-9]/],
    ["alpha", /[A-Za-z]/],
    ["ascii", /[\s\S]/],
    ["blank", /[ \t]/],
    ["cntrl", /\p{Cc}/u],
    ["digit", /[0-9]/],
    ["graph", /[!-~]/],
    ["lower", /[a-z]/],
    ["print", /[ -~]/],
    ["punct", new RegExp(`[${signs.map((sign) => `\\${sign}`).join("")}]`)],
    ["space", /[\t-\r ]/],
    ["upper", /[A-Z]/],
    ["word", /[A-Za-z0-9_]/],
    ["xdigit", /[A-Fa-f0-9]/],
  ] as const) {
    test(name, () => {
      const { matches } = namePattern(`x[[:${name}:]]`)
      const found = all.filter((char) => char !== "/" && matches(nameForm(`x${char}`)))
      expect(found.join("")).toBe(all.filter((char) => char !== "/" && expression.test(char)).join(""))
      expect(matches(nameForm("x\u{1F600}"))).toBe(false)
    })
  }

  test("of signs, and of letters behind a backslash, as in expressions", () => {
    for (const [pattern, matching, others] of [
      ["[a-c]x", "ax cx", "dx -x"],
      ["[a\\-c]x", "ax -x cx", "bx"],
      ["[\\d\\s]x", "1x", "dx sx"],
      ["[\\D]x", "dx", "1x"],
      ["[\\w]x", "wx _x 1x", "-x"],
      ["[\\W\\S]x", "-x wx", ""],
      ["[\\]]x", "]x", "\\x"],
      ["[.*+?^$(){}|]x", ".x *x +x ?x ^x $x (x )x {x }x |x", "ax"],
      ["[^.]?x", "\u{1F600}\u{1F600}x aax", ".ax ax"],
    ] as const) {
      const { matches } = namePattern(pattern)
      const matched = (texts: string) => texts.split(" ").filter((text) => matches(nameForm(text)))
      expect([pattern, matched(matching).join(" "), matched(others).join(" ")]).toEqual([pattern, matching, ""])
    }
  })
})

describe("where a pattern is compared", () => {
  for (const [pattern, matching, others] of [
    // Without a slash, with the name alone.
    ["a.ts", "a.ts x/a.ts /elsewhere/a.ts", "a.ts/b xa.ts"],
    ["**", "a.ts x/a.ts /elsewhere/a.ts", ""],
    ["! !a.ts", "!a.ts x/!a.ts", "a.ts b.ts"],
    // With one, from the root down, and with the whole path of a file elsewhere.
    ["x/*.ts", "x/a.ts /w/app/x/a.ts", "y/x/a.ts /elsewhere/x/a.ts x/y/a.ts"],
    ["**/x/*.ts", "x/a.ts y/x/a.ts /elsewhere/x/a.ts", "/w/x.ts"],
    // With one at its start, from the root or from the file system's.
    ["/x/*.ts", "x/a.ts /x/a.ts", "y/x/a.ts /elsewhere/x/a.ts"],
    ["/w/app/x/*.ts", "x/a.ts", "w/app/y/a.ts"],
    ["/w/*/a.ts", "a.ts /w/lib/a.ts w/y/a.ts", "/v/app/a.ts"],
    ["//host/share/*.ts", "host/share/a.ts", "share/a.ts"],
    ["c:/x/*.ts", "c:/x/a.ts C:\\x\\a.ts", "x/a.ts d:/x/a.ts ./c:/x/a.ts"],
    ["C:/x/*.ts", "c:/x/a.ts C:\\x\\a.ts", "x/a.ts"],
  ] as const) {
    test(pattern, () => {
      const { matches } = pathPattern(pattern)
      const matched = (texts: string) => texts.split(" ").filter((text) => matches(form(text)))
      expect([matched(matching).join(" "), matched(others).join(" ")]).toEqual([matching, ""])
    })
  }

  test("nothing matches where there is no path to compare", () => {
    const nested = pathForms({ root: "/w/app/api", directory: "/w/app", project: "/w/app" })
    for (const source of ["**", "*", "**/*.ts", "!(x)", "a.ts"])
      expect(pathPattern(source).matches(nested("a.ts"))).toBe(false)
    expect(pathPattern("/w/app/*.ts").matches(nested("a.ts"))).toBe(true)
    expect(namePattern("*").matches(nameForm(""))).toBe(false)
  })
})

test("a pattern has its text, what it excludes, its folder and the endings of what it matches", () => {
  for (const [source, excludes, folder, endings] of [
    ["src/**/*.ts", false, "src", [".ts"]],
    ["! src/a/*.{ts,d.tsx}", true, "src/a", [".ts", ".tsx"]],
    ["!!src/*", false, "src", [""]],
    ["!!!src/*.rs", true, "src", [".rs"]],
    ["!(a|b)/*.ts", false, "", [""]],
    ["!!(a|b)/*.ts", true, "", [""]],
    ["./src/x/a.md", false, "src/x", [".md"]],
    ["/src/*.ts", false, "", [".ts"]],
    ["src/[id]/*.ts", false, "", [""]],
    ["src/(a)/*.ts", false, "", [""]],
    ["src/", false, "src", [""]],
  ] as const) {
    const { matches: _, ...pattern } = pathPattern(source)
    expect(pattern).toEqual({ source, excludes, folder, endings: [...endings] })
  }
  const { matches: _, ...pattern } = namePattern("!release/*.x")
  expect(pattern).toEqual({ source: "!release/*.x", excludes: true, folder: "", endings: [""] })
})

test("a pattern over names takes the whole name, and its own text in any case", () => {
  for (const [source, matching, others] of [
    ["*", "main feature/x a/b/c", ""],
    ["release/*", "release/1", "release release/1/2 x/release/1"],
    ["release/**", "release/1 release/1/2", "main"],
    ["fix(a)", "fix(a)", "fixa"],
    ["a[b]", "a[b] ab", "a"],
    ["{x,y}-*", "x-1 y-", "z-1"],
    ["v?", "v1 vé", "v v12"],
    ["fix/[!a]", "fix/[!a] fix/b", "fix/a"],
    ["{x}", "{x} x", "y"],
    ["caf\u0065\u0301", "caf\u00e9", "cafe"],
    ["..", "..", "."],
    ["#1", "#1", "1"],
  ] as const) {
    const { matches } = namePattern(source)
    const matched = (texts: string) => texts.split(" ").filter((text) => matches(nameForm(text)))
    expect([source, matched(matching).join(" "), matched(others).join(" ")]).toEqual([source, matching, ""])
  }
})

test("a list includes what one of its patterns matches and none excludes, in any order", () => {
  for (const [sources, included] of [
    [["*.ts"], true],
    [["*.rs"], false],
    [[], false],
    [["!*.ts"], false],
    [["!*.rs"], false],
    [["*.ts", "!*.rs"], true],
    [["*.ts", "a.*", "!a.*"], false],
    [["!a.*", "*.ts"], false],
    [["*.ts", "!*.rs", "!*.ts"], false],
    [["*.rs", "!*.go", "*.ts"], true],
  ] as const) {
    expect([sources, isIncluded(sources.map(pathPattern), form("a.ts"))]).toEqual([sources, included])
  }
})
