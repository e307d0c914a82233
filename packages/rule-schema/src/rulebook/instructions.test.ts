import { afterEach, beforeEach, expect, spyOn, test } from "bun:test"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileGate, instructionProblems, loadRulebook, type Rulebook, ruleDirectories } from "../index.ts"

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "rulebook-instructions-"))
  for (const path of [
    "app/.opencode/rules/a.md",
    "app/.opencode/rules/deep/b.md",
    "app/.opencode/rules/broken.md",
    "app/sub/.opencode/rules/s.md",
    "home/.config/opencode/rules/g.md",
    "docs/shared.md",
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), path.includes("broken") ? "---\nglobs: [\n---\nText" : "Text")
  }
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function problemsOf(instructions: unknown, folder = "app") {
  const place = { home: join(root, "home"), directory: join(root, folder), worktree: join(root, "app") }
  const directories = ruleDirectories({ ...place, env: {} })
  return instructionProblems(await loadRulebook(directories), directories, instructions, place)
}

const APP = "/app/.opencode/rules"
const SUB = "/app/sub/.opencode/rules"
const GLOBAL = "/home/.config/opencode/rules"

test.each<[instruction: string, listed: string[], folder: string]>([
  [".opencode/rules/*.md", [APP], "app"],
  ["./.opencode/rules/*.md", [APP], "app"],
  [".opencode/rules/a.md", [APP], "app"],
  [".opencode/rules/broken.md", [APP], "app"],
  [".opencode/rules/deep/*.md", [APP], "app"],
  [".opencode/**/*.md", [APP], "app"],
  ["**/*.md", [APP], "app"],
  ["**/rules/*.md", [APP, SUB], "app/sub"],
  ["{.opencode,docs}/rules/*.md", [APP], "app"],
  ["!(x)/rules/a.md", [APP], "app"],
  [".opencode/rules/*", [APP], "app"],
  [".opencode/rules/*.md", [APP, SUB], "app/sub"],
  ["../.opencode/rules/*.md", [APP], "app/sub"],
  ["ROOT/app/.opencode/rules/*.md", [APP], "app"],
  ["ROOT/app/.opencode/rules/a.md", [APP], "app"],
  ["ROOT/app/sub/../.opencode/rules/a.md", [APP], "app"],
  ["~/.config/opencode/rules/*.md", [GLOBAL], "app"],
  ["~/.config/opencode/rules/g.md", [GLOBAL], "app"],
  ["ROOT/home/.config/opencode/rules/*.md", [GLOBAL], "app"],
  [".opencode/rules", [], "app"],
  [".opencode/rules/", [], "app"],
  [".opencode/rules/*.mdc", [], "app"],
  ["*.md", [], "app"],
  ["docs/*.md", [], "app"],
  ["ROOT/app/.opencode/**/*.md", [], "app"],
  ["ROOT/app/*/rules/*.md", [], "app"],
  ["https://example.com/rules/a.md", [], "app"],
  ["~", [], "app"],
  ["~/", [], "app"],
  ["", [], "app"],
  [".", [], "app"],
  ["./", [], "app"],
  ["../", [], "app/sub"],
  ["/", [], "app"],
  ["x".repeat(70_000), [], "app"],
  ["./../././.opencode/rules/a.md", [APP], "app/sub"],
  ["../rules/a.md", [], "app"],
  ["!(x)/.opencode/rules/a.md", [], "app/sub"],
  ["..opencode/rules/a.md", [], "app"],
  ["~.config/opencode/rules/*.md", [], "app"],
  ["rules/*.md", [], "app"],
  ["ROOT/*/.opencode/rules/a.md", [], "app"],
  ["ROOT/app/.opencode/rules/?.md", [APP], "app"],
])("instructions %p send the rules of %p (as OpenCode 1.18.33 does)", async (instruction, listed, folder) => {
  const problems = await problemsOf([instruction.replace("ROOT", root)], folder)
  expect(problems.map(({ file }) => file.slice(root.length)).toSorted()).toEqual(listed.toSorted())
})

test("one warning for a folder, with what names it and how many rules that is", async () => {
  const reason = (names: string, count: string) =>
    `is listed in "instructions" of opencode.json too (${names}), so OpenCode sends ${count} of it with every request, and each that matches arrives twice`
  const remedy = 'Take that out of "instructions": the plugin delivers these rules when they match'
  const names = [".opencode/rules/*.md", "README.md", ".opencode/rules/a.md", 5, null]
  expect(await problemsOf(names)).toEqual([
    {
      ...{
        severity: "warning",
        code: "also-instructions",
        file: join(root, APP),
        line: 1,
        column: 1,
        field: undefined,
      },
      reason: reason('".opencode/rules/*.md", ".opencode/rules/a.md"', "2 rules"),
      remedy,
    },
  ])
  expect((await problemsOf([".opencode/rules/deep/*.md"])).map((problem) => problem.reason)).toEqual([
    reason('".opencode/rules/deep/*.md"', "one rule"),
  ])
})

test("on Windows, patterns have slashes and stay on their drive", async () => {
  const place = { home: "C:\\u", directory: "C:\\w\\app", worktree: "C:\\w", platform: "win32" }
  const paths = ["C:\\w\\app\\.opencode\\rules", "C:\\u\\.config\\opencode\\rules", "D:\\x\\rules"]
  const directories = paths.map((path) => ({ scope: "project", path, root: path, prefix: "" }) as const)
  const rules = paths.map((path) => ({ file: `${path}\\a.md` }))
  const book = { rules, broken: [], problems: [], folders: [] } as unknown as Rulebook
  const listed = async (instruction: string) => {
    const problems = await instructionProblems(book, directories, [instruction], place)
    return problems.map(({ file }) => paths.indexOf(file))
  }
  for (const [instruction, expected] of [
    [".opencode/rules/*.md", [0]],
    ["../app/.opencode/rules/*.md", [0]],
    ["app/.opencode/rules/a.md", [0]],
    ["c:\\W\\app\\.opencode\\rules\\*.md", [0]],
    ["C:/w/app/.opencode/rules/a.md", [0]],
    ["~/.config/opencode/rules/*.md", [1]],
    ["D:\\x\\rules\\*.md", [2]],
    ["**/rules/*.md", [0]],
  ] as const) {
    expect([instruction, await listed(instruction)]).toEqual([instruction, [...expected]])
  }
})

test("elsewhere upper case is not lower case", async () => {
  const place = { home: "/home/dev", directory: "/w/app", worktree: undefined, platform: "linux" }
  const directories = [{ scope: "project", path: "/w/app/.opencode/rules", root: "/w/app", prefix: "" } as const]
  const rules = [{ file: "/w/app/.opencode/rules/a.md" }]
  const book = { rules, broken: [], problems: [], folders: [] } as unknown as Rulebook
  for (const [instruction, count] of [
    ["/w/app/.opencode/rules/*.md", 1],
    ["/W/app/.opencode/rules/*.md", 0],
    ["/w/app/.opencode/rules/A.md", 0],
    ["C:/w/app/.opencode/rules/a.md", 0],
  ] as const) {
    expect([instruction, (await instructionProblems(book, directories, [instruction], place)).length]).toEqual([
      instruction,
      count,
    ])
  }
})

test("any folder that is looked at may be on a file system that hangs", async () => {
  const directories = [{ scope: "project", path: join(root, "app"), root, prefix: "" } as const]
  const book = await loadRulebook(directories)
  const pass = spyOn(fileGate, "pass")
  const place = { home: join(root, "home"), directory: join(root, "app"), worktree: undefined }
  try {
    await instructionProblems(book, directories, [join(root, "docs/*.md")], place)
    const looks = pass.mock.calls.map(([path, isForeign]) => [path.slice(root.length), isForeign])
    expect(looks).toEqual([["/docs", true]])
    await instructionProblems(
      { ...book, rules: [{ file: join(root, "docs/shared.md") }] as never },
      directories,
      [],
      place,
    )
    expect(pass).toHaveBeenCalledTimes(1)
  } finally {
    pass.mockRestore()
  }
})

test("a rule counts for the innermost of the rules folders that it is in", async () => {
  const path = (name: string) => ({ scope: "project", path: join(root, name), root, prefix: "" }) as const
  const directories = [path("app"), path("app/.opencode/rules"), path("home")]
  const place = { home: join(root, "home"), directory: join(root, "app"), worktree: undefined }
  const book = await loadRulebook([path("app/.opencode/rules")])
  const problems = await instructionProblems(book, directories, [".opencode/rules/*.md"], place)
  expect(problems.map(({ file }) => file)).toEqual([join(root, APP)])
})

test("a folder that is a link is named by either path", async () => {
  await mkdir(join(root, "app/docs"))
  await writeFile(join(root, "app/docs/linked.md"), "Text")
  await symlink("../../docs", join(root, "app/.opencode/rules/linked"))
  expect(await problemsOf(["docs/*.md"])).toHaveLength(1)
  expect(await problemsOf([".opencode/rules/linked/*.md"])).toHaveLength(1)
})

test.each([[undefined], [null], ["x"], [{}], [[]], [[5]]])("instructions %p are none", async (instructions) => {
  expect(await problemsOf(instructions)).toEqual([])
})
