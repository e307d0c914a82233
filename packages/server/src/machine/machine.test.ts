import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gitBranch } from "./branch.ts"
import { runsInCI } from "./ci.ts"
import { projectTags } from "./project.ts"
import { gitWorktree } from "./worktree.ts"

let scratch = ""
let made = 0

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "facts-"))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function tree(files: Record<string, string>): Promise<string> {
  const root = join(scratch, String(made++))
  await mkdir(root, { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  return root
}

test.each<[string, Record<string, string>, string | undefined]>([
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n" }, "main"],
  ["a branch with slashes", { ".git/HEAD": "ref: refs/heads/feature/a-b\n" }, "feature/a-b"],
  ["a detached head", { ".git/HEAD": "0123456789abcdef0123456789abcdef01234567\n" }, undefined],
  ["no git", {}, undefined],
  [
    "a linked working tree",
    { ".git": "gitdir: real/worktrees/x\n", "real/worktrees/x/HEAD": "ref: refs/heads/topic\n" },
    "topic",
  ],
  ["a link to nowhere", { ".git": "gitdir: /does/not/exist\n" }, undefined],
])("the branch of %s", async (_name, files, branch) => {
  expect(await gitBranch(await tree(files))).toBe(branch as string)
})

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ CI: "true" }, true],
  [{ CI: "1" }, true],
  [{ CI: "false" }, false],
  [{ CI: "0" }, false],
  [{ CI: "", GITHUB_ACTIONS: "true" }, true],
  [{ CI: "false", GITHUB_ACTIONS: "true" }, false],
  [{ TF_BUILD: "True" }, true],
])("%j: ci is %p", (env, ci) => {
  expect(runsInCI(env)).toBe(ci)
})

test.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ "package.json": "{}" }, ["node"]],
  [{ "package.json": "not json" }, ["node"]],
  [{ "package.json": '\uFEFF{"workspaces": ["packages/*"]}' }, ["node", "monorepo"]],
  [{ "pyproject.toml": "" }, ["python"]],
  [{ "requirements.txt": "" }, ["python"]],
  [{ "go.mod": "" }, ["go"]],
  [{ "Cargo.toml": "[package]" }, ["rust"]],
  [{ "Cargo.toml": "[workspace]\nmembers = []" }, ["rust", "monorepo"]],
  [{ "pnpm-workspace.yaml": "" }, ["monorepo"]],
  [{ "manifest.json": '{"manifest_version": 3}' }, ["browser-extension"]],
  [{ "manifest.json": '{"name": "a web app"}' }, []],
  [{ "package.json/nested": "a folder, no marker" }, []],
])("%j has the tags %j", async (files, tags) => {
  expect([...(await projectTags(await tree(files)))].toSorted()).toEqual(tags.toSorted())
})

test("the working tree around a folder is the nearest folder with a .git, of any kind", async () => {
  const root = await tree({ ".git/HEAD": "x", "a/b/c.txt": "", "a/linked/.git": "gitdir: x\n", "a/linked/d/e.txt": "" })
  expect(await gitWorktree(join(root, "a/b"))).toBe(root)
  expect(await gitWorktree(join(root, "a/linked/d"))).toBe(join(root, "a/linked"))
  expect(await gitWorktree(join(root, "not/there/yet"))).toBe(root)
  expect(await gitWorktree("/")).toBeUndefined()
})
