import { describe, expect, test } from "bun:test"
import { type CompiledRule, type FileObservation, parseRule } from "@opencode-rulebook/rule-schema"
import { writesOf } from "../hosts/shared/writes.ts"
import { createForbiddenTexts, type ForbiddenTexts } from "./forbid.ts"

const ROOT = "/home/dev/app"

function rule(frontmatter: string, root = ROOT): CompiledRule {
  const directory = { scope: "project", path: `${root}/.opencode/rules`, root, prefix: "" } as const
  const parsed = parseRule({ directory, path: `${directory.path}/a.md`, text: `---\n${frontmatter}\n---\nBody.` })
  if (parsed.kind === "broken") throw new Error(JSON.stringify(parsed.rule.problems))
  return parsed.rule
}

function watching(frontmatter: string): ForbiddenTexts {
  const forbidden = createForbiddenTexts(ROOT)
  forbidden.add([rule(frontmatter)])
  return forbidden
}

const LOG = 'globs: "*.ts"\nforbid: ["log(", debugger]'
const read = (path: string, content: string, more: Partial<FileObservation> = {}): FileObservation => {
  return { path, tool: "read", content, ...more }
}
const write = (path: string, content: string) => writesOf("write", { path, content })
const edit = (path: string, oldString: string, newString: string) => writesOf("edit", { path, oldString, newString })
/** `literal@line` of what each judged write adds; "followed" where that is nothing. */
const told = (judgements: ReturnType<ForbiddenTexts["wrote"]>) =>
  judgements.map(({ added }) => added.map(({ literal, line }) => `${literal}@${line ?? "?"}`).join(" ") || "followed")

describe("a Write against what the file had when it was observed last", () => {
  test("a file that was not read has nothing", () => {
    expect(told(watching(LOG).wrote(write("a.ts", "a\nlog(1)\n")))).toEqual(["0@2"])
  })

  test("what it had is not new, whichever way its path is written", () => {
    const forbidden = watching(LOG)
    forbidden.observed(read(`${ROOT}/src/a.ts`, "log(1)"))
    expect(told(forbidden.wrote(write("./src/a.ts", "x\nlog(2)")))).toEqual(["followed"])
    expect(told(forbidden.wrote(write("src/a.ts", "log(1)\nlog(2)\ndebugger")))).toEqual(["0@? 1@3"])
    expect(told(forbidden.wrote(write("src/a.ts", "log(1)\nlog(2)")))).toEqual(["followed"])
    expect(told(forbidden.wrote(write("src/a.ts", "debugger")))).toEqual(["1@1"])
  })

  test("a part of a file adds to what is known of it, a whole one replaces that", () => {
    const forbidden = watching(LOG)
    forbidden.observed(read("a.ts", "log(1)\nlog(2)", { isPart: true }))
    forbidden.observed(read("a.ts", "x", { isPart: true }))
    expect(told(forbidden.broken(write("a.ts", "log(1)\nlog(2)")))).toEqual([])
    forbidden.observed(read("a.ts", "x"))
    expect(told(forbidden.broken(write("a.ts", "log(1)")))).toEqual(["0@1"])
  })

  test("edits, moves and deletions are kept account of", () => {
    const forbidden = watching(LOG)
    expect(told(forbidden.wrote(edit("a.ts", "x", "log(1)")))).toEqual(["0@?"])
    expect(told(forbidden.broken(write("a.ts", "log(1)")))).toEqual([])
    const patch = (...lines: string[]) =>
      writesOf("patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })
    forbidden.wrote(patch("*** Update File: a.ts", "*** Move to: b.ts"))
    expect(told(forbidden.broken(write("b.ts", "log(1)")))).toEqual([])
    expect(told(forbidden.broken(write("a.ts", "log(1)")))).toEqual(["0@1"])
    expect(told(forbidden.wrote(patch("*** Delete File: b.ts")))).toEqual([])
    expect(told(forbidden.broken(write("b.ts", "log(1)")))).toEqual(["0@1"])
  })

  test("to look ahead changes nothing", () => {
    const forbidden = watching(LOG)
    for (const _ of [1, 2]) expect(told(forbidden.broken(write("a.ts", "log(1)")))).toEqual(["0@1"])
  })

  test("what other tools show of a file is not its text", () => {
    const forbidden = watching(LOG)
    forbidden.observed({ path: "a.ts", tool: "lsp", content: "log(" })
    expect(told(forbidden.broken(write("a.ts", "log(1)")))).toEqual(["0@1"])
  })

  test("of a Read's text nothing is made where its output has no literal", () => {
    const forbidden = watching(LOG)
    const observation = {
      path: "a.ts",
      tool: "read",
      source: "1: x",
      get content(): string {
        throw new Error("not asked for")
      },
    }
    expect(() => forbidden.observed(observation)).not.toThrow()
    Object.defineProperty(observation, "source", { value: "1: log(" })
    expect(() => forbidden.observed(observation)).toThrow("not asked for")
  })

  test("of more files than it keeps, the ones in use last are known", () => {
    const forbidden = watching(LOG)
    for (let at = 0; at <= 1_000; at += 1) forbidden.observed(read(`${at}.ts`, "log("))
    expect(told(forbidden.broken([...write("1.ts", "log("), ...write("0.ts", "log(")]))).toEqual(["0@1"])
  })
})

describe("the files that a rule's condition matches", () => {
  for (const [name, frontmatter, path, content, expected] of [
    ["another path", LOG, "a.md", "log(", []],
    ["no condition", "forbid: log(", "a.md", "log(", ["0@1"]],
    ["fileContains, which the new text has", "fileContains: pg\nforbid: log(", "a", "pg\nlog(", ["0@2"]],
    ["fileContains, which it has not", "fileContains: pg\nforbid: log(", "a", "log(", []],
    ["both", 'globs: "*.ts"\nfileContains: pg\nforbid: log(', "a.md", "pg\nlog(", []],
    ["an exclusion", 'globs: ["*.ts", "!a.ts"]\nforbid: log(', "a.ts", "log(", []],
  ] as const) {
    test(name, () => expect(told(watching(frontmatter).broken(write(path, content)))).toEqual([...expected]))
  }

  test("fileContains counts in the file's text as it is known, not only in what an edit shows", () => {
    const forbidden = watching("fileContains: pg\nforbid: log(")
    expect(told(forbidden.broken(edit("a", "x", "log(")))).toEqual([])
    forbidden.observed(read("a", "pg\nx"))
    expect(told(forbidden.broken(edit("a", "x", "log(")))).toEqual(["0@?"])
    expect(told(forbidden.broken(edit("a", "pg", "log(")))).toEqual([])
  })

  test("rules that come later judge from then on", () => {
    const forbidden = createForbiddenTexts(ROOT)
    expect(forbidden.broken(write("a.ts", "log("))).toEqual([])
    forbidden.add([rule(LOG), rule("globs: x/*.md\nforbid: y", `${ROOT}/nested`)])
    expect(
      told(forbidden.broken([...write("a.ts", "log("), ...write("nested/x/a.md", "y"), ...write("x/a.md", "y")])),
    ).toEqual(["0@1", "0@1"])
  })
})
