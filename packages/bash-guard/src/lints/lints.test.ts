import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { SourcedRule } from "../opencode/rules.ts"
import type { Place } from "../permissions/places.ts"
import { compileWildcard, matchesWildcard } from "../permissions/wildcard.ts"
import { findEvaded } from "./evaded.ts"
import { describeFinding } from "./finding.ts"
import { findNeverMatching, whyNever } from "./never.ts"
import { findShadowed, isCovered } from "./shadowed.ts"

const place: Place = {
  cwd: "/p",
  directory: "/p",
  worktree: "/p",
  home: "/home/dev",
  exists: () => false,
  isInEnvironment: () => false,
  isDirectory: () => false,
}

function bash(
  rules: Readonly<Record<string, SourcedRule["action"]>>,
  scope: SourcedRule["scope"] = "user",
): SourcedRule[] {
  return Object.entries(rules).map(([pattern, action], index) => {
    return { permission: "bash", pattern, action, scope, origin: { file: "opencode.json", line: index + 4 } }
  })
}

describe("patterns without effect", () => {
  test("stand in front of one that matches all they do: said once, with the remedy", () => {
    const findings = findShadowed(bash({ "rm *": "deny", "git push *": "ask", "*": "allow" }))
    expect(findings.map(describeFinding)).toEqual([
      "opencode.json:4: the bash patterns `rm *` (deny), `git push *` (ask) have no effect, because `*` (allow) stands behind them and the last pattern that matches wins; put `*` in front of them.",
    ])
  })

  const rows: readonly [name: string, rules: Readonly<Record<string, SourcedRule["action"]>>, count: number][] = [
    ["the order that OpenCode wants", { "*": "allow", "rm *": "deny" }, 0],
    ["a narrower one behind", { "git *": "deny", "git log *": "allow" }, 0],
    ["a wider one behind", { "git log *": "allow", "git *": "deny" }, 1],
    ["with the same effect", { "rm -rf *": "deny", "rm *": "deny", "x *": "ask" }, 0],
    ["everything, replaced", { "*": "ask", "**": "allow" }, 0],
    ["`ls *` matches `ls` too", { ls: "deny", "ls *": "allow" }, 1],
    ["but not the other way round", { "ls *": "deny", ls: "allow" }, 0],
    ["`?` needs a character", { "a*": "deny", "a?*": "allow" }, 0],
  ]
  for (const [name, rules, count] of rows) {
    test(name, () => {
      expect(findShadowed(bash(rules))).toHaveLength(count)
    })
  }

  test("an agent's rules stand behind the user's on purpose, and OpenCode's own are nobody's mistake", () => {
    const rules = [
      ...bash({ "x *": "deny", "y *": "ask" }, "default"),
      ...bash({ "rm *": "deny" }),
      ...bash({ "*": "allow" }, "agent"),
    ]
    expect(findShadowed(rules)).toEqual([])
  })

  test("a wildcard key counts as bash", () => {
    const any: SourcedRule = { permission: "*", pattern: "*", action: "allow", scope: "user", origin: undefined }
    expect(findShadowed([...bash({ "rm *": "deny" }), any])).toHaveLength(1)
  })

  test("what is covered is matched", () => {
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", " ", "*", "?"), maxLength: 6 })
    const filling = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 4 })
    fc.assert(
      fc.property(pattern, pattern, filling, (narrow, wide, text) => {
        if (!isCovered(narrow, wide)) return
        const filled = narrow.replaceAll("*", text).replaceAll("?", "b")
        expect(matchesWildcard(filled, compileWildcard(wide))).toBe(true)
      }),
    )
  })
})

describe("patterns that never match", () => {
  const never = [
    "",
    " rm *",
    "rm ",
    "# rm",
    "! rm *",
    "a && b *",
    "a | b",
    "a; b",
    "npm start &",
    "Bash(rm:*)",
    "rm:*",
    "git push:*",
    "^rm .*$",
    "rm\\s+-rf",
  ]
  const may = [
    "*",
    "rm *",
    "rm -rf *",
    "npm run test:*",
    'git commit -m "a && b"',
    "FOO=1 npm *",
    "ls > *",
    "./x.sh",
    "cd *",
    "a*b?c",
    "echo $*",
    "[ *",
  ]
  for (const pattern of never) test(JSON.stringify(pattern), () => expect(whyNever(pattern)).toBeDefined())
  for (const pattern of may) test(`${JSON.stringify(pattern)} may`, () => expect(whyNever(pattern)).toBeUndefined())

  test("are named with file, line, reason and remedy", () => {
    expect(findNeverMatching(bash({ "rm:*": "deny" })).map(describeFinding)).toEqual([
      "opencode.json:4: the bash pattern `rm:*` (deny) never matches: `:*` is not a wildcard of OpenCode; write `rm *`.",
    ])
  })
})

describe("denials that need the guard", () => {
  test("are those that a wrapper or an option gets round on the host alone", () => {
    const findings = findEvaded(bash({ "*": "allow", "rm -rf *": "deny", "git push *": "deny" }), place)
    const texts = findings.map(({ message }) => message)
    expect(texts[0]).toContain("`timeout 5 rm -rf x`")
    expect(texts[1]).toContain("`timeout 5 git push x`")
    expect(findings.map(({ severity }) => severity)).toEqual(["note", "note"])
  })

  test("and none where the host asks or denies by itself", () => {
    expect(findEvaded(bash({ "*": "ask", "rm *": "deny" }), place)).toEqual([])
    expect(findEvaded(bash({ "*": "deny", "ls *": "allow" }), place)).toEqual([])
  })
})
