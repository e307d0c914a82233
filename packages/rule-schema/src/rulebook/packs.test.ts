import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileGate, findRuleSources, formatProblem, loadRulebook } from "../index.ts"
import { findPacks } from "./packs.ts"

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "rulebook-packs-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

const manifest = (more: object) =>
  JSON.stringify({ version: "1.2.0", "opencode-rulebook": { rules: "rules" }, ...more })

/** What is found for a session in `app/sub` of the git repository `app`; its root is left out of every text. */
async function find(packs?: readonly string[]) {
  const found = await findRuleSources({
    env: {},
    home: join(root, "home"),
    directory: join(root, "app/sub"),
    worktree: join(root, "app"),
    rulesOf: ["claude"],
    ...(packs && { packs }),
  })
  const bare = (text: string) => text.replaceAll(root, "")
  return {
    found,
    directories: found.directories.map(({ scope, path }) => `${scope} ${bare(path)}`),
    packs: found.packs,
    problems: found.problems.map((problem) => bare(`${problem.severity} ${problem.code} ${formatProblem(problem)}`)),
  }
}

const WITHOUT_PACKS = [
  "global /home/.config/opencode/rules",
  "project /app/.opencode/rules",
  "project /app/sub/.opencode/rules",
  "global /home/.claude/rules",
  "project /app/.claude/rules",
  "project /app/sub/.claude/rules",
]

test("our own places come first, then those of other tools, then packs, in the order in which they are named", async () => {
  await put("app/node_modules/@acme/rules/package.json", manifest({}))
  await put("app/sub/node_modules/b/package.json", `\uFEFF${manifest({ version: undefined })}`)
  const { found, ...rest } = await find(["b", "@acme/rules"])
  expect(rest).toEqual({
    directories: [
      ...WITHOUT_PACKS,
      "pack:b /app/sub/node_modules/b/rules",
      "pack:@acme/rules /app/node_modules/@acme/rules/rules",
    ],
    packs: ["b without a version", "@acme/rules 1.2.0"],
    problems: [],
  })
  const path = join(root, "app/node_modules/@acme/rules")
  expect(found.directories.at(-1)).toEqual({
    scope: "pack:@acme/rules",
    path: join(path, "rules"),
    root: join(root, "app/sub"),
    prefix: "",
    within: path,
    origin: { kind: "pack", name: "@acme/rules", version: "1.2.0" },
  })
})

test("a manifest may have a megabyte", async () => {
  const text = manifest({})
  await put("app/node_modules/b/package.json", text + " ".repeat(1024 * 1024 - text.length))
  const { packs, problems } = await find(["b"])
  expect([packs, problems]).toEqual([["b 1.2.0"], []])
})

test("without packs there is nothing to find and nothing to report", async () => {
  for (const packs of [undefined, []]) {
    const { found: _, ...rest } = await find(packs)
    expect(rest).toEqual({ directories: WITHOUT_PACKS, packs: [], problems: [] })
  }
})

test("the package nearest to the session's folder counts", async () => {
  await put("app/node_modules/b/package.json", manifest({ version: "1.0.0" }))
  await put("app/sub/node_modules/b/package.json", manifest({ version: "2.0.0" }))
  expect((await find(["b"])).packs).toEqual(["b 2.0.0"])
})

test("a package may be on a file system that hangs", async () => {
  await put("app/node_modules/b/package.json", manifest({}))
  const pass = spyOn(fileGate, "pass")
  try {
    await findPacks(["b"], [join(root, "app"), join(root, "app/sub")])
    expect(pass.mock.calls.map(([path, isForeign]) => [path.slice(root.length), isForeign])).toEqual([
      ["/app/sub/node_modules/b/package.json", true],
      ["/app/node_modules/b/package.json", true],
    ])
  } finally {
    pass.mockRestore()
  }
})

test("a pack's rules count from the session's folder, however deep that is", async () => {
  await put("app/node_modules/b/package.json", manifest({}))
  for (const folders of [["app"], ["app", "app/sub", "app/sub/deep"]].map((all) =>
    all.map((folder) => join(root, folder)),
  )) {
    const { directories } = await findPacks(["b"], folders)
    expect(directories.map((each) => each.root)).toEqual([folders.at(-1) ?? ""])
  }
})

describe("a pack without rules is one warning, at the place to look at", () => {
  const BAD = "Ask the package's author, or remove it from `packs`."
  const NO_FOLDER = `the pack b names no folder of rules ("opencode-rulebook": {"rules": "rules"}). ${BAD}`
  const OUTSIDE = "the pack b names a folder outside of itself. Remove it from `packs`."
  for (const [name, text, message] of [
    ["torn", "{", `the pack b has a package.json that can't be read. ${BAD}`],
    [
      "larger than a manifest is",
      " ".repeat(1024 * 1024 + 1),
      `the pack b has a package.json that can't be read. ${BAD}`,
    ],
    ["not a mapping", "null", NO_FOLDER],
    ["without the key", "{}", NO_FOLDER],
    ["with text for the key", '{ "opencode-rulebook": "rules" }', NO_FOLDER],
    ["without a folder", '{ "opencode-rulebook": {} }', NO_FOLDER],
    ["with an empty folder", '{ "opencode-rulebook": { "rules": "" } }', NO_FOLDER],
    ["with a number for a folder", '{ "opencode-rulebook": { "rules": 1 } }', NO_FOLDER],
    ["with the folder above", '{ "opencode-rulebook": { "rules": ".." } }', OUTSIDE],
    ["with a folder beside it", '{ "opencode-rulebook": { "rules": "../c" } }', OUTSIDE],
    ["with an absolute folder", '{ "opencode-rulebook": { "rules": "/etc" } }', OUTSIDE],
  ] as const) {
    test(`a manifest ${name}`, async () => {
      await put("app/node_modules/b/package.json", text)
      const { found: _, ...rest } = await find(["b"])
      expect(rest).toEqual({
        directories: WITHOUT_PACKS,
        packs: [],
        problems: [`warning bad-pack /app/node_modules/b/package.json:1:1: ${message}`],
      })
    })
  }

  test("a package that is not installed", async () => {
    expect((await find(["b"])).problems).toEqual([
      "warning missing-pack /app/sub/node_modules/b/package.json:1:1: the pack b is not installed. " +
        "Install it in the project, or remove it from `packs`.",
    ])
  })
})

test("a pack's rules may lie in its own folder, or in one whose name begins with dots, and no link leads out of it", async () => {
  const rules = async (folder: string) => {
    await put("app/node_modules/b/package.json", manifest({ "opencode-rulebook": { rules: folder } }))
    const { found } = await find(["b"])
    const { rules: all, problems } = await loadRulebook(found.directories)
    return [...all.map(({ id }) => String(id)), ...problems.map(({ code }) => code)]
  }
  await put("app/secret.md", "Secret")
  await put("app/node_modules/b/a.md", "Text")
  await put("app/node_modules/b/..rules/b.md", "Text")
  await symlink(join(root, "app/secret.md"), join(root, "app/node_modules/b/..rules/link.md"))
  await symlink("../a.md", join(root, "app/node_modules/b/..rules/near.md"))
  expect(await rules(".")).toEqual(["pack:b:a.md"])
  expect(await rules("..rules")).toEqual(["pack:b:b.md", "pack:b:near.md", "outside-link"])
})

test("a pack that is itself a link, as workspaces have it, is read where it leads", async () => {
  await put("app/packages/b/package.json", manifest({}))
  await put("app/packages/b/rules/a.md", "Text")
  await mkdir(join(root, "app/node_modules"))
  await symlink("../packages/b", join(root, "app/node_modules/b"))
  const { found } = await find(["b"])
  expect((await loadRulebook(found.directories)).rules.map(({ id }) => String(id))).toEqual(["pack:b:a.md"])
})
