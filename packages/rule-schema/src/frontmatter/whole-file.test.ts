import { describe, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { parseText } from "../../test/rule.ts"
import { runs } from "../../test/runs.ts"
import { readParts } from "../parse.ts"
import { collectProblems } from "../problems.ts"
import type { Value } from "./value.ts"

setDefaultTimeout(60_000)

/** All texts in a value. */
function textsIn(value: Value): string {
  if (value.kind === "scalar") return value.text
  const inner = value.kind === "list" ? value.items : [...value.entries.values()].map((entry) => entry.value)
  return inner.map(textsIn).join("\n")
}

/**
 * The marked words of a file that are neither delivered nor read, and not in a comment: of a rule that works there are none.
 * Every line with text in it ends with a mark of its own.
 */
function lostMarks(text: string): readonly string[] {
  const parsed = parseText(text)
  if (parsed.kind === "broken") return []
  const { body, below, frontmatter } = readParts(text, collectProblems("/rule.md", text))
  expect(parsed.rule.body).toBe(body)
  const above = text.slice(0, below)
  const values = [...frontmatter.values()].map(({ value }) => textsIn(value)).join("\n")
  const warned = parsed.problems.map(({ line }) => text.split(/\r\n|\n|\r/)[line - 1] ?? "").join("\n")
  const comments = [...above.matchAll(/<!--[\s\S]*?-->|^\s*#.*$|\s#.*$|\[\/\/\]:.*$/gm)].join("\n")
  const hasIgnored = parsed.problems.some(({ code }) => code === "duplicate-key")
  const foreign =
    hasIgnored || /^\s*(?:title|Note|tags|Use `mark\d+`):/m.test(above)
      ? [...above.matchAll(/^\s*(?:title|Note|tags|Use `mark\d+`):.*(?:[\r\n]+-.*)*|^[ \t]+.*$/gm)].join("\n")
      : ""
  return [...text.matchAll(/mark\d+/g)]
    .map(([mark]) => mark)
    .filter((mark) => ![body, values, warned, comments, foreign].some((part) => new RegExp(`${mark}\\b`).test(part)))
}

const LINES = [
  ...["---", "---", "---", "--- ", "---\t", "...", "--- # c M", "--- Title M", "---# M", "----", " ---", "+++", "***"],
  ...["```markdown", "```", "~~~", "```yaml", "\u200B---", "\uFEFF", "", "", " "],
  ...[
    'globs: "*.ts"',
    "globs: *.ts, *.tsx",
    "\u200Bglobs: a",
    "globs:",
    "- a",
    "  - b",
    "glob: a",
    "alwaysApply: true",
  ],
  ...["description: What M", "title: M", "Note: never log M", "keywords: [M, b]", "tags:", "tags: [x"],
  ...[
    "Never log M",
    "# Heading M",
    "- item M",
    "1. step M",
    "<!-- M -->",
    "<!-- M",
    "-->",
    "// generated M",
    "  more M",
  ],
  ...["[//]: # (M)", "/* M */", "Use `M`: always", "| M |", "> M"],
]

describe("a rule's body and its frontmatter are the whole file, or the rule is broken", () => {
  const lines = (minLength: number) => fc.array(fc.constantFrom(...LINES), { minLength, maxLength: 12 })
  const end = fc.constantFrom("\n", "\n", "\r\n", "\r")
  const marked = (parts: readonly string[], lineEnd: string) => {
    return parts.map((line, index) => line.replace(/\bM\b/, `mark${index}`)).join(lineEnd)
  }

  test("any lines", () => {
    fc.assert(
      fc.property(lines(0), end, (parts, lineEnd) => expect(lostMarks(marked(parts, lineEnd))).toEqual([])),
      { numRuns: runs(3000) },
    )
  })

  test("any lines below an opening fence and a key", () => {
    const key = fc.constantFrom('globs: "*.ts"', "description: x", "title: x", "globs:\n  - a")
    fc.assert(
      fc.property(fc.constantFrom("", "\uFEFF", "\n"), key, lines(1), end, (head, first, parts, lineEnd) => {
        const text = `${head}---${lineEnd}${first}${lineEnd}${marked(parts, lineEnd)}`
        expect(lostMarks(text)).toEqual([])
      }),
      { numRuns: runs(5000) },
    )
  })
})
