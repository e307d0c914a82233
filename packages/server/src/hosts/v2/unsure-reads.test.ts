import { describe, expect, test } from "bun:test"
import type { V2Message } from "./host.ts"
import type { TextRecord } from "./read.ts"
import { createUnsureReads, type UnsureRead } from "./unsure-reads.ts"

const LINES = ["one", "two", "three", "four", "five"]
const record = (more: Partial<TextRecord> = {}): TextRecord => {
  return { kind: "text", lines: LINES, first: 1, isPage: false, isNumbered: false, ...more }
}
const read = (more: Partial<UnsureRead> = {}): UnsureRead => {
  return { callID: "call_1", path: "a.ts", record: record(), shown: undefined, ...more }
}
const result = (id: string, value: unknown, type = "tool-result"): V2Message => {
  return { role: "tool", content: [{ type, id, result: value }] }
}
const textResult = (text: string, id = "call_1") => result(id, { type: "text", value: text })
const observed = (content: string, path = "a.ts") => ({ path, tool: "read", content, isPart: true as const })

function settled(unsure: readonly UnsureRead[], messages: readonly V2Message[]) {
  const reads = createUnsureReads()
  for (const one of unsure) reads.add(one)
  const first = reads.settle(messages)
  // Each is looked for once.
  expect(reads.settle(messages)).toEqual([])
  return first
}

test("each Read is looked for by its call, in the newest message that has a result of it", () => {
  const messages = [
    textResult("one\ntwo"),
    { role: "user", content: "one" },
    {
      role: "tool",
      content: [
        { type: "text", id: "call_1" },
        { type: "tool-result", id: "call_2", result: "four\nfive" },
      ],
    },
    textResult("one"),
    result("call_1", { type: "text", value: "one\ntwo\nthree" }, "tool-call"),
  ]
  expect(settled([read(), read({ callID: "call_2", path: "b.ts" }), read({ callID: "gone" })], messages)).toEqual([
    observed("one"),
    observed("four\nfive", "b.ts"),
  ])
})

test("a Read of which the dispatch has no result counts as far as its event showed it", () => {
  expect(settled([read({ shown: "one\ntwo\n[cut]" })], [])).toEqual([observed("one\ntwo")])
  expect(settled([read({ shown: "one\ntwo\n[cut]" })], [textResult("one")])).toEqual([observed("one")])
})

describe("what a result shows of a plain text", () => {
  test.each<[what: string, shown: unknown, content: string]>([
    ["whole", LINES.join("\n"), "one\ntwo\nthree\nfour\nfive"],
    ["below a heading and above a note", ["Read a.ts", ...LINES, "(end)"].join("\n"), "one\ntwo\nthree\nfour\nfive"],
    ["its beginning", "Read a.ts\none\ntwo\n[cut]", "one\ntwo"],
    ["its end", "[cut]\nfour\nfive\n(end)", "four\nfive"],
    ["both, with a gap", "one\ntwo\n[cut]\nfive", "one\ntwo\0five"],
    ["both, and no line twice", "one\ntwo\nthree\nthree\nfour\nfive", "one\ntwo\nthree\0four\nfive"],
    ["a line that was cut", "one\ntw", "one"],
    ["nothing of it", "[cut]", ""],
    ["no text", { type: "json", value: 5 }, ""],
    ["a record with all of it", { type: "json", value: { content: LINES.join("\n") } }, "one\ntwo\nthree\nfour\nfive"],
    ["a record with another text", { type: "json", value: { content: "one" } }, ""],
  ])("%s", (_what, shown, content) => {
    expect(settled([read()], [result("call_1", shown)])).toEqual([observed(content)])
  })

  test("one that is a single line", () => {
    const single = read({ record: record({ lines: ["one"] }) })
    expect(settled([single], [textResult("one")])).toEqual([observed("one")])
    expect(settled([single], [textResult("two")])).toEqual([observed("")])
  })
})

describe("what a record in JSON shows", () => {
  const lines = ['say("a", "\\n")', "C:\\new\\", '{"b": "c"}', "plain", 'x = "y",']
  const whole = JSON.stringify({ uri: "x", content: lines.join("\n"), encoding: "utf8" })
  const json = read({ record: record({ lines }) })

  test("whole, with quotes and backslashes of the text's own", () => {
    expect(settled([json], [textResult(whole)])).toEqual([observed(lines.join("\n"))])
  })

  test("cut in the middle, as far as its lines are whole", () => {
    const [head = "", tail = ""] = whole.split("plain")
    const cut = `${head}pl\n[cut]\nain${tail}`
    expect(settled([json], [textResult(cut)])).toEqual([
      observed([lines.slice(0, 3), lines.slice(4)].map((run) => run.join("\n")).join("\0")),
    ])
  })

  test("cut inside an escape", () => {
    const cut = whole.slice(0, whole.indexOf("\\\\new") + 1)
    expect(settled([json], [textResult(cut)])).toEqual([observed(lines.slice(0, 1).join("\n"))])
  })
})

test("of numbered lines those count that have their number, heading and notes don't", () => {
  const numbered = read({ record: record({ isNumbered: true, first: 8 }) })
  const shown = "Read file a.ts, lines 8-12\n8: one\n9: two\n[cut]\n11: fo\n12: five\n13: six"
  expect(settled([numbered], [textResult(shown)])).toEqual([observed("one\ntwo\0fo\0five")])
})
