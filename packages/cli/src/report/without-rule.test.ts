import { expect, test } from "bun:test"
import { rule } from "../../test/project.ts"
import { compiled } from "../../test/support/compiled.ts"
import type { TouchedFile } from "./figures.ts"
import { filesWithoutRule } from "./without-rule.ts"

const ROOT = "/home/dev/app"
const touched = (path: string, sessions = 1, hasMatched = false): TouchedFile => ({ path, sessions, hasMatched })

function patterns(paths: readonly string[], rules: Parameters<typeof filesWithoutRule>[1] = []): readonly string[] {
  return filesWithoutRule(
    paths.map((path) => touched(path)),
    rules,
    ROOT,
  ).map(({ pattern }) => pattern)
}

test("files are grouped by folder and ending; one without an ending stands for itself", () => {
  const names = [
    "a.ts",
    "src/a.ts",
    "src/deep/a.test.ts",
    "Makefile",
    "src/Makefile",
    ".env",
    "src/.env",
    "a.d/b",
    "a.",
  ]
  expect(patterns(names)).toEqual([
    "*.ts",
    "src/*.ts",
    "src/deep/*.ts",
    "Makefile",
    "src/Makefile",
    ".env",
    "src/.env",
    "a.d/b",
    "a.",
  ])
})

test("those that were touched the most come first, then those of the most files", () => {
  const files = [touched("one.a", 3), touched("b1.b"), touched("b2.b", 2), touched("c.c", 4), touched("d.d", 1)]
  expect(filesWithoutRule(files, [], ROOT)).toEqual([
    { pattern: "*.c", files: 1, touched: 4 },
    { pattern: "*.b", files: 2, touched: 3 },
    { pattern: "*.a", files: 1, touched: 3 },
    { pattern: "*.d", files: 1, touched: 1 },
  ])
})

test("a file is a rule's when its globs match the path or it has matched by it", () => {
  expect(filesWithoutRule([touched("a.ts", 1, true), touched("b.ts")], [], ROOT)).toEqual([
    { pattern: "*.ts", files: 1, touched: 1 },
  ])
  const rules = [
    compiled("globs.md", rule('globs: ["src/**/*.ts", "!src/own.ts"]')),
    compiled("texts.md", rule("fileContains: unsafe")),
    compiled("agent.md", rule("agent: build")),
    compiled("always.md", "Text."),
    compiled("more.md", rule("globs: '*.rs'\nfileContains: unsafe")),
  ]
  expect(patterns(["src/a.ts", "src/own.ts", "docs/a.md", "lib/a.rs"], rules)).toEqual(["src/*.ts", "docs/*.md"])
})

test("globs are those of the rule's own folder", () => {
  const rules = [
    compiled("nested.md", rule("globs: src/*.ts"), `${ROOT}/packages/api`),
    compiled("own.md", rule("globs: lib/*.ts")),
    compiled("own-too.md", rule("globs: docs/*.md")),
  ]
  const names = ["src/a.ts", "packages/api/src/a.ts", "lib/a.ts", "packages/api/lib/a.ts", "docs/a.md"]
  expect(patterns(names, rules)).toEqual(["src/*.ts", "packages/api/lib/*.ts"])
})
