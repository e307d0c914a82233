import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gitBranch } from "./branch.ts"
import { runsInCI } from "./ci.ts"
import { createProjectTags, projectTags } from "./project.ts"
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

/** What `git init --ref-format=reftable` leaves where others have their HEAD (git 2.45 and later). */
function reftable(folder: string): Record<string, string> {
  return {
    [`${folder}HEAD`]: "ref: refs/heads/.invalid\n",
    [`${folder}config`]: "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n",
    [`${folder}refs/heads`]: "this repository uses the reftable format\n",
    [`${folder}reftable/tables.list`]: "0x000000000001-0x000000000002-7d4c1aeb.ref\n",
  }
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
  ["a file of another kind", { ".git": "x gitdir: real/x\n", "real/x/HEAD": "ref: refs/heads/topic\n" }, undefined],
  ["a link below other text", { ".git": "x\ngitdir: real/x\n", "real/x/HEAD": "ref: refs/heads/topic\n" }, undefined],
  ["a link to nowhere", { ".git": "gitdir: /does/not/exist\n" }, undefined],
  ["a submodule", { ".git": "gitdir: modules/x\n", "modules/x/HEAD": "ref: refs/heads/fix/a\n" }, "fix/a"],
  ["a repository of references in tables", reftable(".git/"), undefined],
  [
    "a linked working tree of one",
    { ".git": "gitdir: real/worktrees/x\n", ...reftable("real/worktrees/x/") },
    undefined,
  ],
  ["a HEAD that names no branch", { ".git/HEAD": "ref: refs/heads/\n" }, undefined],
  ["a HEAD that names a part without a name", { ".git/HEAD": "ref: refs/heads/a//b\n" }, undefined],
  ["a HEAD that names a hidden part", { ".git/HEAD": "ref: refs/heads/a/.b\n" }, undefined],
  ["a HEAD with more than a reference", { ".git/HEAD": `ref: refs/heads/main\n${" ".repeat(65_516)}` }, undefined],
  ["a HEAD with text before it", { ".git/HEAD": "x ref: refs/heads/main\n" }, undefined],
  ["a HEAD with spaces around it", { ".git/HEAD": "ref:refs/heads/a b  \n" }, "a b"],
  ["a HEAD that names a tag", { ".git/HEAD": "ref: refs/tags/v1\n" }, undefined],
  ["an empty HEAD", { ".git/HEAD": "" }, undefined],
  ["a HEAD with the line ends of Windows", { ".git/HEAD": "ref: refs/heads/main\r\n" }, "main"],
  [
    "a link with the line ends of Windows",
    { ".git": "gitdir: real/x\r\n", "real/x/HEAD": "ref: refs/heads/topic\r\n" },
    "topic",
  ],
])("the branch of %s", async (_name, files, branch) => {
  expect(await gitBranch(await tree(files))).toBe(branch as string)
})

test("the branch of real repositories: at work, unborn, detached, linked, a submodule, moved away", async () => {
  const root = await tree({ "a.txt": "" })
  const git = async (folder: string, ...args: string[]) => {
    const settings = "user.name=x user.email=x@example.invalid init.defaultBranch=main protocol.file.allow=always"
    const given = settings.split(" ").flatMap((setting) => ["-c", setting])
    const env = { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" }
    const child = Bun.spawn(["git", ...given, ...args], {
      cwd: join(root, folder),
      env,
      stderr: "pipe",
      stdout: "ignore",
    })
    if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
  }
  await git(".", "init", "-q", "work")
  expect(await gitBranch(join(root, "work"))).toBe("main")
  await git("work", "commit", "-q", "--allow-empty", "-m", "one")
  await git("work", "checkout", "-q", "-b", "feature/a-b")
  expect(await gitBranch(join(root, "work"))).toBe("feature/a-b")
  await git("work", "worktree", "add", "-q", "-b", "topic", "../linked")
  expect(await gitBranch(join(root, "linked"))).toBe("topic")
  await git("work", "submodule", "--quiet", "add", join(root, "work"), "sub")
  await git("work/sub", "checkout", "-q", "-b", "inner")
  expect(await gitBranch(join(root, "work/sub"))).toBe("inner")
  await git("work", "checkout", "-q", "--detach")
  expect(await gitBranch(join(root, "work"))).toBeUndefined()
  await rename(join(root, "work"), join(root, "moved"))
  expect(await gitBranch(join(root, "linked"))).toBeUndefined()
})

// Windows has no pipes among the files of a folder, and no devices.
test.if(process.platform !== "win32")("a HEAD that is no file, or has no end, is none", async () => {
  const root = await tree({ ".git/config": "" })
  expect(Bun.spawnSync(["mkfifo", join(root, ".git/HEAD")]).exitCode).toBe(0)
  expect(await gitBranch(root)).toBeUndefined()
  await rm(join(root, ".git/HEAD"))
  await symlink("/dev/zero", join(root, ".git/HEAD"))
  expect(await gitBranch(root)).toBeUndefined()
})

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ CI: "true" }, true],
  [{ CI: "1" }, true],
  [{ CI: "false" }, false],
  [{ CI: "0" }, false],
  [{ CI: "", GITHUB_ACTIONS: "true" }, true],
  [{ CI: "false", GITHUB_ACTIONS: "true" }, false],
  ...["CONTINUOUS_INTEGRATION", "GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "CIRCLECI", "TF_BUILD"].map(
    (name): [Record<string, string>, boolean] => [{ [name]: "True" }, true],
  ),
  [{ TEAMCITY_VERSION: "2026.1" }, true],
  [{ JENKINS_URL: "https://ci.example" }, true],
  [{ GITHUB_ACTIONS: "false", GITLAB_CI: "true" }, true],
  [{ CI: "no" }, false],
  [{ CI: " OFF " }, false],
  [{ CI: "nope" }, true],
  [{ CI: "" }, false],
  [{ GITHUB_ACTIONS: "" }, false],
  [{ BUILDKITE: " Off " }, false],
])("%j: ci is %p", (env, ci) => {
  expect(runsInCI(env)).toBe(ci)
})

test.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ "package.json": "{}" }, ["node"]],
  [{ "package.json": "not json" }, ["node"]],
  [{ "package.json": '\uFEFF{"workspaces": ["packages/*"]}' }, ["node", "monorepo"]],
  ...["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"].map(
    (file): [Record<string, string>, string[]] => [{ [file]: "" }, ["python"]],
  ),
  [{ "go.mod": "" }, ["go"]],
  [{ "go.work": "" }, ["go", "monorepo"]],
  ...["pnpm-workspace.yaml", "lerna.json", "nx.json", "turbo.json", "rush.json"].map(
    (file): [Record<string, string>, string[]] => [{ [file]: "" }, ["monorepo"]],
  ),
  [{ "Cargo.toml": "[package]" }, ["rust"]],
  [{ "Cargo.toml": "[workspace]\nmembers = []" }, ["rust", "monorepo"]],
  [{ "Cargo.toml": "[package]\nname = 'a'\n\n  [workspace.package]" }, ["rust", "monorepo"]],
  [{ "Cargo.toml": "# see [workspace]\n[workspaces]" }, ["rust"]],
  [{ "package.json": '{"name": "workspaces"}' }, ["node"]],
  [{ "package.json": "null" }, ["node"]],
  [{ "package.json": '"workspaces"' }, ["node"]],
  ...["manifest.json", "src/manifest.json", "public/manifest.json"].map((file): [Record<string, string>, string[]] => [
    { [file]: '{"manifest_version": 3}' },
    ["browser-extension"],
  ]),
  [{ "wxt.config.ts": "" }, ["browser-extension"]],
  [{ "wxt.config.js": "" }, ["browser-extension"]],
  [{ "manifest.json": '{"name": "a web app"}' }, []],
  [{ "package.json/nested": "a folder, no marker" }, []],
])("%j has the tags %j", async (files, tags) => {
  expect([...(await projectTags(await tree(files), undefined))].toSorted()).toEqual(tags.toSorted())
})

test("a file of more than 10 MiB is not looked into", async () => {
  const root = await tree({ "manifest.json": `{"manifest_version": 3}${" ".repeat(10 * 1024 * 1024)}` })
  expect([...(await projectTags(root, undefined))]).toEqual([])
})

test("tags are those of the folder and of each one above it up to the working tree's root, and of no other", async () => {
  const root = await tree({
    "Cargo.toml": "",
    "work/package.json": '{"workspaces": ["packages/*"]}',
    "work/packages/x/go.mod": "",
    "work/packages/x/src/pyproject.toml": "",
  })
  const tags = async (directory: string, worktree: string | undefined) => {
    const found = await projectTags(join(root, directory), worktree === undefined ? undefined : join(root, worktree))
    return [...found].toSorted()
  }
  expect(await tags("work/packages/x", "work")).toEqual(["go", "monorepo", "node"])
  expect(await tags("work", "work")).toEqual(["monorepo", "node"])
  expect(await tags("work/packages/x", undefined)).toEqual(["go"])
  expect(await tags("work/packages/x", "elsewhere")).toEqual(["go"])
})

test("a marker that comes or goes is seen; as long as none does, the tags are the same object", async () => {
  const root = await tree({ "go.mod": "" })
  const ask = createProjectTags(root, undefined)
  const first = await ask()
  expect(await ask()).toBe(first)
  await writeFile(join(root, "package.json"), "{}")
  const second = await ask()
  expect([...second].toSorted()).toEqual(["go", "node"])
  expect(await ask()).toBe(second)
  await rm(join(root, "go.mod"))
  expect([...(await ask())]).toEqual(["node"])
  await rm(join(root, "package.json"))
  await writeFile(join(root, "setup.py"), "")
  expect([...(await ask())]).toEqual(["python"])
})

// Windows has no pipes among the files of a folder.
test.if(process.platform !== "win32")(
  "a marker that is no regular file is none, and keeps nobody waiting",
  async () => {
    const root = await tree({ "go.mod": "" })
    expect(Bun.spawnSync(["mkfifo", join(root, "package.json"), join(root, "Cargo.toml")]).exitCode).toBe(0)
    expect([...(await projectTags(root, undefined))]).toEqual(["go"])
  },
)

test("a link to a working tree's folder can be absolute", async () => {
  const real = await tree({ "worktrees/x/HEAD": "ref: refs/heads/topic\n" })
  expect(await gitBranch(await tree({ ".git": `gitdir: ${real}/worktrees/x\n` }))).toBe("topic")
})

test("the working tree around a folder is the nearest folder with a .git, of any kind", async () => {
  const root = await tree({ ".git/HEAD": "x", "a/b/c.txt": "", "a/linked/.git": "gitdir: x\n", "a/linked/d/e.txt": "" })
  expect(await gitWorktree(join(root, "a/b"))).toBe(root)
  expect(await gitWorktree(join(root, "a/linked/d"))).toBe(join(root, "a/linked"))
  expect(await gitWorktree(join(root, "not/there/yet"))).toBe(root)
  expect(await gitWorktree("/")).toBeUndefined()
})
