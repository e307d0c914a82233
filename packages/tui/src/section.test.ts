import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { TextAttributes } from "@opentui/core"
import { drawInTerminal, drawNarrow, drawView, THEME } from "../test/render.tsx"
import { EXAMPLE, type RuleTexts, stateOf, viewOf } from "../test/rules.ts"
import { columnsOf } from "./columns.ts"
import type { RulesView } from "./rows.ts"

setDefaultTimeout(60_000)

const MANY: RuleTexts = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`rule-${1000 + index}.md`, '---\nglobs: "*.ts"\n---\nText.']),
)
const LONG: RuleTexts = {
  "a.md": `---\nname: ${"A rule with a name that no sidebar is wide enough for ".repeat(2)}\n---\nText.`,
  "b.md":
    '---\nname: Short\nglobs: ["packages/*/src/**/*.ts", "!**/generated/**", "*.tsx"]\nkeywords: [deploy]\n---\nText.',
}
const WIDE: RuleTexts = {
  "a.md": "---\nname: 日本語のコーディング規約について\nkeywords: [デプロイ, リリース]\n---\nText.",
  "b.md": "---\nname: 👩‍👩‍👧‍👦 family 🇩🇪 flag e\u0301\n---\nText.",
}
const BROKEN: RuleTexts = {
  "good.md": "---\nname: Good\n---\nText.",
  "list.md": "---\nname: Not a list\nglobs: [\n---\nText.",
  "maybe.md": "---\nci: maybe\n---\nText.",
  "typo.md": '---\nname: Typo\nglob: "*.ts"\n---\nText.',
}

const views: readonly [name: string, view: RulesView][] = [
  ["loading", { kind: "loading" }],
  ["empty", viewOf({})],
  ["one rule", viewOf({ "house-style.md": "---\nname: House style\n---\nText." })],
  ["the example, nothing matched yet", viewOf(EXAMPLE)],
  [
    "the example, some matched",
    viewOf(
      EXAMPLE,
      stateOf(EXAMPLE, {
        "global/answers.md": "delivered",
        "builder.md": "transient",
        "house-style.md": "delivered",
        "unsafe-rust.md": "pending",
      }),
    ),
  ],
  ["200 rules", viewOf(MANY, stateOf(MANY, { "rule-1199.md": "delivered" }))],
  ["long names and conditions", viewOf(LONG)],
  ["wide characters", viewOf(WIDE, stateOf(WIDE, { "a.md": "delivered" }))],
  ["broken rules and a warning", viewOf(BROKEN, stateOf(BROKEN, { "good.md": "delivered" }))],
  ["a failure", { kind: "failed", message: "EMFILE: too many open files, watch '/home/app/.opencode/rules'" }],
  ["no server part", { ...viewOf({ "a.md": "Text." }), isUnserved: true } as RulesView],
  [
    "a notice of the server part",
    viewOf(
      { "a.md": "Text." },
      { ...stateOf({ "a.md": "Text." }), notices: ["storing project:a.md failed (\u001b[31mno)"] },
    ),
  ],
  ["trouble", viewOf({ "a.md": "Text." }, undefined, "Changes on disk may go unseen: ENOSPC: no space left on device")],
]

describe("a terminal's columns and numbers of rules", () => {
  for (const columns of [121, 125, 160]) {
    for (const count of [0, 1, 13, 60, 1000]) {
      test(`${columns} columns, ${count} rules`, async () => {
        const texts = Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`rule-${index + 1}.md`, '---\nglobs: "*.ts"\n---\nText.']),
        )
        const drawn = await drawInTerminal(viewOf(texts, stateOf(texts, { "rule-13.md": "delivered" })), columns)
        const frame = (await drawn.frame()).split("\n")
        const lines = frame.map((line) => line.slice(columns - 37))
        expect(frame.map((line) => line.slice(0, columns - 37).trim()).join("")).toBe("")
        const rows = count === 0 ? 2 : count <= 13 ? count + 2 : 15
        expect(lines).toHaveLength(rows)
        expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(37)
        if (count >= 13) expect(lines[2]).toBe("✓ rule-13  *.ts")
        if (count > 13) expect(lines.at(-1)).toBe(`… ${count - 12} more`)
        drawn.end()
      })
    }
  }
})

for (const width of [37, 60]) {
  describe(`${width} columns`, () => {
    for (const [name, view] of views) {
      test(name, async () => {
        const drawn = await drawView(view, width)
        const frame = await drawn.frame()
        expect(frame).toMatchSnapshot()
        expect(Math.max(...frame.split("\n").map(columnsOf))).toBeLessThanOrEqual(width)
        drawn.end()
      })
    }

    test("an unfolded rule", async () => {
      const drawn = await drawView(viewOf(EXAMPLE, stateOf(EXAMPLE, { "unsafe-rust.md": "delivered" })), width)
      await drawn.click("Unsafe Rust")
      expect(await drawn.frame()).toMatchSnapshot()
      drawn.end()
    })

    test("an unfolded broken rule", async () => {
      const drawn = await drawView(viewOf(BROKEN), width)
      await drawn.click("maybe")
      expect(await drawn.frame()).toMatchSnapshot()
      drawn.end()
    })
  })
}

test("a click on the title folds the section, another unfolds it", async () => {
  const drawn = await drawView(viewOf(EXAMPLE, stateOf(EXAMPLE, { "commits.md": "delivered" })), 38)
  const whole = await drawn.frame()
  await drawn.click("▼ Rules")
  expect(await drawn.frame()).toBe("▶ Rules 1 of 6 matched")
  await drawn.click("▶ Rules")
  expect(await drawn.frame()).toBe(whole)
  drawn.end()
})

test("a click on a rule's second line unfolds it too", async () => {
  const drawn = await drawView(viewOf(EXAMPLE), 30)
  await drawn.click("**/*.rs")
  expect(await drawn.frame()).toContain("lifetime: durable")
  drawn.end()
})

test("a width that is none is not told", async () => {
  const told: number[] = []
  const drawn = await drawNarrow(told)
  await drawn.frame()
  expect(told.every((width) => width > 0)).toBeTrue()
  drawn.end()
})

test("colours are the theme's, and the title is bold as the host's are", async () => {
  const drawn = await drawView(viewOf(BROKEN, stateOf(BROKEN, { "good.md": "delivered" })), 60)
  await drawn.frame()
  const spans = drawn.spans().lines.flatMap((line) => line.spans)
  const colourOf = (text: string) => spans.find((span) => span.text.includes(text))?.fg
  expect(colourOf("✓")).toEqual(THEME.success)
  expect(colourOf("✗")).toEqual(THEME.error)
  expect(colourOf("!")).toEqual(THEME.warning)
  expect(colourOf("Good")).toEqual(THEME.text)
  expect(colourOf("Project")).toEqual(THEME.textMuted)
  const bold = spans.filter(({ attributes }) => attributes === TextAttributes.BOLD).map(({ text }) => text)
  expect(bold).toEqual(["Rules"])
  drawn.end()
})
