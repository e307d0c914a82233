import { describe, expect, test } from "bun:test"
import { hoverText } from "./hover.ts"
import type { Workspace } from "./workspace.ts"

const FILES = ["src/a.ts", "src/b.ts", "src/[id]/p.ts", "web/x.tsx", "dist/"]

function workspace(files: readonly string[] | undefined): Workspace {
  return { files: files?.map((file) => `/w/${file}`), project: { directory: "/w" } } as unknown as Workspace
}

/** What is shown at `¦` of these lines of frontmatter. */
function shown(lines: string, files: readonly string[] | undefined = FILES, start = "---\n"): string | undefined {
  const text = `${start}${lines}\n---\nText.\n`
  const before = text.slice(0, text.indexOf("¦")).split(/\r\n|\n|\r/)
  return hoverText(text.replace("¦", ""), before.length - 1, before.at(-1)?.length ?? 0, workspace(files))
}

function files(pattern: string, verb: string, count: string, ...paths: readonly string[]): string {
  return [`\`${pattern}\` ${verb} ${count} of this project:`, "", ...paths.map((path) => `- ${path}`)].join("\n")
}

describe("a pattern, wherever in it one points", () => {
  const SRC = files("src/*.ts", "matches", "2 files", "`src/a.ts`", "`src/b.ts`")
  const NOT_B = files("!src/b.ts", "excludes", "1 file", "`src/b.ts`")
  const BRACES = files("w{eb,x}/*.tsx", "matches", "1 file", "`web/x.tsx`")
  const ID = files("src/[id]/p.ts", "matches", "1 file", "`src/[id]/p.ts`")

  test.each<[lines: string, expected: string | undefined]>([
    ["globs: [¦src/*.ts, x]", SRC],
    ["globs: [src/*.ts¦, x]", SRC],
    ["globs: [src/*.ts,¦ x]", undefined],
    ["globs: ¦[src/*.ts, x]", undefined],
    ["globs: [src/*.ts, '!src¦/b.ts']", NOT_B],
    ["globs: [src/*.ts, '!src/b.ts'¦]", undefined],
    ['globs: ["w{e¦b,x}/*.tsx", src/[id]/p.ts]', BRACES],
    ['globs: ["w{eb,x}/*.tsx", src/[i¦d]/p.ts]', ID],
    ["globs: [src/*.ts, src/[id]/p.ts¦]", ID],
    ["os: linux\nglobs:\n  - x\n  - src¦/*.ts", SRC],
    ["globs:\n  - ¦src/*.ts\n  - src/[id]/p.ts", SRC],
    ["globs: x, ¦src/*.ts, '!src/b.ts'", SRC],
    ["globs: 'src/*.ts, src/*.ts2, w{eb,x}/¦*.tsx'", BRACES],
    ["applyTo: s¦rc/*.ts", SRC],
    ["globs: nothing¦/**", "`nothing/**` matches no file of this project."],
    ["globs: [x, '!nothing¦/**']", "`!nothing/**` excludes no file of this project."],
    ["globs: '*¦*'", files("**", "matches", "4 files", "`src/a.ts`", "`src/b.ts`", "`src/[id]/p.ts`", "`web/x.tsx`")],
    ["globs: dist¦/x", "`dist/x` matches no file of this project."],
    [`globs: [x, '${"{a,b}".repeat(20)}¦']`, undefined],
  ])("%j", (lines, expected) => expect(shown(lines)).toBe(expected))

  test("behind what editors and other systems put before and between lines", () => {
    expect(shown("os: linux\r\nglobs: src¦/*.ts", FILES, "\uFEFF---\r\n")).toBe(SRC)
    expect(shown("globs: src¦/*.ts", FILES, "\n\n---\r")).toBe(SRC)
  })

  test("of many files it matches some are named", () => {
    const many = Array.from({ length: 10 }, (_, index) => `src/${index}.ts`)
    const named = (count: number) => many.slice(0, count).map((path) => `\`${path}\``)
    expect(shown("globs: '*.t¦s'", many.slice(0, 8))).toBe(files("*.ts", "matches", "8 files", ...named(8)))
    expect(shown("globs: '*.t¦s'", many.slice(0, 9))).toBe(
      files("*.ts", "matches", "9 files", ...named(8), "and 1 more"),
    )
    expect(shown("globs: '*.t¦s'", many)).toBe(files("*.ts", "matches", "10 files", ...named(8), "and 2 more"))
  })

  test("outside a repository nobody knows the files", () => {
    expect(hoverText("---\nglobs: x\n---\n", 1, 7, workspace(undefined))).toBe(
      "`x` can't be tried: the project is not a git repository.",
    )
  })
})

describe("a key, and a value that is not a pattern", () => {
  const match = "**match**\n\nHow several conditions combine"
  const hookMatch = "**match**\n\nA regular expression"
  test.each<[lines: string, start: string]>([
    ["gl¦obs: x", "**globs**\n\nActive when the path of a file"],
    ["ma¦tch: all", match],
    ["match: a¦ll", match],
    ["hooks:\n  - type: PreToolUse\n    mat¦ch: x", hookMatch],
    ["hooks:\n  - type: PreToolUse\n    match: ¦x", hookMatch],
  ])("%j", (lines, start) => expect(shown(lines)).toStartWith(start))

  test.each(["other: ¦x", "¦", "glob¦s", "hooks:\n  - glo¦bs: x", "run: ¦x", "match: all\n---¦"])(
    "nothing at %j",
    (lines) => {
      expect(shown(lines)).toBeUndefined()
    },
  )

  test("with its example", () => {
    expect(shown("hooks:\n  - ru¦n: x")).toBe(
      "**run**\n\nA shell command. The hook starts it, does not wait for it, and writes the event as JSON to its standard input.\n\nExample: `run: npx prettier --check .`",
    )
    expect(shown("o¦s: x")).toEndWith('\n\nExample: `os: ["linux","darwin"]`')
  })
})
