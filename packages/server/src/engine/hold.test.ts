import { describe, expect, test } from "bun:test"
import { NO_FACTS } from "@opencode-rulebook/rule-schema"
import { ROOT, rulesOf } from "../../test/support/rules.ts"
import { writesOf } from "../hosts/shared/writes.ts"
import type { FileWrite } from "./file-write.ts"
import { createHoldingRules, holdsOf } from "./hold.ts"

const holding = (frontmatter: string) => `---\n${frontmatter}\nhold: true\n---\nText.`
const write = (path: string, content: string) => writesOf("write", { path, content })
const edit = (path: string, oldString: string, newString: string) => writesOf("edit", { path, oldString, newString })
const patch = (...lines: string[]) =>
  writesOf("patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })

const RULES = rulesOf({
  "rust.md": holding('globs: "*.rs"'),
  "unsafe.md": holding('globs: "*.rs"\nfileContains: ["unsafe {", "extern"]'),
  "text.md": holding("fileContains: TODO"),
  "word.md": holding("keywords: [ffi]"),
  "free.md": '---\nglobs: "*.rs"\n---\nText.',
})
const NESTED = rulesOf({ "all.md": holding("name: Any file"), "css.md": holding('globs: "*.css"') }, "web")

function candidatesOf(writes: readonly FileWrite[], without: readonly string[] = []): readonly string[] {
  const rules = createHoldingRules(ROOT)
  rules.add(RULES, "")
  rules.add(NESTED, "web")
  const found = rules.candidates(writes, ({ name }) => !without.includes(name))
  return found.map(({ rule: { name }, paths }) => `${name}: ${paths.join(" ")}`)
}

describe("the rules with `hold` that writes would make match", () => {
  test.each<[string, readonly FileWrite[], readonly string[]]>([
    ["no writes", [], []],
    ["the path", write("a.rs", "x"), ["rust: a.rs"]],
    ["path and text", write("a.rs", "unsafe {"), ["rust: a.rs", "unsafe: a.rs"]],
    ["the text alone", write("a.txt", "TODO"), ["text: a.txt"]],
    ["another file", write("a.txt", "unsafe {"), []],
    ["the new text of an edit", edit("a.rs", "extern", "extern unsafe {"), ["rust: a.rs", "unsafe: a.rs"]],
    ["what an edit repeats", edit("a.rs", "unsafe {", "unsafe { x"), ["rust: a.rs"]],
    ["what an edit has more often", edit("a.rs", "unsafe {", "unsafe { unsafe {"), ["rust: a.rs", "unsafe: a.rs"]],
    ["a file that is written whole", edit("a.rs", "", "unsafe {"), ["rust: a.rs", "unsafe: a.rs"]],
    ["a deletion, by its path alone", patch("*** Delete File: a.rs", "-unsafe { TODO"), ["rust: a.rs"]],
    ["pieces that do not stand next to each other", patch("*** Update File: a.txt", "@@", "+TO", "@@", "+DO"), []],
    [
      "several files, each rule once with all of its own",
      [...write("a.rs", "x"), ...write("b.rs", "extern"), ...write("c.rs", "TODO")],
      ["rust: a.rs b.rs c.rs", "unsafe: b.rs", "text: c.rs"],
    ],
    [
      "in a nested folder, its rules for any file too",
      write("web/a.css", "x"),
      ["Any file: web/a.css", "css: web/a.css"],
    ],
    ["beside it, none of its own", write("webs/a.css", "x"), []],
    ["deeper in it", write(`${ROOT}/web/src/a.ts`, "x"), [`Any file: ${ROOT}/web/src/a.ts`]],
  ])("%s", (_name, writes, expected) => {
    expect(candidatesOf(writes)).toEqual([...expected])
  })

  test("those that may not hold are left out", () => {
    expect(candidatesOf([...write("a.rs", "unsafe {"), ...write("web/a.css", "x")], ["rust", "Any file"])).toEqual([
      "unsafe: a.rs",
      "css: web/a.css",
    ])
  })

  test("a rule of each kind alone is enough", () => {
    const rules = createHoldingRules(ROOT)
    rules.add(RULES.slice(0, 1), "")
    rules.add(NESTED.slice(0, 1), "web")
    const found = rules.candidates(write("web/a.rs", "x"), () => true)
    expect(found.map(({ rule: { name } }) => name)).toEqual(["Any file", "rust"])
  })

  test("without such rules no write is looked at", () => {
    const rules = createHoldingRules(ROOT)
    rules.add(rulesOf({ "free.md": '---\nglobs: "*.rs"\n---\nText.', "word.md": holding("keywords: [ffi]") }), "")
    rules.add(rulesOf({ "free.md": "Text." }, "web"), "web")
    const unread = Object.defineProperty(write("web/a.rs", "x")[0] ?? {}, "path", {
      get: () => expect.unreachable(),
    }) as FileWrite
    expect(rules.candidates([unread], () => true)).toEqual([])
  })
})

describe("the candidates that the call makes match, and with what lifetime", () => {
  const rules = rulesOf({
    "files.md": holding('globs: "*.rs"'),
    "all.md": holding('match: all\nglobs: "*.rs"\nkeywords: [ffi]'),
    "while.md": holding('match: all\nglobs: "*.rs"\nagent: [build]'),
    "any.md": holding("name: any"),
  })
  const candidates = rules.map((rule) => ({ rule, paths: ["a.rs", "b.rs"] }))
  const held = (facts: Partial<typeof NO_FACTS>, matched: readonly string[] = []) => {
    const ids = new Set(rules.filter(({ name }) => matched.includes(name)).map(({ id }) => id))
    return holdsOf(candidates, ids, { ...NO_FACTS, ...facts }).map(({ rule, lifetime, paths }) =>
      [rule.name, lifetime, ...paths].join(" "),
    )
  }

  test("their other conditions have to hold; a rule that matches already holds as durable", () => {
    expect(held({})).toEqual(["files durable a.rs b.rs", "any durable a.rs b.rs"])
    expect(held({ prompt: "ffi", agent: "build" })).toEqual([
      "files durable a.rs b.rs",
      "all durable a.rs b.rs",
      "while transient a.rs b.rs",
      "any durable a.rs b.rs",
    ])
    expect(held({}, ["all", "while"])).toEqual([
      "files durable a.rs b.rs",
      "all durable a.rs b.rs",
      "while durable a.rs b.rs",
      "any durable a.rs b.rs",
    ])
  })

  test("the facts stay as they were", () => {
    const observed = new Map()
    held({ observed })
    expect(observed.size).toBe(0)
  })
})
