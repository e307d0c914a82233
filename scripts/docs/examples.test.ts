import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { parseRule, TOOLS } from "@opencode-rulebook/rule-schema"
import { Glob } from "bun"
import { type Output, testProject } from "../../packages/cli/test/project.ts"
import { root } from "../install.ts"
import { DOCUMENTS, readDocument } from "./documents.ts"
import { type Example, examplesOf, verdictOf } from "./examples.ts"
import type { Fence } from "./markdown.ts"
import { missingOutcomes, runsOf } from "./rule-cases.ts"

setDefaultTimeout(60_000)

/** Prints its arguments, and its standard input when that is asked for. */
const SHIM = `#!/bin/sh
first="$1"; shift
printf '%s' "$first"; for each in "$@"; do printf '\\0%s' "$each"; done
printf '\\0\\0'
case " $* " in *" - "*) cat ;; esac
`

let bin: string
beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), "rulebook-examples-"))
  await writeFile(join(bin, "opencode-rulebook"), SHIM)
  await chmod(join(bin, "opencode-rulebook"), 0o755)
})
afterAll(() => rm(bin, { recursive: true }))

/** Has the rules of every other tool read where they are. */
const IN_PLACE = JSON.stringify({ plugin: [["opencode-rulebook", { rulesOf: Object.keys(TOOLS) }]] })

/** An MCP server that rules name; it is off, so that a dry run has no tool of it that it isn't given. */
const WITH_SERVER = JSON.stringify({ mcp: { github: { enabled: false } } })

/** Runs a line in the shell, where the command stands for what it is called with; that then runs here, on the rule. */
async function run(line: string, { file, text }: Fence): Promise<Output> {
  const child = Bun.spawn(["sh", "-c", line], {
    env: { PATH: `${bin}${delimiter}${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [args = "", stdin = ""] = (await child.stdout.text()).split("\0\0")
  const files =
    file === undefined
      ? { "rules/example.md": text, "opencode.json": WITH_SERVER }
      : { [file]: text, "opencode.json": IN_PLACE }
  await using project = await testProject(files)
  return await project.run([...args.split("\0"), "--json"], { stdin })
}

/** Documents with rules in them, the packages' own among them. */
const WITH_RULES = [...DOCUMENTS, ...new Glob("packages/*/*.md").scanSync({ cwd: root })]
/** Rule files that are examples themselves. */
const RULE_FILES = [...new Glob("examples/**/rules/**/*.md").scanSync({ cwd: root, dot: true })].toSorted()

for (const document of WITH_RULES) {
  const examples = examplesOf(await readDocument(document))
  describe(document, () => {
    for (const example of examples) testExample(example)
  })
}

for (const path of RULE_FILES) {
  const text = await readDocument(path)
  describe(path, () => {
    testExample({ rule: { language: "markdown", file: undefined, text, line: 1 }, isFaulty: false, runs: [] })
  })
}

function testExample({ rule, isFaulty, runs }: Example): void {
  test(`the rule in line ${rule.line} ${isFaulty ? "has findings" : "passes check"}`, async () => {
    const { out, err } = await run("opencode-rulebook check", rule)
    expect({ err, isFaulty: verdictOf(out) !== "clean", out }).toEqual({ err: "", isFaulty, out })
  })
  const all = isFaulty ? runs : runsOf({ rule, runs })
  for (const { command, says } of all) {
    test(`the rule in line ${rule.line}: ${command}: ${says}`, async () => {
      const { out, err } = await run(command, rule)
      expect({ err, verdict: verdictOf(out) }).toEqual({ err: "", verdict: says })
    })
  }
  if (isFaulty) return
  test(`the rule in line ${rule.line} has a dry run for each outcome`, () => {
    expect(missingOutcomes({ text: rule.text, isAlways: isAlways(rule) }, all)).toEqual([])
  })
}

/** Does a rule apply whatever happens? */
function isAlways({ text }: Fence): boolean {
  const path = "/app/.opencode/rules/example.md"
  const parsed = parseRule({
    directory: { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" },
    path,
    text,
  })
  return parsed.kind === "rule" && parsed.rule.activation === "always"
}

test("there are examples, and dry runs of them", async () => {
  const examples = (await Promise.all(WITH_RULES.map(readDocument))).flatMap(examplesOf)
  expect(RULE_FILES.length).toBeGreaterThan(6)
  expect(examples.length).toBeGreaterThan(20)
  expect(examples.flatMap(({ runs }) => runs).length).toBeGreaterThan(50)
})
