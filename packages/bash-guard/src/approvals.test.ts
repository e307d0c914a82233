import { describe, expect, test } from "bun:test"
import { createApprovals, lastingPatterns } from "./approvals.ts"
import { setBounded } from "./bounded-map.ts"
import { defaults } from "./config/settings.ts"
import { decide } from "./guard.ts"
import type { Place } from "./permissions/places.ts"
import type { PermissionRule } from "./permissions/rules.ts"
import type { Reason } from "./reasons.ts"

const place: Place = {
  cwd: "/p",
  directory: "/p",
  worktree: "/p",
  home: "/home/dev",
  exists: (path) => path === "/etc",
  isInEnvironment: () => false,
  isDirectory: () => false,
}

const rules: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "bash", pattern: "*", action: "ask" },
  { permission: "bash", pattern: "npm publish *", action: "deny" },
  { permission: "external_directory", pattern: "*", action: "ask" },
  { permission: "edit", pattern: "*", action: "ask" },
]

describe("what was approved for good", () => {
  const rows: readonly [command: string, kind: "run" | "ask" | "reject"][] = [
    ["npm test -- b", "run"],
    ["npm test && npm test -- c", "run"],
    ["npm test && other", "ask"],
    ["npm tests", "ask"],
    ["eval 'npm test'", "run"],
    ["eval 'other'", "ask"],
    ["npm publish", "reject"],
    ["npm test; npm publish", "reject"],
    ["npm $x", "ask"],
    ["npm test /etc/hosts", "run"],
    ["npm test > src/a", "run"],
    ["npm test > b", "ask"],
  ]
  for (const [command, kind] of rows) {
    test(`${command}: ${kind}`, () => {
      const approvals = createApprovals()
      for (const [permission, pattern] of [
        ["bash", "npm test *"],
        ["bash", "npm $*"],
        ["bash", "eval *"],
        ["external_directory", "/etc/*"],
        ["edit", "src/*"],
      ] as const) {
        approvals.add(permission, pattern)
      }
      expect(decide(command, rules, place, defaults).kind).toBe(kind === "reject" ? "reject" : "ask")
      expect(decide(command, rules, place, defaults, approvals.allows).kind).toBe(kind)
    })
  }
})

describe("the pattern that lasts for a command which another one starts", () => {
  const rows: readonly [command: string, pattern: string | undefined][] = [
    ["npm test -- a", "npm test *"],
    ["npm run build -- a", "npm run build *"],
    ["git -C . status", "git -C *"],
    ["deploy now", "deploy *"],
    ["./scripts/a.sh", "./scripts/a.sh *"],
    ["docker compose up -d", "docker compose up *"],
    ["git", "git *"],
    ["npm  test\n-- a", "npm test *"],
    ["git stash pop x", "git stash pop *"],
    ["make 'a b'", undefined],
    ["make a 'b'", "make a *"],
    ["deploy 'b'", "deploy *"],
    ["npm run 'b'", undefined],
    ["npm run", "npm run *"],
    ["test exec a", "test *"],
    ["a@b:c%d+e,f~g-h./i now", "a@b:c%d+e,f~g-h./i *"],
    ["$x a", undefined],
    ["X=1 deploy", undefined],
    ["git '*' a", undefined],
    ["a* b", undefined],
    ["'deploy' now", undefined],
    ["", undefined],
  ]
  for (const [command, pattern] of rows) {
    test(JSON.stringify(command), () => {
      const reason: Reason = {
        kind: "pattern",
        action: "ask",
        text: command,
        form: command,
        pattern: "*",
        certainty: "certain",
      }
      expect(lastingPatterns([reason]).map((lasting) => lasting.pattern)).toEqual(
        pattern === undefined ? [] : [pattern],
      )
    })
  }
})

test("an always answer approves a folder, and the form of a command that a pattern matched; nothing that is not known", () => {
  const reasons: readonly Reason[] = [
    { kind: "pattern", action: "ask", text: "\\deploy a", form: "deploy a", pattern: "deploy *", certainty: "certain" },
    { kind: "pattern", action: "ask", text: "git $x", form: "git $x", pattern: "git push *", certainty: "possible" },
    { kind: "file", action: "ask", permission: "external_directory", text: "/etc/*", pattern: "*" },
    { kind: "file", action: "ask", permission: "edit", text: "> a", pattern: "*" },
    { kind: "doubt", text: "$x", why: "unknown" },
  ]
  expect(lastingPatterns(reasons)).toEqual([
    { permission: "bash", pattern: "deploy *", text: "deploy a" },
    { permission: "external_directory", pattern: "/etc/*", text: "/etc/*" },
  ])
})

test("a bounded map drops the entry that was set longest ago", () => {
  const map = new Map<string, number>()
  setBounded(map, "a", 1, 2)
  setBounded(map, "b", 2, 2)
  setBounded(map, "a", 3, 2)
  setBounded(map, "c", 4, 2)
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ])
})
