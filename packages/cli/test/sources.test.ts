import { expect, setDefaultTimeout, test } from "bun:test"
import { cp, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rule, testProject } from "./project.ts"

setDefaultTimeout(60_000)

const CURSOR = rule("description: Rust\nglobs: '*.rs'\nalwaysApply: false", "Cursor's Rust.")
const options = (given: object) => ({ "opencode.json": JSON.stringify({ plugin: [["opencode-rulebook", given]] }) })
const PACK = {
  "node_modules/@acme/rules/package.json": JSON.stringify({
    version: "1.2.0",
    "opencode-rulebook": { rules: "rules" },
  }),
  "node_modules/@acme/rules/rules/css.md": rule('globs: "*.css"', "The pack's styles."),
}

interface Checked {
  readonly rules: number
  readonly findings: readonly { readonly code: string; readonly file: string }[]
  readonly hints?: readonly string[]
  readonly packs?: readonly object[]
}

interface Explained {
  readonly rules: readonly {
    readonly id: string
    readonly source?: string
    readonly deliveries: readonly { readonly moment: string }[]
    readonly why: string
  }[]
}

test("check reads the rules of the tools that the option names, each in its tool's meaning", async () => {
  await using project = await testProject({
    ".cursor/rules/rust.mdc": CURSOR,
    ".claude/rules/odd.md": rule("globs: '*.ts'\nkeywords: [code]"),
    ".kiro/steering/product.md": "See #[[file:api.yaml]].",
    ...options({ rulesOf: ["cursor", "claude"] }),
  })
  const { code, out } = await project.run(["check", "--json"])
  const { rules, findings, hints } = JSON.parse(out) as Checked
  expect({ code, rules, codes: findings.map((finding) => finding.code), hints }).toEqual({
    code: 1,
    rules: 2,
    codes: ["foreign-key", "foreign-key"],
    hints: undefined,
  })
})

test("without the option, check says once that there are such rules, and that is no finding", async () => {
  const files = {
    "rules/a.md": rule("globs: '**/*.rs'"),
    ".cursor/rules/rust.mdc": CURSOR,
    ".clinerules/a.md": "Cline's.",
    ".claude/rules/.keep": "",
  }
  await using project = await testProject(files)
  expect(await project.run(["check"])).toEqual({
    code: 0,
    out: `1 rule, no findings.
sizes: about 3 tokens: a 3.
hint: this project has rules of Cursor, Cline; the plugin's option "rulesOf":["cursor","cline"] in opencode.json reads them in place
`,
    err: "",
  })
  expect((await project.run(["check", ".opencode/rules"])).out).toStartWith("1 rule, no findings.\nsizes: ")
  expect((await project.run(["check", "--quiet"])).out).toBe("")
  await using decided = await testProject({ ...files, ...options({ rulesOf: [] }) })
  expect((await decided.run(["check"])).out).toBe("1 rule, no findings.\nsizes: about 3 tokens: a 3.\n")
})

test("a given path in another tool's folder is read as that tool's", async () => {
  await using project = await testProject({ ".claude/rules/odd.md": rule("globs: '*.ts'") })
  for (const path of [".claude/rules", ".claude/rules/odd.md"]) {
    expect((await project.run(["check", path])).out).toContain(
      "warning foreign-key globs: is not a key of Claude Code's rules",
    )
  }
})

test("explain knows other tools' rules, packs, rules on request and nested folders, and names their source", async () => {
  await using project = await testProject({
    ".cursor/rules/rust.mdc": CURSOR,
    "rules/release.md": rule("description: How we release\nalwaysApply: false"),
    "packages/api/.opencode/rules/always.md": "The API's manners.",
    "packages/api/.opencode/rules/ts.md": rule("globs: src/*.ts"),
    "packages/api/src/a.ts": "x",
    "web/a.css": "x",
    ...PACK,
    ...options({ rulesOf: ["cursor"], packs: ["@acme/rules"] }),
  })
  const files = ["--file", "packages/api/src/a.ts", "--file", "web/a.css"]
  const { code, out } = await project.run(["explain", "--json", ...files])
  const explained = (JSON.parse(out) as Explained).rules.map(({ id, source, deliveries, why }) => {
    return [id, source, deliveries.map(({ moment }) => moment).join() || why]
  })
  expect({ code, explained }).toEqual({
    code: 0,
    explained: [
      ["project:.cursor/rules/rust.mdc", "Cursor", "no condition met"],
      ["project:release.md", undefined, "on request: the index in the turn's first request names it"],
      ["pack:@acme/rules:css.md", "@acme/rules 1.2.0", "after-file"],
      ["project:packages/api/always.md", undefined, "after-file"],
      ["project:packages/api/ts.md", undefined, "after-file"],
    ],
  })
  const text = (await project.run(["explain"])).out
  expect(text).toContain(".cursor/rules/rust.mdc  (Cursor)")
  expect(text).toContain("css.md  (@acme/rules 1.2.0)")
  expect(text).not.toContain("The API's manners")
})

test("check lists packs by name and version, and a pack that isn't there is a finding", async () => {
  await using project = await testProject({ ...PACK, ...options({ packs: ["@acme/rules", "@acme/none"] }) })
  const { out } = await project.run(["check"])
  expect(out).toContain("warning missing-pack the pack @acme/none is not installed")
  expect(out).toEndWith("1 warning in 1 rule.\nsizes: about 4 tokens: css 4.\npack @acme/rules 1.2.0: 1 rule.\n")
  const { packs } = JSON.parse((await project.run(["check", "--json"])).out) as Checked
  expect(packs).toEqual([{ name: "@acme/rules", version: "1.2.0", rules: 1 }])
})

test("check finds nested folders by the files that git knows", async () => {
  await using project = await testProject(
    {
      "rules/a.md": rule("globs: '**/*.rs'"),
      "x.rs": "",
      "packages/api/.opencode/rules/b.md": rule("keywords: [code]"),
      "vendor/acme/.opencode/rules/c.md": rule("keywords: [code]"),
    },
    true,
  )
  const { rules, findings } = JSON.parse((await project.run(["check", "--json"])).out) as Checked
  expect({ rules, codes: findings.map(({ code }) => code) }).toEqual({ rules: 2, codes: ["broad-keyword"] })
})

test("the example pack, packed and installed as a registry's package is, applies", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "rulebook-pack-"))
  try {
    await cp(join(import.meta.dir, "../../../examples/pack"), join(scratch, "pack"), { recursive: true })
    const packed = Bun.spawnSync([process.execPath, "pm", "pack", "--quiet", "--destination", scratch], {
      cwd: join(scratch, "pack"),
    })
    const archive = packed.stdout.toString().trim().split("\n").at(-1) ?? ""
    await using project = await testProject({
      "package.json": JSON.stringify({
        dependencies: { "@example/house-rules": `file:${join(scratch, archive.split("/").at(-1) ?? "")}` },
      }),
      ...options({ packs: ["@example/house-rules"] }),
    })
    const installed = Bun.spawnSync([process.execPath, "install", "--offline"], {
      cwd: project.directory,
      env: { ...process.env, BUN_INSTALL_CACHE_DIR: join(scratch, "cache") },
    })
    expect({ code: installed.exitCode, err: installed.stderr.toString() }).toMatchObject({ code: 0 })
    const { code, out } = await project.run(["check"])
    expect({ code, out }).toEqual({
      code: 0,
      out: "2 rules, no findings.\nsizes: about 23 tokens: Commits 14, Stylesheets 9.\npack @example/house-rules 1.0.0: 2 rules.\n",
    })
    const { out: explained } = await project.run(["explain", "--json", "--prompt", "commit this"])
    const delivered = (JSON.parse(explained) as Explained).rules.filter(({ deliveries }) => deliveries.length > 0)
    expect(delivered.map(({ id }) => id)).toEqual(["pack:@example/house-rules:commits.md"])
  } finally {
    await rm(scratch, { recursive: true })
  }
})
