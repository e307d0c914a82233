import { expect, test } from "bun:test"
import { isWithin } from "./within.ts"

test.each<[path: string, folder: string, platform: string, expected: boolean]>([
  ["/w/rules", "/w/rules", "linux", true],
  ["/w/rules/a.md", "/w/rules", "linux", true],
  ["/w/rules/..a.md", "/w/rules", "linux", true],
  ["/w/rules2/a.md", "/w/rules", "linux", false],
  ["/w", "/w/rules", "linux", false],
  ["/W/rules/a.md", "/w/rules", "darwin", false],
  ["/a.md", "/", "darwin", true],
  ["c:\\w\\Rules\\a.md", "C:\\w\\rules", "win32", true],
  ["C:/w/rules/a.md", "C:\\w\\rules", "win32", true],
  ["C:\\w\\rules2\\a.md", "C:\\w\\rules", "win32", false],
  ["D:\\w\\rules\\a.md", "C:\\w\\rules", "win32", false],
  ["\\\\host\\share\\w\\a.md", "\\\\HOST\\share\\w", "win32", true],
  ["\\\\host\\other\\w\\a.md", "\\\\host\\share\\w", "win32", false],
  ["C:\\a.md", "C:\\", "win32", true],
])("%s is within %s on %s: %p", (path, folder, platform, expected) => {
  expect(isWithin(path, folder, platform)).toBe(expected)
})
