import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { loadRulebook, type RuleDirectory, ruleDirectories } from "../index.ts"

let root = ""
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "rulebook-"))
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

function directory(path: string, scope: RuleDirectory["scope"] = "project", prefix = ""): RuleDirectory {
  return { scope, path: join(root, path), root, prefix }
}

describe("loadRulebook", () => {
  test("finds .md and .mdc recursively, sorted, the user's first; hidden and other files are skipped", async () => {
    for (const path of ["p/b.md", "p/a/x.MDC", "p/.hidden.md", "p/.h/y.md", "p/z.txt", "g/z.md"])
      await put(path, "Text")
    const book = await loadRulebook([directory("p"), directory("g", "global"), directory("none")])
    expect(book.rules.map((rule) => rule.id as string)).toEqual(["global:z.md", "project:a/x.MDC", "project:b.md"])
    expect(book.problems).toEqual([])
  })

  test("the order is that of code units, whatever the locale; of two links to one file the first counts", async () => {
    await put("elsewhere/x.md", "Text")
    for (const name of ["a.md", "B.md"]) await put(`p/${name}`, "Text")
    for (const name of ["l.md", "M.md"]) await symlink(join(root, "elsewhere/x.md"), join(root, `p/${name}`))
    const book = await loadRulebook([directory("p")])
    expect(book.rules.map((rule) => rule.id as string)).toEqual(["project:B.md", "project:M.md", "project:a.md"])
  })

  test("a folder that two directories lead to is looked into once, and what is wrong in it is told once", async () => {
    await put("p/a.md", "Text")
    await symlink("nowhere.md", join(root, "p/gone.md"))
    await symlink(join(root, "p"), join(root, "q"))
    const book = await loadRulebook([directory("p"), directory("q", "global")])
    expect(book.rules.map((rule) => rule.id as string)).toEqual(["project:a.md"])
    expect(book.problems.map((problem) => problem.file.slice(root.length))).toEqual(["/p/gone.md"])
  })

  test("links are followed once, loops end, one real file is one rule", async () => {
    await put("p/a.md", "Text")
    await put("shared/s.md", "Text")
    await symlink(join(root, "p"), join(root, "p/loop"))
    await symlink(join(root, "shared"), join(root, "p/shared"))
    await symlink(join(root, "shared/s.md"), join(root, "p/zz.md"))
    await symlink("self.md", join(root, "p/self.md"))
    await symlink("nowhere.md", join(root, "p/broken.md"))
    await symlink("nowhere", join(root, "p/gone"))
    const book = await loadRulebook([directory("p"), directory("shared", "global")])
    expect(book.rules.map((rule) => rule.id as string)).toEqual(["project:a.md", "project:shared/s.md"])
    expect(book.problems.map((problem) => problem.file.slice(root.length))).toEqual([
      "/p/broken.md",
      "/p/gone",
      "/p/self.md",
    ])
    const real = await realpath(root)
    expect(book.folders.map((folder) => folder.slice(real.length))).toEqual(["/p", "/shared"])
  })

  test("the folders to watch are those looked into, empty ones too, and those that links lead to", async () => {
    await put("p/sub/deep/.keep", "")
    await put("elsewhere/a.md", "Text")
    await put("p/.git/b.md", "Text")
    await symlink(join(root, "elsewhere/a.md"), join(root, "p/a.md"))
    const book = await loadRulebook([directory("p"), directory("none", "global")])
    const real = await realpath(root)
    expect(book.folders.map((folder) => folder.slice(real.length)).toSorted()).toEqual([
      "/elsewhere",
      "/p",
      "/p/sub",
      "/p/sub/deep",
    ])
  })

  test("a project's links may lead to what is in the project only, unless the user says so", async () => {
    await put("app/.opencode/rules/own.md", "Own")
    await put("app/docs/inside.md", "Inside")
    await put("home/secret.md", "Secret")
    await put("home/more/secrets.md", "Secrets")
    await put("home/notes.txt", "Notes")
    await put("application/near.md", "Near")
    const rules = join(root, "app/.opencode/rules")
    for (const [to, name] of [
      ["../../docs", "docs"],
      [join(root, "home/secret.md"), "absolute.md"],
      ["../../../home/secret.md", "relative.md"],
      ["../../../home", "folder"],
      ["../../../home/notes.txt", "notes.txt"],
      ["../../../application/near.md", "near.md"],
      ["absolute.md", "twice.md"],
    ] as const)
      await symlink(to, join(rules, name))
    await symlink(join(root, "app"), join(root, "alias"))
    const load = (projectLinks: boolean | undefined, worktree = join(root, "app")) => {
      const place = { directory: worktree, worktree, projectLinks, env: {}, home: join(root, "nobody") }
      return loadRulebook(ruleDirectories(place))
    }
    for (const worktree of [join(root, "app"), join(root, "alias")]) {
      const book = await load(undefined, worktree)
      expect(book.rules.map(({ name }) => name)).toEqual(["inside", "own"])
      expect(book.problems.map(({ file, code }) => [file.slice(worktree.length + 17), code])).toEqual(
        ["absolute.md", "folder", "near.md", "relative.md", "twice.md"].map((name) => [name, "outside-link"]),
      )
    }
    const trusted = await load(true)
    expect(trusted.rules.map(({ body }) => body).toSorted()).toEqual(["Inside", "Near", "Own", "Secret", "Secrets"])
    expect(trusted.problems).toEqual([])
  })

  test("a project's rules folder that is itself a link out of the project is not read; the user's is", async () => {
    await put("home/a.md", "A")
    await put("home/b.md", "B")
    await put("app/.opencode/.keep", "")
    await put("config/.keep", "")
    await symlink(join(root, "home"), join(root, "app/.opencode/rules"))
    await symlink(join(root, "home"), join(root, "config/rules"))
    const place = { directory: join(root, "app"), worktree: undefined, home: root }
    const book = await loadRulebook(ruleDirectories({ ...place, env: {} }))
    expect(book.rules).toEqual([])
    expect(book.problems.map(({ code, file }) => [code, file])).toEqual([
      ["outside-link", join(root, "app/.opencode/rules")],
    ])
    const both = await loadRulebook(ruleDirectories({ ...place, env: { OPENCODE_CONFIG_DIR: join(root, "config") } }))
    expect(both.rules.map(({ id }) => id as string)).toEqual(["global:a.md", "global:b.md"])
  })

  test("what can't be read stops nothing else", async () => {
    await put("p/good.md", "Text")
    await put("p/latin1.md", new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
    await put("p/utf16.md", new Uint8Array([0xff, 0xfe, 0x61, 0x00]))
    await put("p/bad.md", "---\nglobs: [\n---\nText")
    await put("p/huge.md", new Uint8Array(10 * 1024 * 1024 + 1))
    await put("file", "no folder")
    // Windows has no pipes among the files of a folder.
    const hasPipes = process.platform !== "win32"
    if (hasPipes) expect(Bun.spawnSync(["mkfifo", join(root, "p/pipe.md")]).exitCode).toBe(0)
    const book = await loadRulebook([directory("p"), directory("file", "global")])
    expect(book.rules.map((rule) => rule.name)).toEqual(["good"])
    expect(book.broken.map((rule) => [rule.name, rule.problems[0]?.code])).toEqual([
      ["bad", "yaml-syntax"],
      ["huge", "too-large"],
      ["latin1", "not-utf8"],
      ["utf16", "not-utf8"],
    ])
    expect(book.problems.map((problem) => problem.code).toSorted()).toEqual(
      [
        "bad-directory",
        "not-utf8",
        "not-utf8",
        "too-large",
        ...(hasPipes ? ["unreadable"] : []),
        "yaml-syntax",
      ].toSorted(),
    )
  })

  test("a file that can't be read is a broken rule with what is known of it", async () => {
    await put("p/latin1.md", new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
    await put("p/huge.md", new Uint8Array(10 * 1024 * 1024 + 1))
    await put("p/large.md", "x".repeat(10 * 1024 * 1024))
    const origin = { kind: "pack", name: "p", version: "1" } as const
    const book = await loadRulebook([{ ...directory("p", "pack:p", "x/"), origin }])
    const broken = (name: string, content: string | Uint8Array, code: string, reason: string, remedy: string) => {
      const at = join(root, "p", `${name}.md`)
      const problem = { severity: "error", code, file: at, line: 1, column: 1, field: undefined, reason, remedy }
      const digest = createHash("sha256").update(content).digest("hex").slice(0, 32)
      return { id: `pack:p:x/${name}.md`, scope: "pack:p", file: at, name, origin, digest, problems: [problem] }
    }
    expect(book.rules.map(({ name }) => name)).toEqual(["large"])
    expect(book.broken).toEqual([
      broken("huge", "", "too-large", "is larger than 10 MB", "Split it, or move its text elsewhere"),
      broken("latin1", new Uint8Array([0x63, 0x61, 0x66, 0xe9]), "not-utf8", "is not UTF-8 text", "Save it as UTF-8"),
    ] as never)
    expect(book.problems).toEqual(book.broken.flatMap(({ problems }) => problems))
  })

  test("a long body and many rules", async () => {
    await put("p/long.md", "x".repeat(2_000_000))
    for (let index = 0; index < 300; index += 1) await put(`p/r${index}.md`, "---\nglobs: *.ts\n---\nText")
    const book = await loadRulebook([directory("p")])
    expect(book.rules).toHaveLength(301)
  })

  test("two files of one identity: the second is left out and said", async () => {
    await put("w/.opencode/rules/a/x.md", "Text")
    await put("w/a/.opencode/rules/x.md", "Text")
    const book = await loadRulebook([directory("w/.opencode/rules"), directory("w/a/.opencode/rules", "project", "a/")])
    expect(book.rules).toHaveLength(1)
    expect(book.problems.map((problem) => problem.code)).toEqual(["duplicate-id"])
  })
})

describe("ruleDirectories", () => {
  const base = { env: {}, home: "/home/dev", platform: "linux", directory: "/w/a/b", worktree: undefined }
  const paths = (input: Partial<Parameters<typeof ruleDirectories>[0]>) => ruleDirectories({ ...base, ...input })

  test("the user's directory", () => {
    const global = (env: Record<string, string>) => paths({ env })[0]
    expect(global({})).toEqual({
      scope: "global",
      path: "/home/dev/.config/opencode/rules",
      root: "/w/a/b",
      prefix: "",
    })
    expect(global({ XDG_CONFIG_HOME: "/x" })?.path).toBe("/x/opencode/rules")
    expect(global({ XDG_CONFIG_HOME: "x" })?.path).toBe("/home/dev/.config/opencode/rules")
    expect(global({ XDG_CONFIG_HOME: "/x", OPENCODE_CONFIG_DIR: "/c" })?.path).toBe("/c/rules")
    expect(global({ OPENCODE_CONFIG_DIR: "" })?.path).toBe("/home/dev/.config/opencode/rules")
  })

  test("the project's directories", () => {
    const project = (worktree: string | undefined, directory = "/w/a/b") =>
      paths({ worktree, directory })
        .slice(1)
        .map(({ path, root, prefix }) => [path, root, prefix])
    expect(project(undefined)).toEqual([["/w/a/b/.opencode/rules", "/w/a/b", ""]])
    expect(project("/")).toEqual([["/w/a/b/.opencode/rules", "/w/a/b", ""]])
    expect(project("/other")).toEqual([["/w/a/b/.opencode/rules", "/w/a/b", ""]])
    expect(project("/w/a/b")).toEqual([["/w/a/b/.opencode/rules", "/w/a/b", ""]])
    expect(project("/w/a/b/c")).toEqual([["/w/a/b/.opencode/rules", "/w/a/b", ""]])
    expect(project("/w")).toEqual([
      ["/w/.opencode/rules", "/w", ""],
      ["/w/a/.opencode/rules", "/w/a", "a/"],
      ["/w/a/b/.opencode/rules", "/w/a/b", "a/b/"],
    ])
    expect(project("/w", "/w/..x")).toEqual([
      ["/w/.opencode/rules", "/w", ""],
      ["/w/..x/.opencode/rules", "/w/..x", "..x/"],
    ])
  })

  test("on Windows", () => {
    const found = ruleDirectories({
      env: {},
      home: "C:\\u",
      platform: "win32",
      directory: "C:\\w\\a",
      worktree: "C:\\w",
    })
    expect(found.map(({ path, prefix }) => [path, prefix])).toEqual([
      ["C:\\u\\.config\\opencode\\rules", ""],
      ["C:\\w\\.opencode\\rules", ""],
      ["C:\\w\\a\\.opencode\\rules", "a/"],
    ])
  })

  test.each<[platform: string, home: string, directory: string, worktree: string, expected: string[]]>([
    ["win32", "C:\\u", "c:\\W\\a", "C:/w", ["C:\\w\\.opencode\\rules", "C:\\w\\a\\.opencode\\rules"]],
    ["win32", "C:\\u", "C:\\w", "/", ["C:\\w\\.opencode\\rules"]],
    ["win32", "C:\\u", "C:\\w", "C:\\", ["C:\\w\\.opencode\\rules"]],
    ["win32", "C:\\u", "D:\\w", "C:\\w", ["D:\\w\\.opencode\\rules"]],
    ["win32", "C:\\u", "\\\\host\\s\\w", "\\\\host\\s\\w", ["\\\\host\\s\\w\\.opencode\\rules"]],
    [
      "darwin",
      "/Users/dev",
      "/private/var/w/a",
      "/private/var/w",
      ["/private/var/w/.opencode/rules", "/private/var/w/a/.opencode/rules"],
    ],
  ])("on %s with the home %s, in %s of %s", (platform, home, directory, worktree, expected) => {
    const [global, ...project] = ruleDirectories({ env: {}, home, platform, directory, worktree })
    const isWindows = platform === "win32"
    expect(global?.path).toBe(isWindows ? "C:\\u\\.config\\opencode\\rules" : "/Users/dev/.config/opencode/rules")
    expect(project.map(({ path }) => path)).toEqual(expected)
  })
})
