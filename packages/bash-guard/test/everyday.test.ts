import { describe, expect, test } from "bun:test"
import { judge } from "../src/judge.ts"
import type { Place } from "../src/permissions/places.ts"
import { compilePermissions, type PermissionRule } from "../src/permissions/rules.ts"
import { readScript } from "../src/shell/read.ts"
import { everyday } from "./everyday.ts"

/** OpenCode's own rules, as `GET /agent` of 1.18.33 has them, and in front of the user's. */
const defaults: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "doom_loop", pattern: "*", action: "ask" },
  { permission: "external_directory", pattern: "*", action: "ask" },
]

const place: Place = {
  cwd: "/home/dev/app",
  directory: "/home/dev/app",
  worktree: "/home/dev/app",
  home: "/home/dev",
  exists: (path) => /^\/(bin|dev|etc|home|tmp|usr|var)(\/|$)/.test(path),
  isDirectory: (path) => ["/etc", "/tmp", "/home", "/home/dev", "/home/dev/app/packages/app"].includes(path),
  isInEnvironment: (name) => /^(PATH|HOME|PWD|LANG|TERM|NODE_ENV)$/.test(name),
}

function rules(bash: Readonly<Record<string, PermissionRule["action"]>>) {
  const own = Object.entries(bash).map(([pattern, action]) => ({ permission: "bash", pattern, action }))
  return compilePermissions([...defaults, ...own])
}

/** What holds all of a command line in one word that only the shell knows may be the very thing that is forbidden. */
const unknowable = ["git $CMD", '"$NODE" script.js', 'eval "$(ssh-agent -s)"', 'f() { "$@"; }; f npm test']

describe("everyday commands run unasked where the host would not ask by itself", () => {
  const permissions = rules({ "*": "allow", "rm *": "deny", "git push *": "deny", "npm publish *": "deny" })
  for (const command of everyday.filter((text) => !unknowable.includes(text))) {
    test(JSON.stringify(command), () => {
      const verdict = judge(readScript(command), permissions, place)
      expect(verdict.byHost ? [] : verdict.reasons).toEqual([])
    })
  }
})

test("a command line in a variable asks where something is forbidden", () => {
  const permissions = rules({ "*": "allow", "git push *": "deny" })
  for (const command of unknowable) expect(judge(readScript(command), permissions, place).kind).toBe("ask")
})
