import { expect, setDefaultTimeout, test } from "bun:test"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

setDefaultTimeout(60_000)

const CLEAN = rule('globs: "**/*.rs"')

test("a clean project: one line and the sizes, exit code 0", async () => {
  await using project = await testProject({ "rules/rust.md": CLEAN })
  expect(await project.run(["check"])).toEqual({
    code: 0,
    out: "1 rule, no findings.\nsizes: about 3 tokens: rust 3.\n",
    err: "",
  })
})

test("no rules at all: says where it looked", async () => {
  await using project = await testProject({})
  const { code, out } = await project.run(["check"])
  expect({ code, names: out.includes(join(project.directory, ".opencode/rules")) }).toEqual({ code: 1, names: true })
})

test("findings: place, severity, code, message, frame, remedy; sorted; exit code 1", async () => {
  await using project = await testProject({
    "rules/b.md": rule("glob: '*.rs'\nkeywords: [deploy, code]"),
    "rules/a.md": "---\nglobs: [\n---\nx\n",
  })
  const { code, out, err } = await project.run(["check"])
  expect({ code, err }).toEqual({ code: 1, err: "" })
  expect(out).toBe(`.opencode/rules/a.md:2:1 error yaml-syntax globs: \`[\` is not closed, so this rule never matches
  2 | globs: [
    | ^^^^^^
  remedy: Put the value in single quotes, or close the bracket or quote that is open

.opencode/rules/b.md:2:1 warning key-form glob: is read as \`globs\`
  2 | glob: '*.rs'
    | ^^^^^
  remedy: Write \`globs\`

.opencode/rules/b.md:3:20 warning broad-keyword keywords: "code" is in nearly every prompt
  3 | keywords: [deploy, code]
    |                    ^^^^
  remedy: Use words or phrases that only prompts about this rule's subject have

1 error and 2 warnings in 2 rules.
sizes: about 3 tokens: b 3.
`)
})

test("colours on a terminal only; the text is the same", async () => {
  await using project = await testProject({ "rules/b.md": rule("keywords: [code]") })
  const plain = await project.run(["check"])
  const coloured = await project.run(["check"], { hasColors: true })
  expect(plain.out).not.toContain("\u001b")
  expect(coloured.out).toContain("\u001b[33mwarning\u001b[0m")
  expect(Bun.stripANSI(coloured.out)).toBe(plain.out)
})

test("--json has the same findings", async () => {
  await using project = await testProject({ "rules/b.md": rule("keywords: [code]"), "rules/c.md": CLEAN })
  const { code, out } = await project.run(["check", "--json"])
  expect(code).toBe(1)
  expect(JSON.parse(out)).toEqual({
    version: 1,
    rules: 2,
    findings: [
      {
        severity: "warning",
        code: "broad-keyword",
        file: join(project.directory, ".opencode/rules/b.md"),
        line: 2,
        column: 12,
        field: "keywords",
        reason: '"code" is in nearly every prompt',
        remedy: "Use words or phrases that only prompts about this rule's subject have",
      },
    ],
    sizes: ["b", "c"].map((name) => ({
      ...{ id: `project:${name}.md`, name, tokens: 3 },
      file: join(project.directory, `.opencode/rules/${name}.md`),
    })),
  })
})

test("global rules are checked too", async () => {
  await using project = await testProject({ "global/x.md": rule("keywords: [code]") })
  expect((await project.run(["check"])).out).toContain("home/.config/opencode/rules/x.md:2:12 warning broad-keyword")
})

test("given paths: files, rules folders, projects; each rule once", async () => {
  await using project = await testProject({
    "drafts/a.md": rule("keywords: [code]"),
    "drafts/deep/b.mdc": CLEAN,
    "drafts/notes.txt": "x",
    "other/.opencode/rules/c.md": rule("keywords: [file]"),
    "rules/d.md": "---\nbroken\n---\nx",
  })
  const count = async (...paths: string[]) => {
    const { code, out } = await project.run(["check", "--json", ...paths])
    const { rules, findings } = JSON.parse(out) as { rules: number; findings: readonly { code: string }[] }
    return [code, rules, findings.map((finding) => finding.code).join()]
  }
  expect(await count("drafts")).toEqual([1, 2, "broad-keyword"])
  expect(await count("drafts/deep")).toEqual([0, 1, ""])
  expect(await count("drafts/a.md", "drafts", join(project.directory, "drafts/a.md"))).toEqual([1, 2, "broad-keyword"])
  expect(await count("other")).toEqual([1, 1, "broad-keyword"])
  expect(await count(".")).toEqual([1, 1, "not-a-mapping"])
  expect(await count("-C", "other")).toEqual([1, 1, "broad-keyword"])
  expect(await count(".opencode/rules/d.md")).toEqual([1, 1, "not-a-mapping"])
})

test("a project without rules is no rules folder", async () => {
  await using project = await testProject({ "README.md": rule("keywords: [code]") }, true)
  expect(await project.run(["check", "."])).toEqual({
    code: 1,
    out: `no rules in ${join(project.directory, ".opencode/rules")}.\n`,
    err: "",
  })
})

test("files of one name in several given folders are several rules", async () => {
  await using project = await testProject({ "one/a.md": CLEAN, "two/a.md": CLEAN })
  expect((await project.run(["check", "one", "two"])).out).toBe(
    "2 rules, no findings.\nsizes: about 6 tokens: a 3, a 3.\n",
  )
})

test("globs are compared with the files that git knows: tracked, new and ignored ones", async () => {
  await using project = await testProject(
    {
      "rules/rust.md": rule("globs: '**/*.rs'"),
      "rules/ts.md": rule("globs: '**/*.ts'"),
      "rules/env.md": rule("globs: .env"),
      "src/a.ts": "",
      ".gitignore": ".env\n",
      ".env": "",
    },
    true,
  )
  const { out } = await project.run(["check"])
  expect(out).toContain('rust.md:2:8 warning glob-without-file globs: no file of the project matches "**/*.rs"')
  expect(out).toEndWith("1 warning in 3 rules.\nsizes: about 9 tokens: env 3, rust 3, ts 3.\n")
})

test("rules of one identity", async () => {
  await using project = await testProject(
    { "rules/web/a.md": CLEAN, "web/.opencode/rules/a.md": CLEAN, "a.rs": "", "web/a.rs": "" },
    true,
  )
  expect((await project.run(["check", "-C", "web"])).out).toContain("error duplicate-id")
})

test("texts of rules stay on their line and can't paint", async () => {
  await using project = await testProject({ "rules/x.md": rule('keywords: ["\\e[31mred\\n "]') })
  const { out } = await project.run(["check"])
  expect(out).toContain("trimmed-literal")
  expect(out).not.toContain("\u001b")
})

const usage: readonly [args: string[], message: string][] = [
  [["check", "nowhere.md"], "nowhere.md: no such file or folder"],
  [["check", "notes.txt"], "notes.txt is not a rule file; rule files end in .md or .mdc"],
  [["check", "--jsn"], "unknown option '--jsn'"],
  [["chek"], "unknown command 'chek'"],
  [["check", "-C", "nowhere"], "nowhere: no such folder"],
  [[], "Usage: opencode-rulebook"],
]

for (const [args, message] of usage) {
  test(`wrong usage is exit code 2, told on standard error: ${args.join(" ")}`, async () => {
    await using project = await testProject({ "notes.txt": "x" })
    const { code, out, err } = await project.run(args)
    expect({ code, out, told: err.includes(message) }).toEqual({ code: 2, out: "", told: true })
  })
}

test("options of the program work before and behind the command's name", async () => {
  await using project = await testProject({ "other/.opencode/rules/a.md": rule("keywords: [code]") })
  const behind = await project.run(["check", "-C", "other", "--json"])
  expect(JSON.parse(behind.out).findings).toHaveLength(1)
  expect(await project.run(["-C", "other", "check", "--json"])).toEqual(behind)
  const coloured = await project.run(["check", "-C", "other"], { hasColors: true })
  expect(coloured.out).toContain("\u001b[")
  expect((await project.run(["--no-color", "check", "-C", "other"], { hasColors: true })).out).not.toContain("\u001b[")
  expect((await project.run(["check", "--no-color", "-C", "other"], { hasColors: true })).out).not.toContain("\u001b[")
})

test("--quiet prints findings, and nothing when there are none", async () => {
  await using clean = await testProject({ "rules/rust.md": CLEAN })
  expect(await clean.run(["check", "--quiet"])).toEqual({ code: 0, out: "", err: "" })
  await using faulty = await testProject({ "rules/a.md": rule("keywords: [code]") })
  expect((await faulty.run(["check", "--quiet"])).out).toContain("broad-keyword")
})

test("the help of each command has examples", async () => {
  await using project = await testProject({})
  for (const command of ["check", "explain", "test", "init", "doctor", "lsp", "completions"]) {
    const { code, out } = await project.run([command, "--help"])
    expect({ code, hasExample: out.includes(`opencode-rulebook ${command}`) }).toEqual({ code: 0, hasExample: true })
    expect(out).toContain("--directory")
  }
})

test("--help and --version are answers: standard output, exit code 0", async () => {
  await using project = await testProject({})
  for (const args of [["--help"], ["check", "--help"], ["explain", "-h"]]) {
    const { code, out, err } = await project.run(args)
    expect({
      code,
      err,
      usage: out.startsWith("Usage: opencode-rulebook"),
      codes: out.includes("Exit codes: 0"),
    }).toEqual({
      code: 0,
      err: "",
      usage: true,
      codes: true,
    })
  }
  expect((await project.run(["-v"])).out).toBe((await project.run(["--version"])).out)
  expect((await project.run(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
})

test("rules that OpenCode sends by itself too: a finding at their folder", async () => {
  await using project = await testProject({ "rules/rust.md": CLEAN })
  await Bun.write(join(project.directory, "opencode.jsonc"), '{ "instructions": [".opencode/rules/*.md"] } // all')
  const { code, out } = await project.run(["check"])
  expect(code).toBe(1)
  expect(out).toStartWith(
    '.opencode/rules:1:1 warning also-instructions is listed in "instructions" of opencode.json too',
  )
  expect(out).toContain('remedy: Take that out of "instructions"')
})

test("a link out of the project: a finding, with nothing of what is behind it; none where the option trusts it", async () => {
  await using project = await testProject({ "rules/rust.md": CLEAN })
  const outside = join(project.directory, "../outside.md")
  await Bun.write(outside, "A secret of the user.\n")
  await symlink(outside, join(project.directory, ".opencode/rules/linked.md"))
  for (const command of [["check"], ["explain"], ["check", "--json"]])
    expect((await project.run(command)).out).not.toContain("secret")
  const { code, out } = await project.run(["check"])
  expect(code).toBe(1)
  expect(out).toStartWith(".opencode/rules/linked.md:1:1 warning outside-link leads out of the project")
  await Bun.write(
    join(project.directory, "opencode.json"),
    JSON.stringify({ plugin: [["opencode-rulebook", { projectLinks: true }]] }),
  )
  expect(await project.run(["check"])).toEqual({
    code: 0,
    out: "2 rules, no findings.\nsizes: about 9 tokens: linked 6, rust 3.\n",
    err: "",
  })
  expect((await project.run(["explain"])).out).toContain("linked")
})

// Windows has no pipes among the files of a folder.
test.if(process.platform !== "win32")(
  "what is no regular file is a finding, and reading it does not hold the command",
  async () => {
    await using project = await testProject({ "rules/rust.md": CLEAN })
    const pipe = join(project.directory, ".opencode/rules/pipe.md")
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0)
    for (const paths of [[], [pipe]]) {
      const { code, out } = await project.run(["check", ...paths])
      expect(code).toBe(1)
      expect(out).toContain("pipe.md:1:1 error unreadable is not a regular file")
    }
  },
)

test("sizes: the largest ten by name", async () => {
  const files = Array.from({ length: 12 }, (_, index) => [`rules/r${index}.md`, `${CLEAN}${"word ".repeat(index)}`])
  await using project = await testProject(Object.fromEntries(files))
  expect((await project.run(["check"])).out).toMatch(
    /^sizes: about \d+ tokens: r11 14, r10 13, (?:r\d \d+, ){7}r2 5 \+2\.$/m,
  )
  expect((await project.run(["check", "--quiet"])).out).toBe("")
})
