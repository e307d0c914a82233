import { describe, expect, test } from "bun:test"
import { estimateTokens } from "@opencode-rulebook/rule-schema"
import { codes, lint, lintedRule, ROOT, said } from "../../test/linted.ts"
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
    const check = (place: { root: string; project?: string }, directory = ROOT) =>
      lint({ source, rule: { ...rule, ...place } }, { directory }).map(({ code }) => code)
    expect(check({ root: `${ROOT}/web`, project: ROOT })).toEqual([])
    expect(check({ root: `${ROOT}/web` })).toEqual([])
    // Of a session in that folder it is the project's own, of one further up it is not.
    expect(check({ root: `${ROOT}/web`, project: ROOT }, `${ROOT}/web`)).toEqual([])
    expect(check({ root: ROOT })).toEqual(["idle-hold"])
    expect(check({ root: "/home/dev" })).toEqual(["idle-hold"])
    const own = lintedRule(ruleText("hold: true"), "rule.md", "global")
    expect(lint(own).map(({ code }) => code)).toEqual(["idle-hold"])
  })
})

describe("what hold, remind and reminder come to", () => {
  const holds = (why: string) =>
    `holds nothing: ${why}. Add \`globs\` or \`fileContains\`; for calls of other tools, write a hook with \`type: PreToolUse\` and \`block: once\`.`
  const inEach = "so each request has"
  test.each<[code: string, frontmatter: string, finding: string]>([
    ["idle-hold", "hold: true", `2:1 hold: ${holds("the rule is in the first request")}`],
    ["idle-hold", "keywords: deploy\nhold: true", `3:1 hold: ${holds("no file makes the rule match")}`],
    [
      "idle-remind",
      "agent: build\nremind: 20000",
      `3:1 remind: reminds of nothing: the rule is transient, ${inEach} it while its conditions hold. Remove it.`,
    ],
    [
      "idle-reminder",
      "agent: build\nreminder: Keep it.",
      "3:1 reminder: is never used: the rule has neither `remind` nor `forbid`. Add one, or remove it.",
    ],
    [
      "idle-reminder",
      "agent: build\nremind: 20000\nreminder: Keep it.",
      `4:1 reminder: is never used: the rule is transient, ${inEach} its whole text while its conditions hold. Remove it.`,
    ],
    [
      "idle-reminder",
      "remind: 20000\nreminder: Be 😀 and on",
      "3:1 reminder: has 11 characters, and the rule's text only 11. Remove it: the text itself is used then.",
    ],
  ])("%s of %j", (code, frontmatter, finding) => expect(said(frontmatter, code)).toEqual([finding]))

  test("a reminder that is shorter by one character is of use", () => {
    expect(said("remind: 20000\nreminder: Be 😀 and o", "idle-reminder")).toEqual([])
  })

  test("a reminder of a rule without a text is all there is", () => {
    const text = ruleText("hooks: { type: PreToolUse, tool: bash }\nremind: 20000\nreminder: Keep it.", "")
    expect(lint(lintedRule(text))).toEqual([])
  })
})

test("a text that is reminded of as a whole, and at least as long as the distance", () => {
  const found = (frontmatter: string, body: string) =>
    lint(lintedRule(ruleText(frontmatter, body)))
      .filter(({ code }) => code === "costly-remind")
      .map(({ line, column, field, reason, remedy }) => `${line}:${column} ${field}: ${reason}. ${remedy}.`)
  const body = "Be careful with it.\n".repeat(400)
  const tokens = estimateTokens(body.trim())
  expect(found(`name: x\nremind: ${tokens}`, body)).toEqual([
    `3:1 remind: the text has about ${tokens} tokens, so it could be half of the conversation and more. Add a short \`reminder\`, or raise \`remind\`.`,
  ])
  expect(found(`remind: ${tokens + 1}`, body)).toEqual([])
  expect(found(`remind: ${tokens}\nreminder: Be careful.`, body)).toEqual([])
  expect(found(`remind: ${tokens}\nagent: build`, body)).toEqual([])
  expect(found("remind: off", body)).toEqual([])
})

describe("an example that its rule forbids", () => {
  const all = (body: string) =>
    lint(lintedRule(ruleText("forbid: [debugger, console.log(]", body))).map(
      ({ code, line, column, field, reason }) => `${code} ${line}:${column} ${field}: ${reason}`,
    )
  const found = (body: string) => all(body).map((text) => text.split(":")[0])
  const block = (label: string, code: string) => `Log with care.\n\n${label}\n\n\`\`\`ts\n${code}\n\`\`\`\n`
  const finding = (line: number, literal: string, label: string) =>
    `forbidden-example ${line}:1 forbid: "${literal}" is forbidden, and stands in the example under "${label}"`

  test.each([
    ...["Good:", "**Do:**", "### Correct", "✅ Like this", "Use instead:", "Good example", "good examples"],
    ...["Right", "Better:", "Preferred:", "Do this:", "Instead:", "Write instead:", "✅ 2"],
  ])("under %s", (label) => {
    expect(all(block(label, "console.log(1)"))).toEqual([finding(8, "console.log(", label)])
  })

  test.each([
    ...["Bad:", "Don't:", "Not good:", "❌", "Good habits die hard, so do not write", "Correct it:", "Be good", ""],
    ...[
      "✅ never",
      "✅ not this",
      "✅ avoid",
      "✅ wrong",
      "✅ incorrect",
      "✅ bad",
      "✅ don't",
      "✅ forbidden",
      "✅ or ❌",
    ],
  ])("not under %p", (label) => {
    expect(all(block(label, "console.log(1)"))).toEqual([])
  })

  test("at the example's own line, however the file's lines end", () => {
    const text = `---\nforbid: debugger\n---\n\n${"One more.\n".repeat(50)}\n${block("Good:", "debugger")}`
    for (const end of ["\n", "\r\n", "\r"]) {
      const findings = lint(lintedRule(text.replaceAll("\n", end)))
      expect(findings.map(({ line, column }) => `${line}:${column}`)).toEqual(["60:1"])
    }
  })

  test("not where the example has what to avoid beside it, or nothing of it", () => {
    expect(all(block("Good:", "log.info(1) // not console.log(1)"))).toEqual([])
    expect(all(block("Good:", "log.info(1)"))).toEqual([])
    expect(all(`${block("Good:", "log.info(1)")}\n${block("Bad:", "debugger")}`)).toEqual([])
  })

  test("each example has the line above it, whatever comes between them", () => {
    const second = block("  Better:  ", "debugger\nconsole.log(1)")
    expect(all(`${block("Bad:", "debugger")}\n${second}`)).toEqual([finding(16, "debugger", "Better:")])
    expect(all(`${block("Good:", "log.info(1)")}\n\`\`\`ts\ndebugger\n\`\`\`\n`)).toEqual([])
    expect(all(`${block("Good:", "debugger")}\n${second}`)).toEqual([
      finding(8, "debugger", "Good:"),
      finding(16, "debugger", "Better:"),
    ])
  })

  test.each<[body: string, ...places: string[]]>([
    ["Good:\n~~~\ndebugger\n~~~\n", "forbidden-example 5"],
    ["Good:\n   ````\n```\ndebugger\n`````\n", "forbidden-example 5"],
    ["Good:\n```\ndebugger\n   ```  \n", "forbidden-example 5"],
    ["Good:\n    ```\n    debugger\n    ```\n"],
    ["Good:\n```\nx\n```\ndebugger\n"],
    ["Good:\n```\nx\n``` y\n~~~\ndebugger\n```\n", "forbidden-example 5"],
    ["Good:\n````\nx\n```\ndebugger\n````\n", "forbidden-example 5"],
    ["Good:\n```\ndebugger\n"],
    ["Good:\n``\ndebugger\n``\n"],
    ["Good:\nText.\n```\ndebugger\n```\n"],
    ["Good:\n \n\t\n```\ndebugger\n```\n", "forbidden-example 7"],
  ])("of a block between its fences: %j", (body, ...places) => {
    expect(found(body)).toEqual(places)
  })
})
