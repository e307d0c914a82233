import { expect, test } from "bun:test"
import { ruleId } from "./identity.ts"

test.each<[path: string, directory: string, id: string]>([
  ["/w/.opencode/rules/a/b.md", "/w/.opencode/rules", "project:a/b.md"],
  ["C:\\w\\.opencode\\rules\\a\\b.md", "C:\\w\\.opencode\\rules", "project:a/b.md"],
  ["c:\\W\\.opencode\\rules\\a.md", "C:\\w\\.opencode\\rules", "project:a.md"],
  ["\\\\host\\share\\rules\\a.md", "\\\\HOST\\share\\rules", "project:a.md"],
  ["/w/rules/A.md", "/w/rules", "project:A.md"],
  ["/w/rules/e\u0301.md", "/w/rules", "project:\u00e9.md"],
])("the id of %s in %s", (path, directory, id) => {
  expect(String(ruleId({ scope: "project", path: directory, root: "/w", prefix: "" }, path))).toBe(id)
})
