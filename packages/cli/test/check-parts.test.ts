import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

setDefaultTimeout(60_000)

const options = (given: object) => ({ "opencode.json": JSON.stringify({ plugin: [["opencode-rulebook", given]] }) })

interface How {
  readonly args?: readonly string[]
  readonly git?: boolean
  readonly env?: Record<string, string>
}

/** What `check` finds in these files: `file:line:column severity code` of each finding, and what it prints behind them. */
async function checked(files: Record<string, string>, { args = [], git = false, env = {} }: How = {}) {
  await using project = await testProject(files, git)
  const { code, out, err } = await project.run(["check", ...args], { env })
  const findings = [...out.matchAll(/^(\S+:\d+:\d+ (?:error|warning) \S+) /gm)].map(([, finding]) => finding)
  const end = out.split("\n\n").at(-1)?.replaceAll(project.directory, "<app>")
  return { code, err, findings, end }
}

describe("files that look like rules where none are read", () => {
  const RULE = rule("keywords: deploy")
  const notRead = (...paths: readonly string[]) => paths.map((path) => `${path}:1:1 warning not-read`)

  test("in `.opencode/rule` every text, in a folder `rules` one with a condition of ours, in the rules folder another name", async () => {
    const { code, findings, end } = await checked({
      ".opencode/rule/a.md": "Text.",
      ".opencode/rule/deep/b.MDC": "Text.",
      ".opencode/rule/c.txt": "Text.",
      ".opencode/rule/d.json": "{}",
      ".opencode/rule/e.md.bak": "Text.",
      ".opencode/rule/.hidden.md": "Text.",
      ".opencode/rule/.hidden/e.md": "Text.",
      ".opencode/rule/node_modules/x/f.md": "Text.",
      "./rules/globs.md": rule("name: x\nglobs: '*.ts'"),
      "./rules/deep/contains.mdc": rule("fileContains : x"),
      "./rules/keywords.md": RULE.replaceAll("\n", "\r\n"),
      "./rules/always.md": rule("alwaysApply: true"),
      "./rules/hooks.md": "---\nhooks:\n---",
      "./rules/name.md": rule("name: keywords"),
      "./rules/text.md": "keywords: deploy\n",
      "./rules/below.md": `# Title\n${RULE}`,
      "./rules/open.md": "---\nkeywords: deploy\n",
      "./rules/nested.md": rule("x:\n  keywords: deploy"),
      "./rules/notes.txt": RULE,
      ".opencode/rules/a.txt": "Text.",
      ".opencode/rules/deep/b.markdown": "Text.",
      ".opencode/rules/c.mdx": "Text.",
      ".opencode/rules/d.md.bak": "Text.",
      ".opencode/rules/.e.txt": "Text.",
      ".opencode/rules/f.json": "{}",
      ".opencode/rules/good.md": "Text.",
    })
    expect(findings).toEqual([
      ...notRead(".opencode/rule/a.md", ".opencode/rule/c.txt", ".opencode/rule/deep/b.MDC"),
      ...notRead("rules/always.md", "rules/deep/contains.mdc", "rules/globs.md", "rules/hooks.md", "rules/keywords.md"),
      ...notRead(
        ".opencode/rules/a.txt",
        ".opencode/rules/c.mdx",
        ".opencode/rules/d.md.bak",
        ".opencode/rules/deep/b.markdown",
      ),
    ])
    expect({ code, end }).toEqual({ code: 1, end: "12 warnings in 1 rule.\nsizes: about 2 tokens: good 2.\n" })
  })

  test("each with what to do", async () => {
    await using project = await testProject({ ".opencode/rule/a.md": "Text.", ".opencode/rules/b.txt": "Text." })
    const file = (name: string) => join(project.directory, ".opencode", name)
    const of = { severity: "warning", code: "not-read", line: 1, column: 1 }
    expect(JSON.parse((await project.run(["check", "--json"])).out)).toEqual({
      version: 1,
      rules: 0,
      findings: [
        {
          ...of,
          file: file("rule/a.md"),
          reason: "is in a folder that is not read, so this rule never matches",
          remedy: "Move it to `.opencode/rules/`",
        },
        {
          ...of,
          file: file("rules/b.txt"),
          reason: "does not end in `.md` or `.mdc`, so it is not read as a rule",
          remedy: "Rename it so that it ends in `.md`, or move it out of the rules folder",
        },
      ],
      sizes: [],
    })
  })

  test("not where paths are given, and in each folder from the root of the repository on", async () => {
    const files = {
      ".opencode/rule/a.md": "Text.",
      "web/.opencode/rule/b.md": "Text.",
      "web/.opencode/rules/c.md": "Text.",
    }
    expect((await checked(files, { git: true, args: ["-C", "web"] })).findings).toHaveLength(2)
    expect(await checked(files, { args: ["web"] })).toMatchObject({ code: 0, findings: [] })
  })
})

describe("how findings are listed", () => {
  test("by file, line and column; the file's text once, whatever finds something in it", async () => {
    const { findings, end } = await checked({
      "rules/b.md": rule("keywords: [the, code]\nglob: '*.rs'"),
      "rules/a.md": rule("ci: maybe"),
      "rules/c.md": "---\nkeywords: [x\n---\n",
      "global/z.md": rule("keywords: code"),
    })
    expect(findings.map((finding) => finding?.replace(/^.*\/home/, "<home>"))).toEqual([
      ".opencode/rules/a.md:2:5 error wrong-type",
      ".opencode/rules/b.md:2:12 warning broad-keyword",
      ".opencode/rules/b.md:2:17 warning broad-keyword",
      ".opencode/rules/b.md:3:1 warning key-form",
      ".opencode/rules/c.md:2:1 error yaml-syntax",
      "<home>/.config/opencode/rules/z.md:2:11 warning broad-keyword",
    ])
    expect(end).toBe("2 errors and 4 warnings in 4 rules.\nsizes: about 6 tokens: z 3, b 3.\n")
  })

  test("errors alone are counted alone", async () => {
    const one = await checked({ "rules/a.md": rule("ci: maybe"), "rules/b.md": "Text." })
    expect(one.end).toBe("1 error in 2 rules.\nsizes: about 2 tokens: b 2.\n")
    const two = await checked({ "rules/a.md": rule("ci: maybe"), "rules/c.md": rule("ci: maybe") })
    expect(two.end).toBe("2 errors in 2 rules.\n")
  })

  test("a place in the folder where one is, is written from there; any other as it is", async () => {
    await using project = await testProject({
      "..odd/a.md": rule("keywords: code"),
      "../other/b.md": rule("keywords: code"),
    })
    const other = join(project.directory, "../other/b.md")
    const { out } = await project.run(["check", "..odd/a.md", "../other/b.md"])
    expect([...out.matchAll(/^(\S+:\d+:\d+) warning/gm)].map(([, place]) => place)).toEqual([
      "..odd/a.md:2:11",
      `${other}:2:11`,
    ])
  })

  test("on a terminal with colours, the code's frame is dim and an error red", async () => {
    await using project = await testProject({ "rules/a.md": rule("ci: maybe") })
    const { out } = await project.run(["check"], { hasColors: true })
    expect(out).toBe(
      [
        "\u001b[1m.opencode/rules/a.md:2:5\u001b[0m \u001b[31merror\u001b[0m wrong-type ci: is neither true nor false, so this rule never matches",
        "\u001b[2m  2 | ci: maybe\u001b[0m",
        "\u001b[2m    |     ^^^^^\u001b[0m",
        "  remedy: Write `ci: true` or `ci: false`",
        "",
        "1 error in 1 rule.",
        "",
      ].join("\n"),
    )
  })

  test("with --quiet a project without rules is named all the same", async () => {
    expect(await checked({}, { args: ["--quiet"] })).toEqual({
      code: 1,
      err: "",
      findings: [],
      end: expect.stringMatching(/^no rules in \S+\/home\/\.config\/opencode\/rules, <app>\/\.opencode\/rules\.\n$/),
    })
  })
})

describe("which rules are checked", () => {
  test("a pack's by what the plugin says of them, not by the lints", async () => {
    const pack = (name: string, version: string) => ({
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, "opencode-rulebook": { rules: "." } }),
    })
    const { findings, end } = await checked({
      ...options({ packs: ["one", "two", "three"] }),
      ...pack("one", "1.0.0"),
      "node_modules/one/a.md": rule("keywords: code"),
      "node_modules/one/b.md": rule("ci: maybe"),
      ...pack("two", "2.0.0"),
      ...pack("three", "3.0.0"),
      "node_modules/three/a.md": "Text.",
    })
    expect(findings).toEqual(["node_modules/one/b.md:2:5 error wrong-type"])
    expect(end).toBe(
      "1 error in 3 rules.\nsizes: about 5 tokens: a 3, a 2.\npack one 1.0.0: 2 rules.\npack two 2.0.0: no rules.\npack three 3.0.0: 1 rule.\n",
    )
  })

  test("those of folders below, as git knows them, of other tools too; not of dependencies", async () => {
    const nested = {
      ...options({ rulesOf: ["cursor"] }),
      "a.ts": "",
      "web/.opencode/rules/a.md": rule("ci: maybe"),
      "web/.opencode/rules/deep/b.md": rule("ci: maybe"),
      "web/deep/.opencode/rules/c.md": rule("ci: maybe"),
      "api/.cursor/rules/d.mdc": rule("globs: 5"),
      "node_modules/x/.opencode/rules/e.md": rule("ci: maybe"),
      "x.opencode/rules/f.md": rule("ci: maybe"),
    }
    const findings = [
      "api/.cursor/rules/d.mdc:2:8 error wrong-type",
      "web/.opencode/rules/a.md:2:5 error wrong-type",
      "web/.opencode/rules/deep/b.md:2:5 error wrong-type",
      "web/deep/.opencode/rules/c.md:2:5 error wrong-type",
    ]
    expect((await checked(nested, { git: true })).findings).toEqual(findings)
    expect(await checked(nested)).toMatchObject({ code: 1, findings: [] })
    expect((await checked(nested, { git: true, args: ["-C", "web/deep"] })).findings).toHaveLength(3)
  })

  test("a given folder's: of a project those in its rules folder, of another its own; a file once", async () => {
    const CODE = rule("keywords: code")
    const files = {
      "one/.opencode/rules/a.md": CODE,
      "one/b.md": CODE,
      "two/.git/HEAD": "",
      "two/b.md": CODE,
      "three/a.md": CODE,
      "three/deep/b.MD": CODE,
      "three/notes.txt": "",
    }
    const finding = (path: string) => `${path}:2:11 warning broad-keyword`
    const given = async (...args: readonly string[]) => (await checked(files, { args })).findings
    expect(await given("one")).toEqual([finding("one/.opencode/rules/a.md")])
    expect(await given("two")).toEqual([])
    expect(await given("three")).toEqual([finding("three/a.md"), finding("three/deep/b.MD")])
    expect(await given("three", "three/a.md", "./three/deep", "one/b.md")).toEqual([
      finding("one/b.md"),
      finding("three/a.md"),
      finding("three/deep/b.MD"),
    ])
    expect((await checked(files, { args: ["two", "three/deep"] })).code).toBe(1)
    expect((await checked(files, { args: ["two"] })).end).toBe("no rules in <app>/two/.opencode/rules.\n")
    expect((await checked(files, { args: ["."] })).end).toBe("no rules in <app>/.opencode/rules.\n")
  })

  test("rules of given folders have ids of their own", async () => {
    const files = {
      "one/a.md": "Text.",
      "two/a.md": "Text.",
      "../x/.opencode/rules/a.md": "Text.",
      "../y/rules/a.md": "Text.",
    }
    await using project = await testProject(files)
    const { out } = await project.run(["check", "--json", "one", "two/a.md", "../x/.opencode/rules/a.md", "../y/rules"])
    const { sizes } = JSON.parse(out) as { sizes: { id: string }[] }
    expect(sizes.map(({ id }) => id)).toEqual([
      "project:one/a.md",
      "project:two/a.md",
      "project:../x/.opencode/rules/a.md",
      "project:../y/rules/a.md",
    ])
  })

  test("a path of another tool is read as that tool's, in this project or in another one", async () => {
    const files = { ".cursor/rules/a.mdc": rule("paths: x"), "other/.claude/rules/b.md": rule("globs: x") }
    expect((await checked(files, { args: [".cursor/rules/a.mdc", "other/.claude/rules"] })).findings).toEqual([
      ".cursor/rules/a.mdc:1:1 warning no-description",
      ".cursor/rules/a.mdc:2:1 warning foreign-key",
      "other/.claude/rules/b.md:2:1 warning foreign-key",
    ])
  })
})

describe("which files globs are compared with", () => {
  const RS = { "rules/a.md": rule("globs: '*.rs'") }
  test("those of a repository with any, in a submodule too; else none are missed", async () => {
    expect((await checked(RS)).findings).toEqual([])
    expect((await checked({ ...RS, "x.ts": "" }, { git: true })).findings).toEqual([
      ".opencode/rules/a.md:2:8 warning glob-without-file",
    ])
    expect((await checked({ ...RS, "x.rs": "" }, { git: true })).findings).toEqual([])
    await using project = await testProject({ ...RS, "x.ts": "", "../lib/x.rs": "" }, true)
    const lib = join(project.directory, "../lib")
    const git = (folder: string, ...args: readonly string[]) =>
      execFileSync(
        "git",
        ["-C", folder, "-c", "protocol.file.allow=always", "-c", "user.name=x", "-c", "user.email=x@y", ...args],
        {
          stdio: "ignore",
        },
      )
    git(lib, "init")
    git(lib, "add", "x.rs")
    git(lib, "commit", "-m", "x")
    git(project.directory, "submodule", "add", lib, "lib")
    expect((await project.run(["check"])).code).toBe(0)
  })

  test("a repository that has no file yet is like none", async () => {
    await using project = await testProject({}, true)
    await project.write("../elsewhere/a.md", rule("globs: '*.rs'"))
    expect((await project.run(["check", "../elsewhere/a.md"])).code).toBe(0)
  })
})

describe("hints", () => {
  const TOOLS = { ".cursor/rules/a.mdc": "Text.", ".clinerules/a.md": "Text.", "rules/a.md": "Text." }
  const hint =
    'hint: this project has rules of Cursor, Cline; the plugin\'s option "rulesOf":["cursor","cline"] in opencode.json reads them in place\n'

  test("name other tools whose rules are there, and options that nobody knows", async () => {
    const start = "1 rule, no findings.\nsizes: about 2 tokens: a 2.\n"
    expect((await checked(TOOLS)).end).toBe(start + hint)
    const odd = await checked({ ...TOOLS, ...options({ packs: 5 }) })
    expect(odd.end).toStartWith(`${start}hint: `)
    expect(odd.end).toEndWith(hint)
    expect(odd.end?.match(/^hint: /gm)).toHaveLength(2)
    expect((await checked({ "rules/a.md": "Text.", ...options({ packs: 5 }) })).end?.match(/^hint: /gm)).toHaveLength(1)
    expect((await checked({ ...TOOLS, ...options({ rulesOf: [], packs: 5 }) })).end?.match(/^hint: /gm)).toHaveLength(1)
  })

  test("do not name a tool's rules in the user's home", async () => {
    expect((await checked({ "rules/a.md": "Text.", "../home/.claude/rules/a.md": "Text." })).end).not.toContain("hint:")
  })

  test("are in the JSON too", async () => {
    await using project = await testProject(TOOLS)
    expect(JSON.parse((await project.run(["check", "--json"])).out).hints).toEqual([hint.slice("hint: ".length, -1)])
  })
})

test("cases beside rules are checked with them; what is wrong with them stands behind", async () => {
  const files = { "rules/a.md": rule("keywords: code"), "rules/a.cases.yaml": "- nonsense: 1\n" }
  const all = await checked(files)
  expect(all.findings[0]).toBe(".opencode/rules/a.md:2:11 warning broad-keyword")
  expect(all.findings.slice(1).every((finding) => finding?.startsWith(".opencode/rules/a.cases.yaml:1:"))).toBe(true)
  expect(all.findings.length).toBeGreaterThan(1)
  const given = await checked(files, { args: [".opencode/rules/a.cases.yaml"] })
  expect(given.findings).toEqual(all.findings.slice(1))
  expect((await checked(files, { args: [".opencode/rules/a.md"] })).findings).toEqual(all.findings.slice(0, 1))
})

test("--all checks a whole repository, and takes no paths", async () => {
  await using project = await testProject({ "rules/a.md": "Text." })
  expect(await project.run(["check", "--all", "."])).toEqual({
    code: 2,
    out: "",
    err: "error: --all takes no files and folders: it checks the whole repository\n",
  })
  expect(await project.run(["check", "--all"])).toEqual({
    code: 2,
    out: "",
    err: `error: ${project.directory} is not in a git repository, which --all needs\n`,
  })
})
