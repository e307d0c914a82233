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
    ["`*` may be longer than there are `?`", { "aa*b": "deny", "*a?b": "allow" }, 0],
    ["the last one counts", { "rm *": "deny", "*": "allow", "**": "deny" }, 0],
    ["a word for nearly everything", { "*x": "deny", "*": "allow" }, 1],
    ["a word for everything with a beginning", { "x*": "deny", "*": "allow" }, 1],
    ["everything is wider than much", { "**": "ask", "x*": "allow" }, 0],
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
    expect(findShadowed([...bash({ "rm *": "deny" }), any])).toEqual([
      {
        kind: "no-effect",
        severity: "error",
        origin: { file: "opencode.json", line: 4 },
        message:
          "the bash pattern `rm *` (deny) has no effect, because `*` (allow) stands behind it and the last pattern that matches wins",
        remedy: "put `*` in front of it",
      },
    ])
    expect(findShadowed([...bash({ "rm *": "deny" }), { ...any, permission: "edit" }])).toEqual([])
  })

  test("are said for each pattern that stands behind, the last one where several do", () => {
    const findings = findShadowed(bash({ "a x": "deny", "b x": "deny", "a *": "ask", "b *": "ask", "a**": "allow" }))
    expect(findings.map(({ message, origin }) => [origin?.line, message.split(",")[0]])).toEqual([
      [4, "the bash patterns `a x` (deny)"],
      [5, "the bash pattern `b x` (deny) has no effect"],
    ])
    expect(findings[0]?.message).toContain("`a x` (deny), `a *` (ask) have no effect, because `a**` (allow)")
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
  const remove = "correct it, or remove it"
  const each = "write a pattern for each"
  const isTool = "it names a tool, which is the key around it here"
  const isColon = "`:*` is not a wildcard of OpenCode"
  const isExpression = "it is written as a regular expression, and here only `*` and `?` are wildcards"
  const never: readonly (readonly [pattern: string, reason: string, remedy: string])[] = [
    ["", "it is empty", remove],
    [" \t", "it is empty", remove],
    [" rm *", "commands have no whitespace around them", "write `rm *`"],
    ["rm ", "commands have no whitespace around them", "write `rm`"],
    ["# rm", "what begins with `#` is a comment", remove],
    ["#rm", "what begins with `#` is a comment", remove],
    ["! rm *", "`!` is not part of a command, and no sign negates a pattern", remove],
    ["a && b *", "it holds 2 commands, and each is compared by itself", each],
    ["a | b", "it holds 2 commands, and each is compared by itself", each],
    ["a; b || c*", "it holds 3 commands, and each is compared by itself", each],
    ["npm start &", "the operator at its end is not part of a command", remove],
    ["ls *;", "the operator at its end is not part of a command", remove],
    ["Bash(rm:*)", isTool, "write `rm *`"],
    ["shell(git push)", isTool, "write `git push`"],
    ["rm:*", isColon, "write `rm *`"],
    ["apt-get:*", isColon, "write `apt-get *`"],
    ["git push:*", isColon, "write `git push *`"],
    ["docker compose up:*", isColon, "write `docker compose up *`"],
    ["^rm .*$", isExpression, remove],
    ["rm\\s+-rf", isExpression, remove],
    ["rm -rf \\w+", isExpression, remove],
  ]
  const may = [
    "*",
    "rm *",
    "rm -rf *",
    "npm run test:*",
    "git push x:*y",
    "git log :/fix:*:",
    "!x *",
    "x# *",
    "x^ *",
    "runBash(x)",
    "Bash(x) y",
    'git commit -m "a && b"',
    "echo 'a; b'",
    "FOO=1 npm *",
    "ls > *",
    "./x.sh",
    "cd *",
    "a*b?c",
    "echo $*",
    "echo `a; b`",
    "a\\;b; c",
    "[ *",
    "timeout 5 rm *",
    "diff <(a) *",
    "( a; b",
  ]
  for (const [pattern, reason, remedy] of never)
    test(JSON.stringify(pattern), () => expect(whyNever(pattern)).toEqual({ reason, remedy }))
  for (const pattern of may) test(`${JSON.stringify(pattern)} may`, () => expect(whyNever(pattern)).toBeUndefined())

  test("are named with file, line, reason and remedy; those of others are nobody's mistake", () => {
    const rules: readonly SourcedRule[] = [
      ...bash({ "rm:*": "ask" }, "default"),
      { permission: "edit", pattern: "", action: "deny", scope: "user", origin: undefined },
      ...bash({ "ls *": "allow", "rm:*": "deny" }),
      { permission: "b*", pattern: "", action: "ask", scope: "agent", origin: undefined },
    ]
    expect(findNeverMatching(rules).map(describeFinding)).toEqual([
      "opencode.json:5: the bash pattern `rm:*` (deny) never matches: `:*` is not a wildcard of OpenCode; write `rm *`.",
      "the bash pattern `` (ask) never matches: it is empty; correct it, or remove it.",
    ])
  })
})

describe("denials that need the guard", () => {
  const found = (rules: Readonly<Record<string, SourcedRule["action"]>>): readonly string[] =>
    findEvaded(bash(rules), place).map(describeFinding)

  test("are those that a wrapper or an option gets round on the host alone", () => {
    const rules = bash({ "*": "allow", "rm -rf *": "deny", "npm publish": "deny", "git push *": "deny", "ls *": "ask" })
    const [first, ...others] = findEvaded(rules, place)
    expect(first).toEqual({
      kind: "needs-the-guard",
      severity: "note",
      origin: { file: "opencode.json", line: 5 },
      message:
        "without the guard, the bash pattern `rm -rf *` (deny) would not stop `timeout 5 rm -rf x`, `env rm -rf x`, `command rm -rf x`, `/usr/bin/rm -rf x`, which `*` allows",
      remedy: "the guard denies them",
    })
    expect(others.map(({ origin, message }) => [origin?.line, message])).toEqual([
      [
        6,
        "without the guard, the bash pattern `npm publish` (deny) would not stop `timeout 5 npm publish`, `env npm publish`, `command npm publish`, `/usr/bin/npm publish`, which `*` allows",
      ],
      [
        7,
        "without the guard, the bash pattern `git push *` (deny) would not stop `timeout 5 git push x`, `env git push x`, `command git push x`, `/usr/bin/git push x`, which `*` allows",
      ],
    ])
  })

  test("each way is shown that the host's patterns allow, with the first that does", () => {
    const rows: readonly [allowed: string, denied: string, shown: string][] = [
      ["git *", "git push *", "`git -C . push x`"],
      ["git *", "git push", "`git -C . push`"],
      ["rm *", "rm -rf *", "`rm -r -f x`"],
      ["rm *", "rm -rfv ?", "`rm -r -f -v x`"],
      ["\\*", "rm *", "`/usr/bin/rm x`, `\\rm x`"],
      ["sh *", "rm *", "`sh -c 'rm x'`"],
      ["*rm*", "rm", "`timeout 5 rm`, `env rm`, `command rm`, `/usr/bin/rm`"],
    ]
    for (const [allowed, denied, shown] of rows) {
      expect(found({ [allowed]: "allow", [denied]: "deny" })).toEqual([
        `opencode.json:5: without the guard, the bash pattern \`${denied}\` (deny) would not stop ${shown}, which \`${allowed}\` allows; the guard denies them.`,
      ])
    }
  })

  test("and none where the host asks or denies by itself, or the guard does not deny", () => {
    expect(found({ "*": "ask", "rm *": "deny" })).toEqual([])
    expect(found({ "*": "deny", "ls *": "allow" })).toEqual([])
    expect(found({ "rm *": "deny", "*": "allow" })).toEqual([])
    // An option may take the next word, so that it is asked about.
    expect(found({ "npm *": "allow", "npm publish *": "deny", "npm -C *": "ask" })).toEqual([])
  })

  test("and none of a pattern whose command is not plain", () => {
    for (const pattern of ["r* x", "rm? x", "./x.sh *", "echo 'a b'", "$x *", "*"])
      expect([pattern, found({ "*": "allow", [pattern]: "deny", "y *": "allow" })]).toEqual([pattern, []])
  })
})
