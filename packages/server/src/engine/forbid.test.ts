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

  test("what an edit shows counts for what is known: at least as many as its new text has", () => {
    const forbidden = watching(LOG)
    expect(told(forbidden.wrote(edit("a.ts", "log(1)", "log(2) log(3)")))).toEqual(["0@?"])
    expect(told(forbidden.broken(write("a.ts", "log( log(")))).toEqual([])
    expect(told(forbidden.wrote(edit("a.ts", "x", "log(")))).toEqual(["0@?"])
    expect(told(forbidden.broken(write("a.ts", "log( log( log(")))).toEqual([])
    expect(told(forbidden.broken(write("a.ts", "log( log( log( log(")))).toEqual(["0@?"])
    expect(told(forbidden.wrote(edit("a.ts", "log( log( log(", "x")))).toEqual(["followed"])
    expect(told(forbidden.broken(write("a.ts", "log(")))).toEqual(["0@1"])
  })

  test("of parts of one file the most of each literal is known", () => {
    const forbidden = watching(LOG)
    for (const part of ["log( log(", "log( debugger", "log( log( log("]) {
      forbidden.observed(read("a.ts", part, { isPart: true }))
      expect(told(forbidden.broken(write("a.ts", part)))).toEqual([])
    }
    expect(told(forbidden.broken(write("a.ts", "log( log( log( debugger")))).toEqual([])
    expect(told(forbidden.broken(write("a.ts", "log( log( log( log( debugger debugger")))).toEqual(["0@? 1@?"])
  })

  test("a path alone takes nothing back", () => {
    const forbidden = watching(LOG)
    forbidden.observed(read("a.ts", "log("))
    forbidden.observed({ path: "a.ts", tool: "read", content: undefined })
    expect(told(forbidden.broken(write("a.ts", "log(")))).toEqual([])
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

  test("of a Read's text nothing is made for a literal that its output does not have, or where nothing is forbidden", () => {
    const content = (): string => {
      throw new Error("not asked for")
    }
    const observation = (source?: string) => {
      return Object.defineProperty({ path: "a.ts", tool: "read", source }, "content", {
        get: content,
      }) as FileObservation
    }
    const watched = watching('forbid: ["console.log(", "console.log)"]')
    expect(() => watched.observed(observation("1: console.log("))).toThrow("not asked for")
    expect(() => watched.observed(observation())).toThrow("not asked for")
    for (const source of ["1: console.lag(", "1: console.log[", "1: Console.log("])
      watched.observed(observation(source))
    watching('globs: "*.ts"').observed(observation())
  })

  test("a literal of several lines is known of a Read, whose output has numbers between them", () => {
    const forbidden = watching('forbid: "a();\\nb();"')
    forbidden.observed(read("a.ts", "a();\nb();", { source: "1: a();\n2: b();" }))
    expect(told(forbidden.broken(write("a.ts", "a();\nb();")))).toEqual([])
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

  test("one of the texts that fileContains asks for is enough", () => {
    expect(told(watching("fileContains: [pg, zz]\nforbid: log(").broken(write("a", "zz\nlog(")))).toEqual(["0@2"])
  })

  test("each rule of a file is judged by its own literals; before the call, those alone that it breaks", () => {
    const forbidden = createForbiddenTexts(ROOT)
    const rules = [
      rule('name: Files\nglobs: "*.ts"\nforbid: [debugger, log(]'),
      rule("name: All\nforbid: log("),
      rule("name: Word\nkeywords: [a]\nforbid: debugger"),
      rule('name: Other\nglobs: "*.md"\nforbid: log('),
      rule('name: None\nglobs: "*.ts"'),
    ]
    forbidden.add(rules)
    const judged = (judgements: ReturnType<ForbiddenTexts["wrote"]>) =>
      judgements.map(({ rule: { name }, path, added }) => [name, path, ...added.map(({ literal }) => literal)])
    const writes = [...write("a.ts", "log("), ...write("b.rs", "debugger")]
    expect(judged(forbidden.broken(writes))).toEqual([
      ["All", "a.ts", 0],
      ["Files", "a.ts", 1],
      ["Word", "b.rs", 0],
    ])
    expect(judged(forbidden.wrote(writes))).toEqual([
      ["All", "a.ts", 0],
      ["Word", "a.ts"],
      ["Files", "a.ts", 1],
      ["All", "b.rs"],
      ["Word", "b.rs", 0],
    ])
  })

  test("without a rule that forbids anything nothing is judged", () => {
    const forbidden = createForbiddenTexts(ROOT)
    expect(forbidden.isEmpty()).toBeTrue()
    forbidden.add([rule('globs: "*.ts"')])
    expect(forbidden.isEmpty()).toBeTrue()
    expect(forbidden.wrote(write("a.ts", "log("))).toEqual([])
    forbidden.add([rule(LOG)])
    expect(forbidden.isEmpty()).toBeFalse()
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
