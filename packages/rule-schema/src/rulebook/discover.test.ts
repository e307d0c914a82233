import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileProblem, formatProblem } from "../problems.ts"
import { TOOL_NAMES } from "../sources/table.ts"
import { ruleDirectories } from "./directories.ts"
import { discoverRules } from "./discover.ts"
import { createFileGate, type FileGate } from "./file-gate.ts"
import { loadRulebook } from "./load.ts"

let root = ""
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-discover-")))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, content = "Text"): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

const bare = (text: string) => text.replaceAll(root, "")
const directory = (path: string, scope: "global" | "project" | `pack:${string}` = "project") => {
  return { scope, path: join(root, path), root, prefix: "" } as const
}

test("in each tool's folders the files count that are rules to the tool", async () => {
  for (const path of [
    ...["app/.opencode/rules/a.md", "app/.opencode/rules/b.txt", "app/.opencode/rules/c.mdx"],
    ...["app/.cursor/rules/a.mdc", "app/.cursor/rules/deep/RULE.md", "app/.cursor/rules/a.txt"],
    ...["app/.github/instructions/a.instructions.md", "app/.github/instructions/b.md"],
    ...["app/.github/instructions/a.instructions.md.txt", "home/.copilot/instructions/a.instructions.md.txt"],
    ...[
      "app/.cline/rules/a.md.bak",
      "app/.clinerules/a.md.bak",
      "home/Cline/Rules/a.txt.bak",
      "home/Documents/Cline/Rules/a.md~",
    ],
    "home/.codeium/windsurf/memories/global_rules.md.bak",
    ...["app/.github/instructions/deep/C.INSTRUCTIONS.MD", "home/.copilot/instructions/d.instructions.md"],
    "home/.copilot/instructions/e.md",
    ...["home/.codeium/windsurf/memories/global_rules.md", "home/.codeium/windsurf/memories/my_global_rules.md"],
    ...["app/.clinerules/a.md", "app/.clinerules/b.TXT", "app/.clinerules/c.mdc"],
    ...["workflows", "hooks", "skills", "more"].map((folder) => `app/.clinerules/${folder}/a.md`),
    ...["app/.cline/rules/a.txt", "app/.cline/rules/hooks/a.md", "home/Cline/Rules/a.txt"],
    ...["home/Documents/Cline/Rules/a.md", "home/Documents/Cline/Rules/b.mdc"],
  ])
    await put(path)
  const place = { env: {}, home: join(root, "home"), directory: join(root, "app"), worktree: undefined }
  const found = await discoverRules(ruleDirectories({ ...place, rulesOf: TOOL_NAMES }))
  expect(found.problems).toEqual([])
  expect(found.files.map(({ path }) => bare(path))).toEqual([
    "/app/.opencode/rules/a.md",
    "/app/.cursor/rules/a.mdc",
    "/app/.cursor/rules/deep/RULE.md",
    "/home/.copilot/instructions/d.instructions.md",
    "/app/.github/instructions/a.instructions.md",
    "/app/.github/instructions/deep/C.INSTRUCTIONS.MD",
    "/home/.codeium/windsurf/memories/global_rules.md",
    "/home/Documents/Cline/Rules/a.md",
    "/home/Cline/Rules/a.txt",
    "/app/.clinerules/a.md",
    "/app/.clinerules/b.TXT",
    "/app/.clinerules/more/a.md",
    "/app/.cline/rules/a.txt",
    "/app/.cline/rules/hooks/a.md",
  ])
})

describe("a file in the place of a rules folder", () => {
  const load = async (rulesOf: (typeof TOOL_NAMES)[number], projectLinks?: boolean) => {
    const place = { env: {}, home: join(root, "home"), directory: join(root, "app"), worktree: undefined }
    const book = await loadRulebook(ruleDirectories({ ...place, rulesOf: [rulesOf], projectLinks }))
    const problems = book.problems.map(
      (problem) => `${problem.severity} ${problem.code} ${bare(formatProblem(problem))}`,
    )
    return { rules: book.rules.map(({ id, name }) => `${id} ${name}`), problems, folders: book.folders.map(bare) }
  }

  test("is a rule where the tool has it so", async () => {
    await put("app/.clinerules", "Text")
    expect(await load("cline")).toEqual({
      rules: ["project:.clinerules/ .clinerules"],
      problems: [],
      folders: ["/app"],
    })
  })

  test("is found at its own place, and no link led to it", async () => {
    await put("app/.clinerules", "Text")
    const place = { env: {}, home: join(root, "home"), directory: join(root, "app"), worktree: undefined }
    const { files } = await discoverRules(ruleDirectories({ ...place, rulesOf: ["cline"] }))
    expect(files.map(({ path, isForeign }) => [bare(path), isForeign])).toEqual([["/app/.clinerules", false]])
  })

  test("that is no regular file is an error", async () => {
    // Windows has no pipes among the files of a folder.
    if (process.platform === "win32") return
    await mkdir(join(root, "app"))
    Bun.spawnSync(["mkfifo", join(root, "app/.clinerules")])
    expect((await load("cline")).problems).toEqual([
      "error unreadable /app/.clinerules:1:1: is not a regular file. Repair or remove it.",
    ])
  })

  test("is an error elsewhere", async () => {
    await put("app/.kiro/steering", "Text")
    expect(await load("kiro")).toEqual({
      rules: [],
      problems: [
        "error bad-directory /app/.kiro/steering:1:1: is not a folder. Put rule files in a folder of this name.",
      ],
      folders: [],
    })
  })

  test("that is a link out of the project is not read, unless the user trusts them", async () => {
    await put("home/secret.md", "Secret")
    await put("app/readme.md")
    await symlink(join(root, "home/secret.md"), join(root, "app/.clinerules"))
    expect(await load("cline")).toEqual({
      rules: [],
      problems: [
        "warning outside-link /app/.clinerules:1:1: leads out of the project, to /home/secret.md, so it is not read. " +
          "Put the file into the project, or set the plugin's option \"projectLinks\": true in opencode.json to trust this project's links.",
      ],
      folders: [],
    })
    expect(await load("cline", true)).toEqual({
      rules: ["project:.clinerules/ .clinerules"],
      problems: [],
      folders: ["/home"],
    })
  })
})

test("what is no rule's file is one problem where its name is a rule's, or has no ending", async () => {
  await put("p/good.md")
  for (const folder of ["sub", "v1.0"]) await mkdir(join(root, "p", folder))
  for (const name of ["gone.md", "gone", "gone.txt", "sub/gone.mdc", "v1.0/gone"]) {
    await symlink("nowhere", join(root, "p", name))
  }
  const problems = ["/p/gone", "/p/gone.md", "/p/sub/gone.mdc", "/p/v1.0/gone"].map((path) => {
    return `${path}:1:1: is a link to a file that does not exist. Repair or remove it.`
  })
  if (process.platform !== "win32") {
    for (const name of ["pipe.md", "pipe", "pipe.txt"]) Bun.spawnSync(["mkfifo", join(root, "p", name)])
    problems.splice(2, 0, "/p/pipe.md:1:1: is not a regular file. Repair or remove it.")
  }
  const book = await loadRulebook([directory("p")])
  expect(book.rules.map(({ id }) => String(id))).toEqual(["project:good.md"])
  expect(book.broken).toEqual([])
  expect(book.problems.map(formatProblem).map(bare)).toEqual(
    problems.map((problem) => problem.replace(/(\.mdc?:1:1: .*?)\. /, "$1, so this rule never matches. ")),
  )
  expect(book.problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
    problems.map(() => "error unreadable"),
  )
})

test("a folder that refuses to be listed is one problem, and the rules beside it are found", async () => {
  for (const path of ["p/a.md", "p/locked/b.md", "p/z.md"]) await put(path)
  const gate = createFileGate(1000)
  let looks = 0
  // What a folder's mode forbids does not hold for root. The folder is looked at, and then listed.
  const refusing: FileGate = {
    pass: (path, isForeign, work) =>
      path.endsWith("locked") && looks++ > 0
        ? Promise.reject(new Error("EACCES: no"))
        : gate.pass(path, isForeign, work),
  }
  const found = await discoverRules([directory("p")], refusing)
  expect(found.files.map(({ path }) => bare(path))).toEqual(["/p/a.md", "/p/z.md"])
  expect(found.problems).toEqual([
    fileProblem(
      join(root, "p/locked"),
      "error",
      "unreadable",
      "the folder can't be read: EACCES: no",
      "Check its permissions",
    ),
  ])
})

test("a rules folder that refuses to be looked at is a problem, unlike one that is not there", async () => {
  for (const [code, expected] of [
    ["EACCES", ["can't be read: EACCES: no"]],
    ["ENOENT", []],
    ["ENOTDIR", []],
  ] as const) {
    const refusing: FileGate = { pass: () => Promise.reject(Object.assign(new Error(`${code}: no`), { code })) }
    const { problems } = await discoverRules([directory("p")], refusing)
    expect([code, problems.map(({ reason }) => reason)]).toEqual([code, [...expected]])
  }
})

test("links stay in the project also where its real path can't be found", async () => {
  for (const path of ["app/.opencode/rules/a.md", "home/secret.md"]) await put(path)
  await symlink(join(root, "home/secret.md"), join(root, "app/.opencode/rules/link.md"))
  const app = join(root, "app")
  const gate = createFileGate(1000)
  const refusing: FileGate = {
    pass: (path, isForeign, work) =>
      path === app ? Promise.reject(new Error("EACCES: no")) : gate.pass(path, isForeign, work),
  }
  const place = { env: {}, home: join(root, "nobody"), directory: app, worktree: undefined }
  const { files, problems } = await discoverRules(ruleDirectories(place), refusing)
  expect(files.map(({ path }) => bare(path))).toEqual(["/app/.opencode/rules/a.md"])
  expect(problems.map(({ code, file }) => [code, bare(file)])).toEqual([
    ["outside-link", "/app/.opencode/rules/link.md"],
  ])
})

test("a rules folder below a file is not there", async () => {
  await put("app/.opencode")
  expect(await discoverRules([directory("app/.opencode/rules")])).toEqual({ files: [], problems: [], folders: [] })
})

test("a file is found with what tells its states apart", async () => {
  await put("p/a.md", "12345")
  const { ino, size, mtimeMs, ctimeMs } = await stat(join(root, "p/a.md"))
  expect(await discoverRules([directory("p")])).toEqual({
    files: [
      {
        ...{ directory: directory("p"), path: join(root, "p/a.md"), isForeign: false, size: 5, changed: ctimeMs },
        stamp: `${ino}:${size}:${mtimeMs}:${ctimeMs}`,
      },
    ],
    problems: [],
    folders: [join(root, "p")],
  })
})

test("what was reached by a link is marked, with all below it", async () => {
  await put("p/own/a.md", "12345")
  await put("elsewhere/deep/b.md", "1")
  await symlink(join(root, "elsewhere"), join(root, "p/linked"))
  const { files } = await discoverRules([directory("p")])
  expect(files.map(({ path, isForeign, size }) => [bare(path), isForeign, size])).toEqual([
    ["/p/linked/deep/b.md", true, 1],
    ["/p/own/a.md", false, 5],
  ])
})

test("global rules come first, and all others by their path, whatever their scope", async () => {
  for (const path of ["z/z.md", "p/b.md", "p/d.md", "n/c.md", "q/a.md"]) await put(path)
  const directories = [directory("q", "pack:q"), directory("p"), directory("n", "pack:n"), directory("z", "global")]
  for (const each of [directories, directories.toReversed()]) {
    const { rules } = await loadRulebook(each)
    expect(rules.map(({ id }) => String(id))).toEqual([
      "global:z.md",
      "pack:n:c.md",
      "project:b.md",
      "project:d.md",
      "pack:q:a.md",
    ])
  }
})

test("of two files with one identity the first stays; the other is an error that names both", async () => {
  await put("a/x.md", "---\nglobs: [\n---\nText")
  await put("b/x.md")
  await symlink("nowhere", join(root, "b/gone.md"))
  const book = await loadRulebook([directory("a"), directory("b")])
  expect(book.rules).toEqual([])
  expect(book.broken.map(({ file }) => bare(file))).toEqual(["/a/x.md"])
  expect(book.problems.map(({ code }) => code)).toEqual(["unreadable", "yaml-syntax", "duplicate-id"])
  expect(bare(formatProblem(book.problems[2] as never))).toBe(
    "/b/x.md:1:1: has the same identity as /a/x.md, so this rule never matches. Rename one of the two files.",
  )
})
