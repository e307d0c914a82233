import { describe, expect, test } from "bun:test"
import type { Case } from "./case.ts"
import { readCases } from "./read.ts"

const NOTHING: Omit<Case, "name" | "line"> = {
  ...{ prompt: undefined, command: undefined, agent: undefined, model: undefined, branch: undefined, os: undefined },
  ...{ ci: undefined, project: undefined, tools: undefined, session: undefined, read: [], writes: [], calls: [] },
  ...{ delivered: [], notDelivered: [], blocked: [], held: [], refused: [], forbidden: [] },
}
const named = (...rules: readonly string[]) => rules.map((rule) => ({ rule, when: undefined }))

function casesIn(text: string): readonly Case[] {
  const { cases, problems } = readCases("/app/x.cases.yaml", text)
  expect(problems).toEqual([])
  return cases
}

test("all that a case can say", () => {
  const text = `# Ours
- case: The first
  prompt: |
    deploy it
    at once
  command: /ship
  agent: "plan"
  model: a/b
  branch: 1.10
  os: linux
  ci: false
  project: [go, 5]
  tools: mcp_x
  session: ../s.json
  read: { src/a.rs: "unsafe { }", 1.txt: 2 }
  writes: { src/b.rs: x, 'c d.rs': '' }
  calls:
    - bash: { command: git push, timeout: 5 }
    - edit: {}
  expect:
    delivered: { one: first-request, two.md: after-file, web/three: after-call }
    notDelivered: [four, 5]
    blocked: six
    held: [seven]
    refused: [eight]
    forbidden: [nine]

- { case: The second, read: [a.rs, b.rs], calls: { bash: { command: ls } }, expect: { delivered: [a, b] } }
- { case: 3, read: a.rs, expect: { forbidden: a } }
`
  expect(casesIn(text)).toEqual([
    {
      ...{ name: "The first", line: 2, prompt: "deploy it\nat once\n", command: "/ship", agent: "plan", model: "a/b" },
      ...{ branch: "1.10", os: "linux", ci: false, project: ["go", "5"], tools: ["mcp_x"], session: "../s.json" },
      read: [
        { path: "src/a.rs", text: "unsafe { }" },
        { path: "1.txt", text: "2" },
      ],
      writes: [
        { path: "src/b.rs", text: "x" },
        { path: "c d.rs", text: "" },
      ],
      calls: [
        { tool: "bash", args: { command: "git push", timeout: 5 } },
        { tool: "edit", args: {} },
      ],
      delivered: [
        { rule: "one", when: "first-request" },
        { rule: "two.md", when: "after-file" },
        { rule: "web/three", when: "after-call" },
      ],
      ...{ notDelivered: named("four", "5"), blocked: named("six"), held: named("seven"), refused: named("eight") },
      forbidden: named("nine"),
    },
    {
      ...{ ...NOTHING, name: "The second", line: 28, delivered: named("a", "b") },
      read: [
        { path: "a.rs", text: undefined },
        { path: "b.rs", text: undefined },
      ],
      calls: [{ tool: "bash", args: { command: "ls" } }],
    },
    { ...NOTHING, name: "3", line: 29, read: [{ path: "a.rs", text: undefined }], forbidden: named("a") },
  ])
})

test.each([
  ["below a key", "cases:\n  - { case: A, ci: true, expect: { held: [x] } }\n", 2],
  ["behind a byte-order mark", "\uFEFF- { case: A, ci: true, expect: { held: [x] } }\n", 1],
  ["with the line ends of Windows", "# x\r\n\r\n- { case: A, ci: true, expect: { held: [x] } }\r\n", 3],
])("the list may be %s", (_what, text, line) => {
  expect(casesIn(text)).toEqual([{ ...NOTHING, name: "A", line, ci: true, held: named("x") }])
})

test("a byte-order mark in a text stays there", () => {
  const [one] = casesIn("- { case: A, read: { a.rs: x\uFEFFy }, expect: { held: [x] } }")
  expect(one?.read).toEqual([{ path: "a.rs", text: "x\uFEFFy" }])
})

test("a list may be empty", () => {
  expect(readCases("/app/x.cases.yaml", "[]")).toEqual({
    path: "/app/x.cases.yaml",
    text: "[]",
    cases: [],
    problems: [],
  })
})

const EXAMPLE =
  "Write for example `- case: A test is read`, `  read: { a.test.ts: text }`, `  expect: { delivered: [tests] }`"
const CASE_KEYS =
  "The keys are case, prompt, command, agent, model, branch, os, session, ci, project, tools, read, writes, calls, expect"
const EXPECT_KEYS = "delivered, notDelivered, blocked, held, refused, forbidden"
const NO_TEXT = (key: string) => `Write text after \`${key}:\`, in quotes if necessary`
const NO_CALL = ["is not a tool's name with its arguments", "Write `calls: [{ bash: { command: git push } }]`"] as const
const NO_MOMENT = ["is not a moment", "Write one of first-request, after-file, after-call"] as const
const NO_FILE = (key: string) => {
  return ["is not a path with the text of that file", `Write \`${key}: { src/a.rs: "unsafe {" }\``] as const
}

describe("what is wrong is said with its place, and the other cases stay", () => {
  test.each<[text: string, place: string, field: string | undefined, reason: string, remedy: string]>([
    ["", "1:1", undefined, "there is no list of cases in the file", EXAMPLE],
    ["hello", "1:1", undefined, "there is no list of cases in the file", EXAMPLE],
    ["cases: x", "1:1", undefined, "there is no list of cases in the file", EXAMPLE],
    ["- prompt: x", "1:3", "case", "the case has no name", EXAMPLE],
    ["\n- hello", "2:3", undefined, "a case is a mapping", EXAMPLE],
    ["- case: It\n  promt: x", "2:3", "promt", "is not a key of a case", CASE_KEYS],
    ["- case: It\n  ? [a]\n  : x", "2:5", "", "is not a key of a case", CASE_KEYS],
    [
      "- case: It\n  expect: { deliverd: [a] }",
      "2:13",
      "expect.deliverd",
      "is not a key of a case",
      `The keys are ${EXPECT_KEYS}`,
    ],
    [
      "- case: It\n  prompt: x",
      "1:3",
      "expect",
      "the case expects nothing",
      `Write \`expect:\` with one of ${EXPECT_KEYS}`,
    ],
    [
      "- case: It\n  expect: [a]",
      "1:3",
      "expect",
      "the case expects nothing",
      `Write \`expect:\` with one of ${EXPECT_KEYS}`,
    ],
    [
      "- case: It\n  expect: { held: [] }",
      "2:11",
      "expect",
      "the case expects nothing",
      `Name a rule below one of ${EXPECT_KEYS}`,
    ],
    ["- case: [It]", "1:9", "case", "is not text", NO_TEXT("case")],
    ["- case: It\n  prompt:\n  agent: x", "2:10", "prompt", "is not text", NO_TEXT("prompt")],
    ["- case: It\n  session: ' '", "2:12", "session", "is not text", NO_TEXT("session")],
    [
      "- case: It\n  expect: { held: [a] }\n  ci: maybe",
      "3:7",
      "ci",
      "is neither true nor false",
      "Write `ci: true` or `ci: false`",
    ],
    [
      "- case: It\n  expect: { held: [a] }\n  ci: [true]",
      "3:7",
      "ci",
      "is neither true nor false",
      "Write `ci: true` or `ci: false`",
    ],
    [
      "- case: It\n  expect: { held: [a] }\n  project: [a, [b]]",
      "3:16",
      "project",
      "is not text or a list of texts",
      "Write `project: [one, another]`",
    ],
    [
      "- case: It\n  expect: { held: [a] }\n  tools: [~]",
      "3:11",
      "tools",
      "is not text or a list of texts",
      "Write `tools: [one, another]`",
    ],
    ["- case: It\n  expect: { held: [a] }\n  read: { a.rs: [1] }", "3:17", "read", ...NO_FILE("read")],
    ["- case: It\n  expect: { held: [a] }\n  read: { ? [a] : x }", "3:19", "read", ...NO_FILE("read")],
    ["- case: It\n  expect: { held: [a] }\n  writes: { a.rs: ~ }", "3:19", "writes", ...NO_FILE("writes")],
    ["- case: It\n  expect: { held: [a] }\n  writes: [a.rs]", "3:11", "writes", ...NO_FILE("writes")],
    ["- case: It\n  expect: { held: [a] }\n  calls: [bash]", "3:11", "calls", ...NO_CALL],
    ["- case: It\n  expect: { held: [a] }\n  calls: bash", "3:10", "calls", ...NO_CALL],
    ["- case: It\n  expect: { held: [a] }\n  calls: [{ bash: {}, edit: {} }]", "3:11", "calls", ...NO_CALL],
    ["- case: It\n  expect: { held: [a] }\n  calls: [{ bash: ls }]", "3:11", "calls", ...NO_CALL],
    ["- case: It\n  expect: { held: [a] }\n  calls: [{ ? [a] : {} }]", "3:11", "calls", ...NO_CALL],
    ["- case: It\n  expect: { delivered: { a: soon } }", "2:29", "expect.delivered", ...NO_MOMENT],
    ["- case: It\n  expect: { delivered: { a } }", "2:26", "expect.delivered", ...NO_MOMENT],
    ["- case: It\n  expect: { delivered: { ? [a] : after-file } }", "2:34", "expect.delivered", ...NO_MOMENT],
    [
      "- case: It\n  expect: { held: { a: after-file } }",
      "2:19",
      "expect.held",
      "has no moments",
      "Write `held: [rule]`",
    ],
  ])("%p", (text, place, field, reason, remedy) => {
    const [line, column] = place.split(":").map(Number)
    const { cases, problems } = readCases("/app/x.cases.yaml", text)
    expect(cases).toEqual([])
    expect(problems).toEqual([
      { severity: "error", code: "bad-case", file: "/app/x.cases.yaml", line, column, field, reason, remedy } as never,
    ])
  })

  test("what is not YAML is one problem", () => {
    const { cases, problems } = readCases("/app/x.cases.yaml", "- case: It\n  expect: { held: [a] }\n- 'a\n- [b\n")
    expect(cases).toEqual([])
    expect(problems).toEqual([
      {
        ...{ severity: "error", code: "bad-case", file: "/app/x.cases.yaml", line: 5, column: 1, field: undefined },
        reason: expect.stringMatching(/^not valid YAML: [^\n]+$/),
        remedy: "Put texts with special characters in quotes",
      },
    ])
  })

  test("a path alone is not a file to write", () => {
    const { problems } = readCases("/app/x.cases.yaml", "- case: It\n  expect: { held: [a] }\n  writes: a.rs")
    expect(problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([[3, 11, NO_FILE("writes")[0]]])
  })

  test("the cases around it are read", () => {
    const good = (name: string) => `- { case: ${name}, expect: { held: [x] } }`
    const { cases, problems } = readCases(
      "/x.cases.yaml",
      [good("A"), "- x", good("B"), "- case: y", good("C")].join("\n"),
    )
    expect(cases.map(({ name, line }) => [name, line])).toEqual([
      ["A", 1],
      ["B", 3],
      ["C", 5],
    ])
    expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "a case is a mapping"],
      [4, "the case expects nothing"],
    ])
  })
})
