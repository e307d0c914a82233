import { describe, expect, test } from "bun:test"
import { parse } from "@babel/parser"
import { Glob } from "bun"
import { root } from "../install.ts"
import { DOCUMENTS, readDocument } from "./documents.ts"
import { AVOIDED, type AvoidedWord, DISPATCH } from "./words.ts"

/** What explains the engine in its own words. */
const OF_THE_ENGINE: ReadonlySet<string> = new Set(["AGENTS.md", "docs/delivery.md", "docs/glossary.md"])
const ALL = [...AVOIDED, DISPATCH]

const TEXTS = [
  ...DOCUMENTS.filter((path) => !path.startsWith("docs/adr/")),
  ...files("packages/*/{README,PACKAGE}.md", "examples/**/*.md", ".github/**/*.md"),
  "docs/rule.schema.json",
].filter((path) => path !== "packages/opencode-rulebook/README.md")

/** The code whose texts people read: messages, findings, log lines, labels, descriptions. */
const CODE = files(
  "packages/{rule-schema,server,cli,tui,bash-guard}/src/**/*.{ts,tsx}",
  "scripts/{*,demo/*,release/*}.ts",
)

describe("no document has a word to avoid", () => {
  for (const path of TEXTS) {
    test(path, async () => {
      const words = OF_THE_ENGINE.has(path) ? AVOIDED : ALL
      const lines = proseOf(await readDocument(path)).split("\n")
      expect(lines.flatMap((line, index) => found(line, words).map((what) => `${index + 1}: ${what}`))).toEqual([])
    })
  }
})

describe("no message in the code has a word to avoid", () => {
  for (const path of CODE) {
    test(path, async () => {
      const texts = messagesOf(await readDocument(path))
      expect(texts.flatMap(({ line, text }) => found(text, ALL).map((what) => `${line}: ${what}`))).toEqual([])
    })
  }
})

test("the glossary names every word to avoid", async () => {
  const avoided = (await readDocument("docs/glossary.md")).split("\n").filter((line) => line.startsWith("_Avoid_"))
  expect(ALL.map(({ word }) => word).filter((word) => !avoided.some((line) => line.includes(word)))).toEqual([])
})

describe("the patterns are certain", () => {
  const t = (text: string, ...words: string[]) => {
    test(text, () => {
      const matching = ALL.filter(({ pattern }) => pattern.test(text))
      expect(matching.map(({ word }) => word)).toEqual(words)
    })
  }
  t("names of which the current git branch meets one", "meets")
  t("a file condition is met by a path", "meets")
  t("a condition is met, or holds")
  t("Blanks in it match any blanks", "blanks")
  t("blank lines above have no effect")
  t("a leading `./` says nothing", "says nothing")
  t("text that looks like a rule is none", "is none")
  t("there is none")
  t("the file is no UTF-8 text", "is no X")
  t("there is no rule here; it is no longer read")
  t("a server that the plugin is not told of", "told")
  t("the two are told apart by a digest")
  t("at the next free moment", "free moment")
  t("the completeness gate", "completeness gate")
  t("its standing: matched", "standing")
  t("other spellings of a path", "spelling")
  t("legal, and surely not meant", "legal")
  t("agents of which one is the current one", "of which one")
  t("the next dispatch", "dispatch")
})

function files(...patterns: string[]): readonly string[] {
  return patterns
    .flatMap((pattern) => [...new Glob(pattern).scanSync({ cwd: root, dot: true })])
    .filter((path) => !/\.test\.tsx?$|\/node_modules\//.test(path))
    .toSorted()
}

/** A document without what is quoted in it: code, addresses, and the glossary's own lines of words to avoid. */
function proseOf(text: string): string {
  return text
    .replace(/^_Avoid_.*$/gm, "")
    .replace(/`[^`\n]*`/g, "`…`")
    .replace(/\]\([^)\s]+\)/g, "](…)")
}

function found(text: string, words: readonly AvoidedWord[]): readonly string[] {
  return words.flatMap(({ pattern, use }) => {
    const match = pattern.exec(text)
    return match ? [`"${match[0]}" in "${text.trim().slice(0, 160)}" (use: ${use})`] : []
  })
}

/** The texts of a program: string literals and templates of more than one word. A template's values are `…`. */
function messagesOf(source: string): readonly { readonly line: number; readonly text: string }[] {
  const texts: { line: number; text: string }[] = []
  const { program } = parse(source, { sourceType: "module", plugins: ["typescript", "jsx"] })
  const nodes: unknown[] = [program]
  for (const node of nodes) {
    if (typeof node !== "object" || node === null) continue
    const { type, value, quasis, loc, ...children } = node as Record<string, unknown>
    const line = (loc as { start: { line: number } } | undefined)?.start.line ?? 0
    if ((type === "StringLiteral" || type === "JSXText") && typeof value === "string") texts.push({ line, text: value })
    if (type === "TemplateLiteral") {
      const parts = (quasis as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked)
      texts.push({ line, text: parts.join("…") })
    }
    // A JSX attribute and an object's property have their text as `value`.
    nodes.push(value, ...Object.values(children))
  }
  return texts.filter(({ text }) => /\S\s+\S/.test(text))
}
