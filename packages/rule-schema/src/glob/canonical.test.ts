import { describe, expect, test } from "bun:test"
import { canonicalPattern } from "./canonical.ts"

describe("one way to write a pattern", () => {
  for (const [glob, text] of [
    ["src/*.ts", "src/*.ts"],
    [" src/*.ts ", "src/*.ts"],
    ["./src//x/./*.ts", "src/x/*.ts"],
    ["/src/", "/src/**"],
    ["src/.", "src/**"],
    ["src/**/", "src/**"],
    ["src/**/.", "src/**"],
    [".", "**"],
    ["/", "/**"],
    ["//host/share//a", "//host/share/a"],
    ["///a", "//a"],
    ["C:/x", "c:/x"],
    ["C:", "c:"],
    ["C:x", "C:x"],
    ["c:\\x", "c:/x"],
    ["AB:/x", "AB:/x"],
    ["caf\u0065\u0301", "caf\u00e9"],
    ["{a//b,c/./d}/e", "{a//b,c/./d}/e"],
    ["src\\a\\", "src/a/**"],
    ["..", ".."],
    ["...", "..."],
    ["", ""],
  ] as const) {
    test(`${JSON.stringify(glob)} is ${JSON.stringify(text)}`, () => expect(canonicalPattern(glob).text).toBe(text))
  }
})

describe("what a pattern's author probably did not mean, and what to write", () => {
  const FROM_ROOT = "Write it from the project's root, begin it with `**/`, or write an absolute path"
  const URL = ["dead-pattern", "is a URL, and files have paths", FROM_ROOT] as const
  const ABOVE = ["dead-pattern", "has `..` in it, and paths are compared without", FROM_ROOT] as const
  const NAMES = ["dead-pattern", "excludes every name with `!(*)`", "Name what it is to exclude"] as const
  const dot = (text: string) =>
    ["odd-pattern", "has a `.` for a folder, which has no effect", `Write \`${text}\``] as const
  const globstar = (remedy: string) => {
    return ["odd-pattern", "has `**` beside other characters, where it stays in one folder", remedy] as const
  }
  const below = (text: string) => globstar(`Write \`${text}\` for the folders below too`)
  const OWN = globstar("Make `**` a folder of its own: `a/**/b`")
  const HOME = [
    "odd-pattern",
    "begins with `~`, which is not replaced by a home folder",
    "Write the absolute path",
  ] as const
  const VARIABLE = ["odd-pattern", "has a variable in it, which is not replaced", FROM_ROOT] as const
  const ESCAPED = [
    "odd-pattern",
    "has a `*` or `?` that a backslash escapes",
    "Remove the backslash, or write `/` there",
  ] as const
  const EXPRESSION = [
    "odd-pattern",
    "looks like a regular expression, and is a glob",
    "Write for example `src/**/*.ts`",
  ] as const
  const NO_BAR = ["odd-pattern", "has parentheses without a `|`, which are part of the name", "Write `*.ts`"] as const
  const DASH = [
    "odd-pattern",
    "begins with `-`",
    "Put a space after the dash of a list, or `./` before a name that begins with `-`",
  ] as const
  const SEVERAL = [
    "odd-pattern",
    "has several patterns with only whitespace between them",
    "Separate them with commas, or write a list",
  ] as const
  for (const [glob, ...notes] of [
    ["https://x/y.ts", URL],
    ["git+ssh://x", URL],
    ["x-y.z2://a", URL],
    ["C://x"],
    ["x//https://y"],
    ["a\0b", ["dead-pattern", "has a NUL character, which no path has", "Remove it"]],
    ["../a", ABOVE],
    ["a/..", ABOVE],
    ["a/{..,b}/c"],
    ["..a/b.."],
    ["!(*)", NAMES],
    ["a/!(**)/b", NAMES],
    ["!(*)x"],
    ["a/!(*x)"],
    ["src/./a", dot("src/a")],
    ["src/a/.", dot("src/a/**")],
    ["src/.a"],
    ["./src"],
    ["src/**.ts", below("src/**/*.ts")],
    ["**test/*.ts", below("**/*test/*.ts")],
    ["src/a**", below("src/a*/**")],
    ["src/a**/b**.ts", globstar("Write `src/a*/**/b**.ts` for the folders below too")],
    ["a/b**c", OWN],
    ["a/**b**/c", below("a/**/*b*/**/c")],
    ["a/(**)"],
    ["a/{**,b}/c"],
    ["a/(**|b)/c"],
    ["a/{b,**}/c"],
    ["a/(b|**)/c"],
    ["a/{b,**c}/d", OWN],
    ["a/{b**,c}/d", OWN],
    ["a/***"],
    ["a/***b"],
    ["a**"],
    ["a/\\**", ESCAPED],
    ["a/**"],
    ["**/b"],
    ["~/a", HOME],
    ["~user.name-x/a", HOME],
    ["~"],
    ["a/~/b"],
    ["~a b/c"],
    [`$\{HOME}/a`, VARIABLE],
    [`a/$\{b`, VARIABLE],
    ["a/$HOME"],
    [`$\{}/a`],
    ["a/\\*b", ESCAPED],
    ["a/\\?b", ESCAPED],
    ["a/\\[b"],
    ["^a", EXPRESSION],
    ["a$", EXPRESSION],
    ["a/.*\\.ts", EXPRESSION],
    ["a^b$c"],
    ["a.*"],
    ["*.(ts)", NO_BAR],
    ["*.(a-b_c)", NO_BAR],
    ["*.(ts|js)"],
    ["*.(ts).x"],
    ["a.(ts)"],
    ["-a", DASH],
    ["a-b"],
    ["*.a *.b", SEVERAL],
    ["*.a\t*.b  c*", SEVERAL],
    ["*.a b"],
    ["*.a"],
    ["{*.a, *.b}"],
    ["*(*a | *b)"],
    ["{*.a} *.b", SEVERAL],
  ] as const) {
    test(JSON.stringify(glob), () => {
      const expected = notes.map(([code, reason, remedy]) => ({ code, reason, remedy }))
      expect(canonicalPattern(glob).notes).toEqual(expected)
    })
  }

  test("each mistake of several is said, in one order", () => {
    const reasons = canonicalPattern(`~/./$\{x}/\\*a**/^b$`).notes.map(({ reason }) => reason)
    expect(reasons).toEqual([
      "has a `.` for a folder, which has no effect",
      "has `**` beside other characters, where it stays in one folder",
      "begins with `~`, which is not replaced by a home folder",
      "has a variable in it, which is not replaced",
      "has a `*` or `?` that a backslash escapes",
      "looks like a regular expression, and is a glob",
    ])
  })
})
