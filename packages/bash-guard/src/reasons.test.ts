import { describe, expect, test } from "bun:test"
import { describeReason, quote, type Reason } from "./reasons.ts"

describe("each reason in one line", () => {
  const pattern = {
    kind: "pattern",
    action: "deny",
    text: "rm x",
    pattern: "rm *",
    form: "rm x",
    certainty: "certain",
  } as const
  const rows: readonly [reason: Reason, line: string][] = [
    [
      { kind: "unreadable", why: "no end", line: 2, column: 3 },
      "The command cannot be parsed (line 2, column 3: no end), so it cannot be checked. Rewrite it as valid bash.",
    ],
    [pattern, "`rm x` is forbidden by the bash permission pattern `rm *`. Nothing was run."],
    [
      { ...pattern, text: "\\rm x" },
      "`\\rm x` (read as `rm x`) is forbidden by the bash permission pattern `rm *`. Nothing was run.",
    ],
    [{ ...pattern, action: "ask" }, "`rm x`: the bash pattern `rm *`"],
    [{ ...pattern, action: "ask", text: "\\rm x" }, "`\\rm x` (read as `rm x`): the bash pattern `rm *`"],
    [{ ...pattern, action: "ask", certainty: "possible" }, "`rm x`: it may match the bash pattern `rm *`"],
    [
      { kind: "file", action: "deny", permission: "edit", text: "> x", pattern: "x" },
      "`> x` is forbidden by the edit permission pattern `x`. Nothing was run.",
    ],
    [
      { kind: "file", action: "ask", permission: "external_directory", text: "/etc/*", pattern: "*" },
      "`/etc/*`: the external_directory pattern `*`",
    ],
    [{ kind: "doubt", text: "eval $x", why: "a script" }, "`eval $x`: a script"],
  ]
  for (const [reason, line] of rows) test(line, () => expect(describeReason(reason)).toBe(line))
})

test("a quoted command has no control characters, and is not endless", () => {
  expect(quote("a\u001b[2Jb\nc\td\r\u0000\u007f\u009b\u202e\u2028")).toBe(
    "`a\\u001b[2Jb\\nc\\td\\r\\u0000\\u007f\\u009b\\u202e\\u2028`",
  )
  expect(quote("é 日本 'a' \\")).toBe("`é 日本 'a' \\`")
  expect(quote("x".repeat(300))).toBe(`\`${"x".repeat(300)}\``)
  expect(quote("x".repeat(301))).toBe(`\`${"x".repeat(300)}…\``)
})
