import { expect, test } from "bun:test"
import type { FileObservation } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import recording from "../../../test/recordings/opencode-2-preview/tool-hooks.json"
import { joinApart } from "../shared/patch.ts"
import type { ToolCall } from "./host.ts"
import { callID, observeToolResult as observe, shownDiffs } from "./observe.ts"

const observeToolResult = (call: ToolCall) => observe(call).observations
const ended = recording.filter(({ hook }) => hook === "execute.after").map(({ event }): ToolCall => event)

/** What each recorded call that ended must give, in the order of the recording. */
const expected: readonly (readonly [tool: string, observations: readonly FileObservation[]])[] = [
  ["read", []],
  ["read", []],
  ["read", []],
  ["read", [{ path: "pic.png", tool: "read", content: undefined }]],
  ["read", [{ path: "sub/inner.ts", tool: "read", content: 'const a = "alpha"\n' }]],
  ["edit", []],
  ["write", [{ path: "src/new.ts", tool: "write", content: "export const a = 1\n" }]],
  ["edit", [{ path: "src/a.txt", tool: "edit", content: joinApart(["line4", "line four"]) }]],
  ["glob", []],
  ["grep", []],
  ["shell", []],
  ["grep", []],
  ["glob", []],
  ["shell", []],
  [
    "patch",
    [
      { path: "src/added.rs", tool: "patch", content: "fn added() {\n    unsafe { x() }\n}" },
      { path: "src/a.txt", tool: "patch", content: joinApart(["hello\nworld\nline3", "hello\nWORLD\nline3"]) },
      { path: "src/gone.rs", tool: "patch", content: undefined },
    ],
  ],
]

test("recorded calls", () => {
  expect(ended.map((call) => [call.tool, observeToolResult(call)])).toEqual(
    expected.map(([tool, observations]) => [tool, [...observations]]),
  )
})

test("recorded calls as later previews tell of them: a status, and the result alone", () => {
  for (const [index, { callID, result, output: _, ...call }] of ended.entries()) {
    const status = (result as { type: string }).type === "error" ? "error" : "completed"
    const later = { ...call, ...(callID === undefined ? {} : { id: callID }), status, result }
    expect(observeToolResult(later)).toEqual([...(expected[index]?.[1] ?? [])])
  }
})

const read = (rest: Partial<ToolCall>): ToolCall => ({ tool: "read", sessionID: "s", input: { path: "a.ts" }, ...rest })
const file = (content: string | undefined): FileObservation[] => [{ path: "a.ts", tool: "read", content }]
const part = (content: string): FileObservation[] => [{ path: "a.ts", tool: "read", content, isPart: true }]
const page = { type: "text-page", content: "seven", offset: 7, truncated: true, next: 8 }

test.each<[string, ToolCall, FileObservation[]]>([
  ["a page", read({ output: { structured: page, content: [] } }), part("seven")],
  ["a page as the result itself", read({ status: "completed", result: page }), part("seven")],
  ["a structured result", read({ status: "completed", result: { structured: page, content: [] } }), part("seven")],
  ["an empty file", read({ output: { structured: { content: "", encoding: "utf8" } } }), file("")],
  ["a binary one", read({ output: { structured: { content: "AAAA", encoding: "base64" } } }), file(undefined)],
  ["text alone", read({ result: { type: "text", value: "one\n" } }), file("one\n")],
  ["text itself", read({ result: "one\n" }), file("one\n")],
  ["no result", read({}), file(undefined)],
  ["no path", read({ input: {}, result: "one" }), []],
  ["an error by its status", read({ status: "error", result: "one" }), []],
  [
    "LSP",
    { tool: "lsp", sessionID: "s", input: { path: "a.ts" }, result: { type: "text", value: "const foo" } },
    [{ path: "a.ts", tool: "lsp", content: "const foo" }],
  ],
])("%s", (_, call, observations) => {
  expect(observeToolResult(call)).toEqual(observations)
})

test("any input and result: no throw, and only texts of paths", () => {
  const value = fc.anything()
  const tool = fc.constantFrom("read", "write", "edit", "patch", "lsp", "shell", "execute")
  fc.assert(
    fc.property(tool, value, value, value, (name, input, result, output) => {
      for (const { path } of observeToolResult({ tool: name, sessionID: "s", input, result, output })) {
        expect(typeof path).toBe("string")
      }
    }),
  )
})

test("a call is named by its id of either line, else by its tool", () => {
  expect([{ callID: "c", id: "d" }, { id: "d" }, {}].map((ids) => callID(read(ids)))).toEqual(["c", "d", "read"])
})

test("a Read of which the model may get less than the event has: its path at once, and what the next dispatch is to tell of", () => {
  const content = "line\n".repeat(300)
  const record = { kind: "text", lines: content.split("\n"), first: 1, isPage: false, isNumbered: true }
  const shown = [{ type: "text", text: "1: line" }]
  const stable = read({ id: "call_1", result: { output: { content }, content: shown } })
  expect(observe(stable)).toEqual({
    observations: [{ path: "a.ts", tool: "read", content: undefined }],
    unsure: { callID: "call_1", path: "a.ts", record: record as never, shown: "1: line" },
  })
  const july = read({ callID: "call_1", output: { structured: { content, offset: 2 }, content: shown } })
  expect(observe(july)).toEqual({
    observations: [{ path: "a.ts", tool: "read", content: undefined, isPart: true }],
    unsure: {
      ...{ callID: "call_1", path: "a.ts", shown: undefined },
      record: { ...record, first: 2, isPage: true, isNumbered: false } as never,
    },
  })
  expect(observe(read({ ...stable, status: "error" }))).toEqual({ observations: [], unsure: undefined })
})

test("what an event shows of a short Read is what counts", () => {
  const result = { output: { content: "one\ntwo\n" }, content: [{ type: "text", text: "1: one" }] }
  expect(observe(read({ result }))).toEqual({ observations: file("one"), unsure: undefined })
})

const patchText = "*** Begin Patch\n*** Add File: b.ts\n+x\n*** End Patch"

test.each<[string, ToolCall, FileObservation[]]>([
  [
    "Patch by its other name",
    read({ tool: "apply_patch", input: { patchText } }),
    [{ path: "b.ts", tool: "apply_patch", content: "x" }],
  ],
  [
    "Patch without its text",
    read({ tool: "patch", output: { content: [{ type: "text", text: "A b.ts" }] } }),
    [{ path: "b.ts", tool: "patch", content: undefined }],
  ],
  [
    "Patch without its text in what is shown first",
    read({ tool: "patch", output: {}, result: "A b.ts" }),
    [{ path: "b.ts", tool: "patch", content: undefined }],
  ],
  ["a failed one", read({ tool: "patch", input: { patchText }, result: { type: "error" } }), []],
  [
    "Write by v1's name of its path",
    read({ tool: "write", input: { filePath: "b.ts", content: "x" } }),
    [{ path: "b.ts", tool: "write", content: "x" }],
  ],
  [
    "Write by both names",
    read({ tool: "write", input: { path: "a.ts", filePath: "b.ts" } }),
    [{ path: "a.ts", tool: "write", content: undefined }],
  ],
  ["Write with an empty path", read({ tool: "write", input: { path: "", content: "x" } }), []],
  ["another tool", read({ tool: "shell", input: { path: "a.ts", content: "x" } }), []],
])("%s", (_, call, observations) => {
  expect(observeToolResult(call)).toEqual(observations)
})

test("the changes that a call shows are where its record is", () => {
  const record = (path: string) => ({ files: [{ file: path, patch: "@@" }] })
  const places = [
    { output: { structured: record("a") }, result: { output: record("b") } },
    { output: { structured: {} }, result: { output: record("b"), structured: record("c") } },
    { result: { output: {}, structured: record("c"), ...record("d") } },
    { result: record("d") },
    {},
  ]
  expect(places.map((place) => shownDiffs(read(place)).map(({ path }) => path))).toEqual([
    ["a"],
    ["b"],
    ["c"],
    ["d"],
    [],
  ])
})
