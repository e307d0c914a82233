import { describe, expect, test } from "bun:test"
import type { Place } from "../permissions/places.ts"
import type { PermissionRule } from "../permissions/rules.ts"
import { checkCases } from "./check-cases.ts"
import { readLayer } from "./settings.ts"

const place: Place = {
  cwd: "/p",
  directory: "/p",
  worktree: "/p",
  home: "/home/dev",
  exists: () => false,
  isInEnvironment: () => false,
  isDirectory: () => false,
}

const rules: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "bash", pattern: "*", action: "ask" },
  { permission: "bash", pattern: "git *", action: "allow" },
  { permission: "bash", pattern: "git push *", action: "deny" },
  { permission: "edit", pattern: "*.lock", action: "deny" },
]

function failures(cases: string): readonly string[] {
  const layer = readLayer(`{\n"cases": [\n${cases}\n]}`, "guard.jsonc")
  expect(layer.warnings).toEqual([])
  const failed = checkCases(
    layer.cases,
    (agent) => (agent === undefined || agent === "build" ? rules : undefined),
    place,
  )
  return failed.map(({ origin, message, remedy }) => `${origin.file}:${origin.line}: ${message}; ${remedy}.`)
}

describe("cases", () => {
  test("that are as expected say nothing", () => {
    expect(
      failures(`
        { "pattern": "git push *", "match": ["git push", "git -C . push", "git log && git push"], "notMatch": ["git log"] },
        { "action": "deny", "match": ["git push", "git log > a.lock"], "notMatch": ["npm test"] },
        { "action": "ask", "agent": "build", "match": ["npm test"] },
        { "pattern": "*.lock", "match": ["git log > a.lock"] },
        { "action": "allow", "match": ["git status && git log"] }`),
    ).toEqual([])
  })

  test("that are not say file, line, case, expected, got and remedy, each once", () => {
    expect(
      failures(`{ "pattern": "git push *", "match": [
        "git log"],
        "notMatch": ["git push"] },
        { "action": "allow", "match": ["npm test"] },
        { "pattern": "*.lock", "notMatch": ["git log > a.lock"] },
        { "action": "ask", "match": ["git log; git status; git log"], "notMatch": ["npm test; $x", "git log"] },
        { "pattern": "ls *", "match": ["git log; git $x"] }`),
    ).toEqual([
      "guard.jsonc:4: the case `git log` must match the pattern `git push *`; got: allow, by `git *`; correct the permissions of OpenCode, or the case.",
      "guard.jsonc:5: the case `git push` must not match the pattern `git push *`; got: deny: `git push` is forbidden by the bash permission pattern `git push *`. Nothing was run.; correct the permissions of OpenCode, or the case.",
      'guard.jsonc:6: the case `npm test` must end in "allow"; got: ask: `npm test`: the bash pattern `*`; correct the permissions of OpenCode, or the case.',
      "guard.jsonc:7: the case `git log > a.lock` must not match the pattern `*.lock`; got: deny: `> a.lock` is forbidden by the edit permission pattern `*.lock`. Nothing was run.; correct the permissions of OpenCode, or the case.",
      'guard.jsonc:8: the case `git log; git status; git log` must end in "ask"; got: allow, by `git *`; correct the permissions of OpenCode, or the case.',
      'guard.jsonc:8: the case `npm test; $x` must not end in "ask"; got: ask: `npm test`: the bash pattern `*`; correct the permissions of OpenCode, or the case.',
      "guard.jsonc:9: the case `git log; git $x` must match the pattern `ls *`; got: ask: `git $x`: it may match the bash pattern `git push *`; correct the permissions of OpenCode, or the case.",
    ])
  })

  test("say that the guard is off where every shell command is allowed", () => {
    const { cases } = readLayer('{ "cases": [{ "action": "deny", "match": ["cd x; ls"] }] }', "f")
    const failed = checkCases(cases, () => [{ permission: "*", pattern: "*", action: "allow" }], place)
    expect(failed).toEqual([
      {
        origin: { file: "f", line: 1 },
        message:
          'the case `cd x; ls` must end in "deny"; got: allow, by `(a folder change or a test)`, `*` (the guard is off: every shell command is allowed)',
        remedy: "correct the permissions of OpenCode, or the case",
      },
    ])
  })

  test("for an agent that there isn't are failed", () => {
    expect(failures('{ "action": "ask", "agent": "nobody", "match": ["npm test"] }')).toEqual([
      'guard.jsonc:3: the case `npm test` is for the agent "nobody", which OpenCode does not have; name one that it has.',
    ])
  })
})

test("each command of an entry is a case, with its line", () => {
  const { cases, warnings } = readLayer(
    `{ "cases": [
      { "notMatch": ["b"], "match": ["a",
        "c"], "pattern": "x *" },
      { "action": "deny", "agent": "own", "notMatch": ["d"] }, { "action": "ask", "match": [] }
    ] }`,
    "f",
  )
  const pattern = { kind: "pattern", pattern: "x *" } as const
  expect(warnings).toEqual([])
  expect(cases).toEqual([
    { command: "a", expectation: pattern, matches: true, agent: undefined, origin: { file: "f", line: 2 } },
    { command: "c", expectation: pattern, matches: true, agent: undefined, origin: { file: "f", line: 3 } },
    { command: "b", expectation: pattern, matches: false, agent: undefined, origin: { file: "f", line: 2 } },
    {
      command: "d",
      expectation: { kind: "action", action: "deny" },
      matches: false,
      agent: "own",
      origin: { file: "f", line: 4 },
    },
  ])
})

describe("what is no case is a warning, and the others are read", () => {
  const noCase =
    'f:2: a case must be { "pattern" or "action", "match": [commands], "notMatch": [commands], "agent"? }; it is not checked until it is.'
  const rows: readonly [entry: string, warning: string, read: readonly string[]][] = [
    ['"git log"', noCase, []],
    ["null", noCase, []],
    ['{ "match": ["a"] }', noCase, []],
    ['{ "pattern": "a", "action": "ask", "match": ["a"] }', noCase, []],
    ['{ "pattern": "a", "action": "no", "match": ["a"] }', noCase, []],
    ['{ "pattern": 3, "action": "ask", "match": ["a"] }', noCase, []],
    ['{ "action": "maybe", "match": ["a"] }', noCase, []],
    ['{ "action": "ask" }', noCase, []],
    ['{ "action": "ask", "match": "a" }', noCase, []],
    ['{ "action": "ask", "match": ["a"], "notMatch": "b" }', noCase, []],
    ['{ "action": "ask", "match": ["a", 3] }', noCase, []],
    ['{ "action": "ask", "match": ["a"], "agent": 3 }', noCase, []],
    [
      '{ "action": "ask", "match": ["a"], "not_match": ["b"] }',
      'f:2: unknown key "not_match" in a case; known here: pattern, action, agent, match, notMatch.',
      ["a"],
    ],
  ]
  for (const [entry, warning, read] of rows) {
    test(entry, () => {
      const layer = readLayer(`{ "cases": [{ "action": "ask", "match": ["x"] },\n${entry}] }`, "f")
      expect(layer.warnings).toEqual([warning])
      expect(layer.cases.map(({ command }) => command)).toEqual(["x", ...read])
    })
  }

  test("a list that is none", () => {
    expect(readLayer('{\n"cases": {} }', "f")).toEqual({
      settings: {},
      cases: [],
      warnings: ['f:2: "cases" is not a list; no case is checked until it is.'],
    })
  })
})
