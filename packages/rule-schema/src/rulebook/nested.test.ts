import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { findNestedRules, type SourceInput } from "../index.ts"

let root = ""
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-nested-")))
  for (const [path, text] of [
    [".opencode/rules/own.md", "Own"],
    ["api/.opencode/rules/b.md", "---\nglobs: src/*.ts\n---\nText"],
    ["api/.opencode/rules/a/x.md", "Text"],
    ["api/.opencode/rules/broken.md", "---\nglobs: [\n---\nText"],
    ["api/.cursor/rules/c.mdc", "---\nalwaysApply: true\n---\nText"],
    ["api/.claude/rules/none.md", "Text"],
    ["api/src/.opencode/rules/deep.md", "Text"],
    ["lib/.github/instructions/l.instructions.md", "---\napplyTo: '**'\n---\nText"],
    ["lib/.windsurf/rules/w.md", "Text"],
    ["lib/.kiro/steering/none.md", "Text"],
    ["lib/.continue/rules/none.md", "Text"],
    ["lib/.clinerules", "Text"],
    ["plain/readme.md", "Text"],
    ["file/.opencode/rules", "Text"],
  ] as const) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** What is found, without the root: the rules by id and root; then the problems. */
async function find(folders: readonly string[], known?: readonly string[], more: Partial<SourceInput> = {}) {
  const input = {
    env: {},
    home: join(root, "home"),
    directory: root,
    worktree: root,
    rulesOf: ["cursor", "claude", "copilot", "windsurf", "kiro", "continue", "cline"],
    ...more,
  } as const
  const found = await findNestedRules(input, folders, known)
  const bare = (text: string) => text.slice(root.length)
  return found.map(({ folder, rulebook: { rules, broken, problems } }) => ({
    folder,
    rules: rules.map(({ id, root: base, project }) => `${id} ${bare(base)} ${project === root}`),
    broken: broken.map(({ id }) => String(id)),
    problems: problems.map(({ file, code }) => `${bare(file)} ${code}`),
  }))
}

const API = {
  folder: "api",
  rules: ["project:api/.cursor/rules/c.mdc /api true", "project:api/a/x.md /api true", "project:api/b.md /api true"],
  broken: ["project:api/broken.md"],
  problems: ["/api/.opencode/rules/broken.md yaml-syntax"],
}
const LIB = {
  folder: "lib",
  rules: ["project:lib/.github/instructions/l.instructions.md /lib true", "project:lib/.windsurf/rules/w.md /lib true"],
  broken: [],
  problems: [],
}

test("each folder has its own rules and those of the tools that have them in nested folders too", async () => {
  expect(await find(["lib", "plain", "api"])).toEqual([LIB, API])
  expect(await find(["plain", "none"])).toEqual([])
  expect(await find(["api"], [], { rulesOf: [] })).toEqual([
    { ...API, rules: API.rules.filter((rule) => !rule.includes(".cursor")) },
  ])
})

test("a rules folder that is a file is a problem of its folder alone", async () => {
  const problems = ["/file/.opencode/rules bad-directory"]
  expect(await find(["file", "lib"])).toEqual([{ folder: "file", rules: [], broken: [], problems }, LIB])
})

test("a file that is a rule of the project, or of a folder before, is none of a folder's", async () => {
  const link = (to: string, at: string) => symlink(join(root, to), join(root, at))
  await link(".opencode/rules/own.md", "api/.opencode/rules/own.md")
  await link("plain/readme.md", "api/.opencode/rules/readme.md")
  await link("plain/readme.md", "lib/.windsurf/rules/readme.md")
  const readme = (folder: string) => `project:${folder}/readme.md /${folder.split("/")[0]} true`
  const inApi = { ...API, rules: [...API.rules, readme("api")] }
  expect(await find(["api", "lib"])).toEqual([inApi, LIB])
  expect(await find(["lib", "api"])).toEqual([
    { ...LIB, rules: [...LIB.rules, readme("lib/.windsurf/rules")].toSorted() },
    API,
  ])
  expect(await find(["lib"], ["api"])).toEqual([LIB])
})

test("a link out of the project is not followed, unless the user trusts them", async () => {
  await mkdir(join(root, "home"))
  await writeFile(join(root, "home/secret.md"), "Secret")
  await symlink(join(root, "home"), join(root, "api/src/.opencode/rules/home"))
  const inside = { directory: join(root, "api"), worktree: join(root, "api"), rulesOf: [] }
  const rules = ["project:src/deep.md /api/src false"]
  expect(await find(["src"], [], inside)).toEqual([
    { folder: "src", rules, broken: [], problems: ["/api/src/.opencode/rules/home outside-link"] },
  ])
  expect(await find(["src"], [], { ...inside, projectLinks: true })).toEqual([
    { folder: "src", rules: [...rules, "project:src/home/secret.md /api/src false"], broken: [], problems: [] },
  ])
})

test("the folders to watch are those of the rules that were there before too: what they have is no folder's", async () => {
  const input = { env: {}, home: join(root, "home"), directory: root, worktree: root }
  const [found] = await findNestedRules(input, ["api/src"])
  expect(found?.rulebook.folders.map((folder) => folder.slice(root.length))).toEqual([
    "/.opencode/rules",
    "/api/src/.opencode/rules",
  ])
})
