import { expect, test } from "bun:test"
import { digestOf, fileStem, ruleId } from "./identity.ts"

test.each<[path: string, directory: string, id: string]>([
  ["/w/.opencode/rules/a/b.md", "/w/.opencode/rules", "project:a/b.md"],
  ["C:\\w\\.opencode\\rules\\a\\b.md", "C:\\w\\.opencode\\rules", "project:a/b.md"],
  ["c:\\W\\.opencode\\rules\\a.md", "C:\\w\\.opencode\\rules", "project:a.md"],
  ["\\\\host\\share\\rules\\a.md", "\\\\HOST\\share\\rules", "project:a.md"],
  ["/w/rules/A.md", "/w/rules", "project:A.md"],
  ["/w/rules/e\u0301.md", "/w/rules", "project:\u00e9.md"],
  ["/elsewhere/a.md", "/w/rules", "project:elsewhere/a.md"],
  ["//host/share/a.md", "/w/rules", "project:host/share/a.md"],
  ["/w/Rules/a.md", "/w/rules", "project:w/Rules/a.md"],
  ["/w/rules/a\\b.md", "/w/rules", "project:a\\b.md"],
  ["C:/w/rules/a\\b.md", "C:/w/rules", "project:a/b.md"],
])("the id of %s in %s", (path, directory, id) => {
  expect(String(ruleId({ scope: "project", path: directory, root: "/w", prefix: "" }, path))).toBe(id)
})

test("a rule of a nested folder, and one of a pack, has its scope and prefix", () => {
  const place = { path: "/w/api/.opencode/rules", root: "/w/api", prefix: "api/" }
  const id = (scope: "global" | "project" | "pack:@acme/rules") =>
    String(ruleId({ scope, ...place }, `${place.path}/a/b.md`))
  expect([id("project"), id("global"), id("pack:@acme/rules")]).toEqual([
    "project:api/a/b.md",
    "global:api/a/b.md",
    "pack:@acme/rules:api/a/b.md",
  ])
})

test("a digest is the first half of SHA-256, of a text as of its bytes", () => {
  expect(digestOf("")).toBe("e3b0c44298fc1c149afbf4c8996fb924")
  expect(digestOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223")
  expect(digestOf(new TextEncoder().encode("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223")
})

test.each<[path: string, name: string]>([
  ["/w/rules/a.md", "a"],
  ["/w/rules/a.MDC", "a"],
  ["/w/rules/a.b.md", "a.b"],
  ["/w/rules/a.mdx", "a.mdx"],
  ["/w/rules/a.TXT", "a"],
  ["/w/rules/a.Instructions.MD", "a"],
  ["/w/rules/a.txt", "a"],
  ["/w/rules/a.txt.md", "a.txt"],
  ["/w/rules/a.instructions.md", "a"],
  ["/w/rules/a.instructions.txt", "a.instructions"],
  ["/w/rules/.md", ".md"],
  ["/w/rules/.instructions.md", ".instructions.md"],
  ["/w/.cursor/rules/api/RULE.md", "api"],
  ["/w/.cursor/rules/api/rule.md", "rule"],
  ["/w/we\\ird.md", "we\\ird"],
  ["C:\\w\\rules\\a.md", "a"],
  ["c:/w/rules/a.md", "a"],
  ["\\\\host\\share\\api\\RULE.md", "api"],
  ["RULE.md", "RULE.md"],
])("the name of %s is %j", (path, name) => {
  expect(fileStem(path)).toBe(name)
})
