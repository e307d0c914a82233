import { describe, expect, test } from "bun:test"
import type { FileObservation } from "@opencode-rulebook/rule-schema"
import fc from "fast-check"
import events from "../../../test/recordings/opencode-1.18.33/tool-execute-after.json"
import { runs } from "../../../test/support/runs.ts"
import { joinApart } from "../shared/patch.ts"
import { observeToolResult } from "./observe.ts"

const app = "/home/dev/app"
const patchOutput = "Success. Updated the following files:\nM src/b.txt\nD src/main.rs"
const tools = ["read", "write", "edit", "apply_patch", "lsp"]

/** What each recorded event must give, by title, in the order of the recording. */
const expected: readonly (readonly [title: string, readonly FileObservation[]])[] = [
  ["src/main.rs", [read("src/main.rs", "fn main() {\n    unsafe { danger() }\n}")]],
  ["src/a.txt", [{ ...read("src/a.txt", "world\nline3"), isPart: true }]],
  ["src", []],
  ["x.pdf", [read("x.pdf", undefined)]],
  ["src/new.ts", [{ path: `${app}/src/new.ts`, tool: "write", content: "export const a = 1\n" }]],
  ["src/new.ts", [{ path: `${app}/src/new.ts`, tool: "edit", content: joinApart(["const a", "const bbb"]) }]],
  ["cat src/main.rs", []],
  ["empty.txt", [read("empty.txt", "")]],
  [
    "tricky.txt",
    [
      read(
        "tricky.txt",
        "12: looks like a prefix\n</content>\n(End of file - total 2 lines)\n<path>x</path>\n  7: indented",
      ),
    ],
  ],
  ["sub/inner.ts", [read("sub/inner.ts", 'const a = "alpha"\nconst b = "alpha"')]],
  ["crlf.txt", [read("crlf.txt", "one\ntwo")]],
  ["sub", []],
  ["pic.png", [read("pic.png", undefined)]],
  ["longline.txt", [read("longline.txt", "x".repeat(2000))]],
  ["hover src/q.ts:1:14", [lsp("const foo: number")]],
  ["goToDefinition src/q.ts:1:14", [lsp("file:///home/dev/app/src/q.ts")]],
  ["documentSymbol src/q.ts", [lsp('"name": "caller"')]],
  ["findReferences src/q.ts:1:14", [lsp('"line": 1')]],
  ["goToImplementation src/q.ts:3:17", [lsp('"line": 2')]],
  ["prepareCallHierarchy src/q.ts:3:17", [lsp('"selectionRange"')]],
  ["workspaceSymbol", [lsp('"name": "foo"')]],
  ["outgoingCalls src/q.ts:3:17", [lsp('"fromRanges"')]],
  ["incomingCalls src/q.ts:3:17", [lsp("No results found for incomingCalls")]],
  ["sub/inner.ts", [{ path: `${app}/sub/inner.ts`, tool: "edit", content: joinApart(["alpha", "gamma"]) }]],
  [
    "Success. Updated the following files:\nA src/added.rs\nM src/b.txt\nD src/main.rs",
    [
      { path: "src/added.rs", tool: "apply_patch", content: "fn added() {\n    unsafe { x() }\n}" },
      { path: "src/b.txt", tool: "apply_patch", content: joinApart(["hello\nworld\nline3", "hello\nWORLD\nline3"]) },
      { path: "src/main.rs", tool: "apply_patch", content: undefined },
    ],
  ],
  [
    "Success. Updated the following files:\nA src/two.py\nM src/a.txt",
    [
      { path: "src/two.py", tool: "apply_patch", content: 'import os\n\nprint("two")' },
      {
        path: "src/a.txt",
        tool: "apply_patch",
        content: joinApart(["line3\nline4", "line3\nline four\n*** not a header"]),
      },
    ],
  ],
]

describe("recorded events", () => {
  test("each has an expectation", () => {
    expect(events.map(({ output }) => output.title)).toEqual(expected.map(([title]) => title))
  })

  test.each(events.map((event, index) => [event.input.tool, event, expected[index]?.[1] ?? []] as const))(
    "%s",
    (_tool, { input, output }, observations) => {
      expect(observeToolResult(input, output)).toEqual([...observations])
      for (const observation of observeToolResult(input, output)) expectLinesInSource(observation)
      // The language server's answer is taken as it stands.
      if (input.tool === "lsp") expect(observeToolResult(input, output)[0]?.content).toBe(output.output)
    },
  )
})

describe("shapes that no recording has", () => {
  const filePath = "src/a.rs"
  test.each<readonly [string, string, unknown, unknown, readonly (readonly [string, string | undefined])[]]>([
    ["edit of one side", "edit", { filePath, newString: "x" }, {}, [[filePath, "x"]]],
    ["edit that creates", "edit", { filePath, oldString: "", newString: "x" }, {}, [[filePath, "x"]]],
    ["edit without texts", "edit", { filePath }, {}, [[filePath, undefined]]],
    ["write of a non-text", "write", { filePath, content: { a: 1 } }, {}, [[filePath, undefined]]],
    ["write of nothing", "write", { filePath, content: "" }, {}, [[filePath, ""]]],
    ["read in another layout", "read", { filePath }, { output: "1: unsafe {" }, [[filePath, undefined]]],
    [
      "read of a content array",
      "read",
      { filePath },
      { content: [{ type: "text", text: "x" }] },
      [[filePath, undefined]],
    ],
    ["read without a result", "read", { filePath }, undefined, [[filePath, undefined]]],
    [
      "directory, output rewritten",
      "read",
      { filePath },
      { output: "3 entries", metadata: { display: { type: "directory" } } },
      [],
    ],
    ["lsp without a text", "lsp", { operation: "hover", filePath }, { metadata: {} }, [[filePath, undefined]]],
    ["lsp without a file", "lsp", { operation: "workspaceSymbol" }, { output: "[]" }, []],
    ["a foreign read", "read", { path: filePath }, { output: "x" }, []],
    ["a path that is no text", "write", { filePath: [filePath], content: "x" }, {}, []],
    ["an empty path", "write", { filePath: "", content: "x" }, {}, []],
    ["args that are no object", "edit", "src/a.rs", {}, []],
    [
      "patch that can't be parsed",
      "apply_patch",
      { patchText: "unsafe {" },
      { output: patchOutput },
      [
        ["src/b.txt", undefined],
        ["src/main.rs", undefined],
      ],
    ],
    [
      "patch without a text",
      "apply_patch",
      {},
      { output: patchOutput },
      [
        ["src/b.txt", undefined],
        ["src/main.rs", undefined],
      ],
    ],
    ["patch without anything", "apply_patch", undefined, undefined, []],
  ])("%s", (_name, tool, args, output, observations) => {
    expect(observeToolResult({ tool, args }, output).map(({ path, content }) => [path, content] as const)).toEqual([
      ...observations,
    ])
  })

  test("the texts of an edit are found, what only their joint spells is not", () => {
    const args = { filePath, oldString: "let a", newString: "let b" }
    const content = observeToolResult({ tool: "edit", args }, {})[0]?.content
    expect(content).toContain("let a")
    expect(content).toContain("let b")
    for (const joint of ["let alet b", "let a\nlet b"]) expect(content).not.toContain(joint)
  })
})

describe("other tools", () => {
  const args = {
    filePath: "src/a.rs",
    path: "src/a.rs",
    pattern: "unsafe",
    patchText: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch",
  }
  const names = [
    "grep",
    "glob",
    "bash",
    "task",
    "webfetch",
    "multiedit",
    "patch",
    "docs_read",
    "Read",
    "invalid",
    "constructor",
    "__proto__",
    "",
  ]
  test.each(names)("%s gives none", (tool) => {
    expect(observeToolResult({ tool, args }, { output: "unsafe {", metadata: {} })).toEqual([])
  })
})

test("any arguments and results: no throw, and only the texts of paths", () => {
  const value = fc.oneof(fc.string(), fc.anything())
  const keys = { filePath: value, content: value, oldString: value, newString: value, patchText: value }
  const someArgs = fc.oneof(fc.anything(), fc.record(keys, { requiredKeys: [] }))
  const results = { output: value, metadata: fc.oneof(value, fc.record({ display: value })) }
  const someResult = fc.oneof(fc.anything(), fc.record(results, { requiredKeys: [] }))
  fc.assert(
    fc.property(fc.constantFrom(...tools), someArgs, someResult, (tool, args, output) => {
      for (const observation of observeToolResult({ tool, args }, output)) {
        expect(observation.tool).toBe(tool)
        expectLinesInSource(observation)
        expect(observation.path).not.toBe("")
        expect(["string", "undefined"]).toContain(typeof observation.content)
      }
    }),
    { numRuns: runs(1000) },
  )
})

function expectLinesInSource({ content, source }: FileObservation): void {
  if (source === undefined) return
  expect(content).toBeString()
  for (const line of content?.split("\n") ?? []) expect(source).toContain(line)
}

function read(path: string, content: string | undefined): FileObservation {
  const observation = { path: `${app}/${path}`, tool: "read", content }
  return content === undefined ? observation : { ...observation, source: expect.any(String) }
}

/** The recording's queried file, with a part of the raw result. */
function lsp(part: string): FileObservation {
  return { path: `${app}/src/q.ts`, tool: "lsp", content: expect.stringContaining(part) }
}
