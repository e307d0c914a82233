import { describe, expect, test } from "bun:test"
import { judge } from "../src/judge.ts"
import type { Place } from "../src/permissions/places.ts"
import { type Action, compilePermissions } from "../src/permissions/rules.ts"
import { readScript } from "../src/shell/read.ts"
import cases from "./cases.json"

/**
 * Commands of which real bash 5.2, with recorder stubs for all programs, showed what they run: `cases.json` has the right
 * verdict under an allow-list, and under "allow everything but". A stricter one is no fault here; a looser one is a hole.
 */
const strictness: Readonly<Record<Action, number>> = { allow: 0, ask: 1, deny: 2 }

const place: Place = {
  cwd: "/home/dev/app",
  directory: "/home/dev/app",
  worktree: "/home/dev/app",
  home: "/home/dev",
  exists: () => true,
  isDirectory: () => false,
  isInEnvironment: (name) => ["PATH", "HOME", "PWD"].includes(name),
}

function isAction(text: string): text is Action {
  return text in strictness
}

function permissionsOf(patterns: Readonly<Record<string, string>>) {
  const rules = Object.entries(patterns).map(([pattern, action]) => {
    if (!isAction(action)) throw new Error(`no action: ${action}`)
    return { permission: "bash", pattern, action }
  })
  return compilePermissions([{ permission: "*", pattern: "*", action: "allow" }, ...rules])
}

for (const list of ["allowList", "denyList"] as const) {
  const permissions = permissionsOf(cases[list])
  describe(`no command is judged too loosely under the ${list}`, () => {
    for (const row of cases.cases) {
      const right = [row[list], ...row[`${list}Also`]].filter(isAction)
      const least = Math.min(...right.map((action) => strictness[action]))
      test(JSON.stringify(row.command), () => {
        const { kind } = judge(readScript(row.command), permissions, place)
        expect(strictness[kind]).toBeGreaterThanOrEqual(least)
      })
    }
  })
}
