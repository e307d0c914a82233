import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parseRule, TOOLS, type Tool } from "@opencode-rulebook/rule-schema"
import { FIELDS } from "@opencode-rulebook/rule-schema/reference"
import { testProject } from "../../packages/cli/test/project.ts"
import { build } from "../build.ts"
import { root } from "../install.ts"
import { DOCUMENTS, readDocument } from "./documents.ts"
import { compare, GENERATED } from "./generated.ts"
import { anchorsOf, commandsOf, fencesOf, isRule, linksOf } from "./markdown.ts"

setDefaultTimeout(120_000)

describe("generated parts are in step with the code (`bun run generate` writes them)", () => {
  for (const file of GENERATED) {
    test(file.path, async () => {
      const { is, shouldBe } = await compare(file)
      expect(is).toBe(shouldBe)
    })
  }
})

describe("every link leads somewhere", () => {
  for (const document of DOCUMENTS) {
    test(document, async () => {
      const text = await readDocument(document)
      const broken: string[] = []
      for (const link of linksOf(text)) {
        if (/^https:/.test(link)) continue
        const [path = "", anchor] = link.split("#")
        const target = path === "" ? document : join(dirname(document), path)
        const isThere = existsSync(join(root, target))
        const hasAnchor = !anchor || (isThere && anchorsOf(await readDocument(target)).has(anchor))
        if (!isThere || !hasAnchor) broken.push(link)
      }
      expect(broken).toEqual([])
    })
  }
})

describe("every rule is read as it is meant", () => {
  for (const document of DOCUMENTS) {
    test(document, async () => {
      const rules = fencesOf(await readDocument(document)).filter(isRule)
      // Another tool's rule is read in that tool's folder: examples.test.ts does.
      for (const fence of rules.filter(({ file }) => file === undefined)) {
        const directory = { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" } as const
        const parsed = parseRule({ directory, path: "/app/.opencode/rules/x.md", text: fence.text })
        expect({ line: fence.line, kind: parsed.kind, problems: parsed.kind === "rule" && parsed.problems }).toEqual({
          line: fence.line,
          kind: "rule",
          problems: [],
        })
      }
    })
  }
})

/** Commands of the README that are run elsewhere, and the file that runs them: its text has to hold the second. */
const RUN_ELSEWHERE: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "npx -y bun run verify": [".ci/run", "npx -y bun run verify"],
  "npx -y bun run demo": ["scripts/verify.ts", "scripts/demo.ts"],
  "npx -y bun run demo --tui": ["packages/host-lab/test/tui/demo.test.ts", "--tui"],
  "npx -y bun run build": ["scripts/verify.ts", "build()"],
  "opencode plugin /path/to/opencode-rulebook/packages/opencode-rulebook": [
    "packages/host-lab/test/rulebook/installing.test.ts",
    '"plugin", RULEBOOK',
  ],
}
/** What stands for the repository's address, which is not known before the first release. */
const ADDRESS = "<address of this repository>"

// They are written for a POSIX shell, which Windows does not have.
describe.if(process.platform !== "win32")("every command of the README is run", async () => {
  beforeAll(async () => {
    if (!existsSync(join(root, "packages/opencode-rulebook/dist/cli.js"))) await build()
  })
  const commands = fencesOf(await readDocument("README.md")).flatMap(commandsOf)
  for (const command of commands) {
    test(command, async () => {
      const elsewhere = RUN_ELSEWHERE[command]
      if (elsewhere) return expect(await readDocument(elsewhere[0])).toContain(elsewhere[1])
      await using folder = await scratchFolder()
      const clones = command.includes(ADDRESS)
      const line = clones ? `${command.replace(ADDRESS, `-q "${root}"`)} && ls README.md` : command
      const child = Bun.spawn(["sh", "-c", line], {
        cwd: clones ? folder.path : root,
        stdio: ["ignore", "pipe", "pipe"],
      })
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      expect({ code, err, said: out !== "" }).toEqual({ code: 0, err: "", said: true })
    })
  }
})

async function scratchFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "rulebook-docs-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

test("the README's table has every key with its delivery", async () => {
  const rows = (await readDocument("README.md")).split("\n").filter((line) => line.startsWith("| `"))
  for (const { key, lifetime } of FIELDS.filter(({ family }) => family !== undefined)) {
    const row = rows.find((line) => line.startsWith(`| \`${key}\` |`))
    expect([key, row?.split("|").at(-2)?.trim()]).toEqual([key, lifetime ?? ""])
  }
})

test("the table of other tools has each with its name, its folders, its keys and its documentation", async () => {
  const rows = (await readDocument("docs/migrating.md")).split("\n").filter((line) => line.startsWith("| ["))
  for (const { name, documentation, project, home, keys } of Object.values<Tool>(TOOLS)) {
    const row = rows.find((line) => line.includes(`](${documentation}) | \`${name}\` |`)) ?? ""
    const folders = [...project.map(({ path }) => path), ...home.map(({ path }) => `~/${path}`)]
    const missing = [...folders, ...keys].filter((text) => !row.includes(`\`${text}`))
    expect([name, missing]).toEqual([name, []])
  }
})

test("OpenCode's own settings name the command, and the test on the real host uses the same", async () => {
  const fence = fencesOf(await readDocument("docs/editors.md")).find(({ text }) => text.includes('"lsp"'))
  const { lsp } = JSON.parse(fence?.text ?? "") as { lsp: Record<string, { command: string[]; extensions: string[] }> }
  const settings = lsp["opencode-rulebook"]
  expect(settings?.command.slice(-2)).toEqual(["lsp", "--stdio"])
  const real = await readDocument("packages/host-lab/test/rulebook/lsp.test.ts")
  expect(real).toContain('"lsp", "--stdio"')
  expect(real).toContain(JSON.stringify(settings?.extensions).replace(",", ", "))
})

test("the problem matcher for VS Code reads what `check` prints", async () => {
  const fence = fencesOf(await readDocument("docs/editors.md")).find(({ text }) => text.includes("problemMatcher"))
  const { tasks } = JSON.parse(fence?.text ?? "") as { tasks: { problemMatcher: { pattern: { regexp: string } } }[] }
  const pattern = new RegExp(tasks[0]?.problemMatcher.pattern.regexp ?? "$", "gm")
  await using project = await testProject({ "rules/a b.md": "---\nkeywords: [code]\nos: solaris\n---\nx\n---\n" })
  const { out } = await project.run(["check"])
  expect(Array.from(out.matchAll(pattern), ([, ...parts]) => parts.slice(0, 5))).toEqual([
    [".opencode/rules/a b.md", "3", "5", "error", "wrong-type"],
  ])
})
