import { expect, test } from "bun:test"
import { pathOfFileUrl } from "./file-url.ts"

test.each<[url: string, isWindows: boolean, path: string | undefined]>([
  ["file:///w/a%20b.md", false, "/w/a b.md"],
  ["file:///c%3A/w/a.md", true, "C:\\w\\a.md"],
  ["file:///c:/w/a.md", true, "C:\\w\\a.md"],
  ["file://host/share/a.md", true, "\\\\host\\share\\a.md"],
  ["file://host/share/a.md", false, undefined],
  ["file://./plugin", false, undefined],
  ["file:///w%2Fa.md", false, undefined],
  ["untitled:Untitled-1", false, undefined],
  ["opencode-rulebook", false, undefined],
])("the path of %s (Windows: %p)", (url, isWindows, path) => {
  expect(pathOfFileUrl(url, isWindows)).toBe(path as string)
})
