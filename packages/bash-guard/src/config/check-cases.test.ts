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
        { "action": "allow", "match": ["npm test"] }`),
    ).toEqual([
      "guard.jsonc:4: the case `git log` must match the pattern `git push *`; got: allow, by `git *`; correct the permissions of OpenCode, or the case.",
      "guard.jsonc:5: the case `git push` must not match the pattern `git push *`; got: deny: `git push` is forbidden by the bash permission pattern `git push *`. Nothing was run.; correct the permissions of OpenCode, or the case.",
      'guard.jsonc:6: the case `npm test` must end in "allow"; got: ask: `npm test`: the bash pattern `*`; correct the permissions of OpenCode, or the case.',
    ])
  })

  test("for an agent that there isn't are failed", () => {
    expect(failures('{ "action": "ask", "agent": "nobody", "match": ["npm test"] }')).toEqual([
      'guard.jsonc:3: the case `npm test` is for the agent "nobody", which OpenCode does not have; name one that it has.',
    ])
  })
})

describe("what is no case is a warning, and the others are read", () => {
  const rows: readonly [text: string, warning: string][] = [
    ['{ "cases": {} }', '"cases" is not a list'],
    ['{ "cases": ["git log"] }', "a case must be"],
    ['{ "cases": [{ "pattern": "a", "action": "ask", "match": ["a"] }] }', "a case must be"],
    ['{ "cases": [{ "action": "maybe", "match": ["a"] }] }', "a case must be"],
    ['{ "cases": [{ "action": "ask" }] }', "a case must be"],
    ['{ "cases": [{ "action": "ask", "match": "a" }] }', "a case must be"],
    ['{ "cases": [{ "action": "ask", "match": ["a"], "not_match": ["b"] }] }', 'unknown key "not_match"'],
  ]
  for (const [text, warning] of rows) {
    test(text, () => {
      const layer = readLayer(text.replace('"cases": [', '"cases": [{ "action": "ask", "match": ["x"] }, '), "f")
      expect(layer.warnings).toEqual([expect.stringContaining(warning)])
      if (text.includes("[")) expect(layer.cases.map(({ command }) => command)).toContain("x")
    })
  }
})
