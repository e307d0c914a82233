import { describe, expect, test } from "bun:test"
import { codes, lint, lintedRule, ROOT } from "../../test/linted.ts"
import { rule as ruleText } from "../../test/project.ts"

const table: Record<string, readonly (readonly [frontmatter: string, expected: string])[]> = {
  "hold that holds nothing": [
    ["hold: true", "idle-hold 2:1"],
    ["hold: true\nkeywords: deploy", "idle-hold 2:1"],
    ["hold: true\nhooks: { type: PreToolUse, tool: bash }", "idle-hold 2:1"],
    ["alwaysApply: true\nglobs: '*.ts'\nhold: true", "idle-hold 4:1"],
    ["hold: false", ""],
    ["hold: true\nglobs: src/*.ts", ""],
    ["hold: true\nfileContains: unsafe {\nkeywords: deploy", ""],
    ["hold: true\nforbid: console.log(", ""],
    ["alwaysApply: true\nhooks: { type: PreToolUse, tool: bash, block: once }", "idle-hold 3:8"],
    ["hooks: { type: PreToolUse, tool: bash, block: once }", ""],
    ["alwaysApply: true\nhooks: { type: PreToolUse, tool: bash, block: true }", ""],
  ],
  "remind of what is in each request": [
    ["remind: 20000\nagent: build", "idle-remind 2:1"],
    ["match: all\nremind: 20000\nglobs: src/*.ts\nbranch: main", "idle-remind 3:1"],
    ["remind: 20000\nglobs: src/*.ts\nbranch: main", ""],
    ["remind: 20000", ""],
    ["remind: off\nagent: build", ""],
  ],
  "a reminder that is never used": [
    ["reminder: Keep it.", "idle-reminder 2:1"],
    ["reminder: Keep it.\nremind: 20000", ""],
    ["reminder: Keep it.\nforbid: console.log(\nbranch: main", "idle-reminder 2:1"],
    ["reminder: Keep it.\nremind: 20000\nbranch: main", "idle-remind 3:1, idle-reminder 2:1"],
    ["reminder: Keep it.\nforbid: console.log(", ""],
    ["forbid: console.log(\nreminder: This reminder is longer than the text of its rule.", "idle-reminder 3:1"],
  ],
  "literals that other words have": [
    ["forbid: [var, any, foo]", "broad-literal 2:10, broad-literal 2:15, broad-literal 2:20"],
    ["forbid: [TBD, ': any', debugger, ';']", ""],
  ],
  "literals that contain each other": [
    ["forbid: [console.log(, console.]", "redundant-literal 2:10"],
    ["forbid: [console.log, console.warn]", ""],
    ["forbid: [a-b, a-b]", ""],
  ],
  "literals that the condition asks for": [
    ["fileContains: unsafe {\nforbid: unsafe {", "required-literal 3:9"],
    ["fileContains: ['unsafe {', unsafe fn]\nforbid: unsafe", "required-literal 3:9"],
    ["fileContains: ['unsafe {', extern]\nforbid: unsafe {", ""],
    ["fileContains: useEffect\nforbid: useEffect(async", ""],
    ["globs: src/*.ts\nforbid: console.log(", ""],
  ],
  "literals that are not as they are written": [
    ["forbid: [TBD, 'ok(', 'f(a, b)']", ""],
    ["forbid: [TBD, 'useEffect(() => {}, [])']", ""],
    ["forbid: [TBD, f(a, b)]", "split-literal 2:15"],
    ["fileContains: [f(a, b)]", "split-literal 2:16"],
    ["forbid: [console.log(, debugger]", ""],
    ["forbid: ['f(', 'b)']", ""],
    ["forbid:\n  - f(a\n  - b)", ""],
    ["forbid: TODO|FIXME", "literal-expression 2:9"],
    ["forbid: ' unsafe'", "trimmed-literal 2:9"],
  ],
}

for (const [name, rows] of Object.entries(table)) {
  describe(name, () => {
    for (const [frontmatter, expected] of rows) {
      test(JSON.stringify(frontmatter), () => expect(codes(frontmatter)).toBe(expected))
    }
  })
}

describe("hold of a rule that may be a nested folder's", () => {
  test("a file there brings the rule, and a write can be the first", () => {
    const { source, rule } = lintedRule(ruleText("hold: true"))
    const check = (place: { root: string; project?: string }) =>
      lint({ source, rule: { ...rule, ...place } }).map(({ code }) => code)
    expect(check({ root: `${ROOT}/web`, project: ROOT })).toEqual([])
    expect(check({ root: `${ROOT}/web` })).toEqual([])
    expect(check({ root: "/home/dev" })).toEqual(["idle-hold"])
    const own = lintedRule(ruleText("hold: true"), "rule.md", "global")
    expect(lint(own).map(({ code }) => code)).toEqual(["idle-hold"])
  })
})

test("a text that is reminded of as a whole, and longer than the distance", () => {
  const found = (frontmatter: string, lines: number) =>
    lint(lintedRule(ruleText(frontmatter, "Be careful with it.\n".repeat(lines)))).map(({ code }) => code)
  expect(found("remind: 2000", 600)).toEqual(["costly-remind"])
  expect(found("remind: 2000", 200)).toEqual([])
  expect(found("remind: 4000", 600)).toEqual([])
  expect(found("remind: 2000\nreminder: Be careful.", 600)).toEqual([])
  expect(found("remind: 2000\nagent: build", 600)).toEqual(["idle-remind"])
})

describe("an example that its rule forbids", () => {
  const found = (body: string) =>
    lint(lintedRule(ruleText("forbid: [debugger, console.log(]", body))).map(({ code, line }) => `${code} ${line}`)
  const block = (label: string, code: string) => `Log with care.\n\n${label}\n\n\`\`\`ts\n${code}\n\`\`\`\n`

  for (const label of ["Good:", "**Do:**", "### Correct", "✅ Like this", "Use instead:", "Good example"]) {
    test(label, () => expect(found(block(label, "console.log(1)"))).toEqual(["forbidden-example 8"]))
  }

  for (const label of [
    "Bad:",
    "Don't:",
    "Not good:",
    "❌",
    "Good habits die hard, so do not write",
    "Correct it:",
    "",
  ]) {
    test(`not under ${label || "nothing"}`, () => expect(found(block(label, "console.log(1)"))).toEqual([]))
  }

  test("nor where the example has what to avoid beside it", () => {
    expect(found(block("Good:", "log.info(1) // not console.log(1)"))).toEqual([])
    expect(found(block("Good:", "log.info(1)"))).toEqual([])
    expect(found(`${block("Good:", "log.info(1)")}\n${block("Bad:", "debugger")}`)).toEqual([])
  })
})
