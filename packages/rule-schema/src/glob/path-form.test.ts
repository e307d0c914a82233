import { expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../test/runs.ts"
import { foldersAbove, nameForm, pathForm } from "./path-form.ts"

const segment = fc.oneof(
  fc.constantFrom("a", "src", "..", ".", "", "e\u0301", "ü", "a b", "__proto__", "\u202E", "C:", "*", "\\"),
  fc.string({ unit: "binary", maxLength: 4 }),
)
const path = fc.tuple(fc.constantFrom("", "/", "./", "../", "C:\\", "\\\\host\\"), fc.array(segment, { maxLength: 6 }))
const posixPath = path.map(([start, segments]) => start + segments.join("/"))
const anyPath = fc.oneof(
  posixPath,
  path.map(([start, segments]) => start + segments.join("\\")),
)
const root = fc.constantFrom("/home/dev/app", "/", "C:\\dev\\app", "\\\\host\\share")

test("any path has one form: in one normal form of Unicode, and inside the root without a way out of it", () => {
  fc.assert(
    fc.property(anyPath, root, root, (observed, at, directory) => {
      const form = pathForm(observed, { root: at, directory })
      for (const text of [form.path, form.absolute, form.relative ?? "", form.base]) {
        expect(text.normalize("NFC")).toBe(text)
      }
      expect(form.absolute.endsWith(form.path)).toBe(true)
      expect(form.path.endsWith(form.base)).toBe(true)
      expect(form.path).toBe(form.relative ?? form.absolute)
      if (form.relative === undefined) return
      for (const part of form.relative.split("/")) expect(["", ".", ".."]).not.toContain(part)
    }),
    { numRuns: runs(1000) },
  )
})

test("a path below the root has the same relative form, however it is written", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9 _é-]{0,5}$/)
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.nat({ max: 4 }), (names, at) => {
      const inside = names.join("/").normalize("NFC")
      const place = { root: "/home/dev/app", directory: "/home/dev/app" }
      const detour = [...names.slice(0, at), "x", "..", ".", ...names.slice(at)].join("/")
      for (const written of [inside, `./${inside}`, `/home/dev/app/${inside}`, detour, inside.normalize("NFD")]) {
        expect(pathForm(written, place).relative).toBe(inside)
      }
      const windows = { root: "C:\\dev\\app", directory: "C:\\dev\\app" }
      for (const written of [names.join("\\"), `c:\\dev\\app\\${names.join("\\")}`, `C:/dev/app/${inside}`]) {
        expect(pathForm(written, windows).relative).toBe(inside)
      }
    }),
    { numRuns: runs(300) },
  )
})

test("beside a nested folder, in its project, only the absolute path is left to compare", () => {
  const place = { root: "/w/packages/api", directory: "/w", project: "/w" }
  expect(pathForm("packages/api/src/a.ts", place)).toMatchObject({ path: "src/a.ts", base: "a.ts" })
  expect(pathForm("packages/web/a.ts", place)).toEqual({
    path: "",
    absolute: "/w/packages/web/a.ts",
    relative: undefined,
    base: "",
  })
  expect(pathForm("/elsewhere/a.ts", place)).toMatchObject({ path: "/elsewhere/a.ts", base: "a.ts" })
})

test.each<[path: string, directory: string, folders: string[]]>([
  ["packages/api/src/a.ts", "/w", ["packages", "packages/api", "packages/api/src"]],
  ["/w/packages/api/a.ts", "/w", ["packages", "packages/api"]],
  ["./packages/../lib/a.ts", "/w", ["lib"]],
  ["a.ts", "/w", []],
  ["../x/a.ts", "/w", []],
  ["/elsewhere/x/a.ts", "/w", []],
  ["packages/api/node_modules/x/src/a.js", "/w", ["packages", "packages/api"]],
  ["api/vendor/acme/lib/src/a.php", "/w", ["api"]],
  [".venv/lib/python3/site-packages/x/a.py", "/w", [".venv", ".venv/lib", ".venv/lib/python3"]],
  [".git/hooks/a", "/w", []],
  ["C:\\w\\packages\\api\\a.ts", "C:\\w", ["packages", "packages/api"]],
])("the folders above %s in %s", (path, directory, folders) => {
  expect(foldersAbove(path, directory)).toEqual(folders)
})

test("of a path without end no folders are made", () => {
  expect(foldersAbove("a/".repeat(500_000), "/w")).toEqual([])
  expect(foldersAbove(`${"a/".repeat(1000)}x`, "/w")).toHaveLength(100)
})

test.each<[path: string, root: string, relative: string | undefined]>([
  ["c:\\USERS\\dev\\App\\src\\A.ts", "C:\\Users\\dev\\app", "src/A.ts"],
  ["\\\\?\\C:\\Users\\dev\\app\\a.ts", "C:\\Users\\dev\\app", "a.ts"],
  ["a.ts", "\\\\?\\C:\\Users\\dev\\app", "a.ts"],
  ["C:/Users/dev/app/a.ts", "\\\\?\\C:\\Users\\dev\\app", "a.ts"],
  ["/c/Users/dev/app/src/a.ts", "C:\\Users\\dev\\app", "src/a.ts"],
  ["/C/Users/dev/app/src/a.ts", "C:\\Users\\dev\\app", "src/a.ts"],
  ["/cygdrive/c/Users/dev/app/a.ts", "C:\\Users\\dev\\app", "a.ts"],
  ["/d/Users/dev/app/a.ts", "C:\\Users\\dev\\app", undefined],
  ["/tmp/a.ts", "C:\\Users\\dev\\app", undefined],
  ["\\\\HOST\\Share\\app\\a.ts", "\\\\host\\share\\app", "a.ts"],
  ["\\\\?\\UNC\\host\\share\\app\\a.ts", "\\\\host\\share\\app", "a.ts"],
  ["/c/app/a.ts", "/c/app", "a.ts"],
  ["/C/app/a.ts", "/c/app", undefined],
  ["/Users/Dev/app/a.ts", "/Users/dev/app", undefined],
])("%s below %s is %p", (path, root, relative) => {
  expect(pathForm(path, { root, directory: root }).relative).toBe(relative)
})

test.each<[path: string, root: string, directory: string, absolute: string, relative: string | undefined]>([
  ["a.ts", "/w", "/w/sub", "/w/sub/a.ts", "sub/a.ts"],
  ["./../a.ts", "/w", "/w/sub", "/w/a.ts", "a.ts"],
  ["/w//x/./a.ts", "/w/", "/w", "/w/x/a.ts", "x/a.ts"],
  ["../../../a.ts", "/w", "/w", "/a.ts", undefined],
  ["/w", "/w", "/w", "/w", undefined],
  ["", "/w", "/w", "/w", undefined],
  ["", "/w", "/w/sub", "/w/sub", "sub"],
  ["/", "/", "/", "/", undefined],
  ["/a.ts", "/", "/w", "/a.ts", "a.ts"],
  ["/w2/a.ts", "/w", "/w", "/w2/a.ts", undefined],
  // Two slashes begin a host's share, and nothing else.
  ["//host/share/a.ts", "/", "/", "//host/share/a.ts", undefined],
  ["//host/share", "/", "/", "//host/share", undefined],
  ["//host", "/", "/", "/host", "host"],
  ["//host/", "/", "/", "/host", "host"],
  ["///w/a.ts", "/w", "/w", "/w/a.ts", "a.ts"],
  ["//host/share/x/a.ts", "//host/share", "/w", "//host/share/x/a.ts", "x/a.ts"],
  ["a\\b.ts", "/w", "/w", "/w/a\\b.ts", "a\\b.ts"],
  ["\\a\\b.ts", "/w", "/w", "/w/\\a\\b.ts", "\\a\\b.ts"],
  ["c:/w/a.ts", "/w", "/w", "c:/w/a.ts", undefined],
  ["a\\b.ts", "/w", "C:\\w", "c:/w/a/b.ts", undefined],
  ["a\\b.ts", "C:\\w", "/x", "/x/a/b.ts", undefined],
  ["a\\b.ts", "C:\\w", "C:\\w\\sub", "c:/w/sub/a/b.ts", "sub/a/b.ts"],
  ["C:a.ts", "C:\\w", "C:\\w", "c:/w/c:a.ts", "c:a.ts"],
  ["..\\..\\..\\a.ts", "C:\\w", "C:\\w", "c:/a.ts", undefined],
  ["C:\\", "C:\\", "C:\\w", "c:/", undefined],
  ["C:\\a.ts", "C:\\", "C:\\w", "c:/a.ts", "a.ts"],
  ["/c/w/a.ts", "\\\\host\\share", "\\\\host\\share", "/c/w/a.ts", undefined],
  ["/cx/w/a.ts", "C:\\w", "C:\\w", "/cx/w/a.ts", undefined],
  ["/c", "C:\\w", "C:\\w", "/c", undefined],
  ["x/c/w/a.ts", "C:\\w", "C:\\w", "c:/w/x/c/w/a.ts", "x/c/w/a.ts"],
  ["\\\\.\\c:\\w\\a.ts", "C:\\w", "C:\\w", "c:/w/a.ts", "a.ts"],
  ["\\\\?\\unc\\host\\share\\a.ts", "C:\\w", "C:\\w", "//host/share/a.ts", undefined],
  ["\\\\?\\UNCx\\a\\b.ts", "C:\\w", "C:\\w", "//?/UNCx/a/b.ts", undefined],
  ["\\\\host\\share\\a.ts", "C:\\w", "C:\\w", "//host/share/a.ts", undefined],
  ["C:\\W\\A.ts", "/w", "/w", "c:/W/A.ts", undefined],
])("%j in the root %j and the folder %j is %j", (path, at, directory, absolute, relative) => {
  const whole = relative ?? absolute
  const base = absolute.slice(absolute.lastIndexOf("/") + 1)
  expect(pathForm(path, { root: at, directory })).toEqual({ path: whole, absolute, relative, base })
})

test("a name is compared as it is, in one normal form", () => {
  expect(nameForm("e\u0301/../x")).toEqual({
    ...{ path: "\u00e9/../x", absolute: "\u00e9/../x", base: "\u00e9/../x" },
    relative: undefined,
  })
})

test("no path is looked into that is longer than any file system takes", () => {
  const folders = (length: number) => foldersAbove(`a/${"x".repeat(length - 4)}/a`, "/w").length
  expect([folders(4096), folders(4097)]).toEqual([2, 0])
  expect(foldersAbove(`${"a/".repeat(100)}x`, "/w")).toHaveLength(100)
  expect(foldersAbove("a/bower_components/b/x", "/w")).toEqual(["a"])
})

test("the folders of a drive that is written in another way", () => {
  expect(foldersAbove("/c/W/packages/api/a.ts", "C:\\w")).toEqual(["packages", "packages/api"])
})
