import { afterEach, beforeEach, expect, test } from "bun:test"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { instructionProblems, loadRulebook, ruleDirectories } from "../index.ts"

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
  ["", [], "app"],
])("instructions %p send the rules of %p (as OpenCode 1.18.33 does)", async (instruction, listed, folder) => {
  const problems = await problemsOf([instruction.replace("ROOT", root)], folder)
  expect(problems.map(({ file }) => file.slice(root.length)).toSorted()).toEqual(listed.toSorted())
})

test("one warning for a folder, with what names it and how many rules that is", async () => {
  const problems = await problemsOf([".opencode/rules/*.md", "README.md", ".opencode/rules/a.md", 5, null])
  expect(problems).toMatchObject([
    {
      severity: "warning",
      code: "also-instructions",
      file: join(root, APP),
      reason: expect.stringContaining(
        '(".opencode/rules/*.md", ".opencode/rules/a.md"), so OpenCode sends 2 rules of it',
      ),
      remedy: expect.stringContaining('Take that out of "instructions"'),
    },
  ])
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
