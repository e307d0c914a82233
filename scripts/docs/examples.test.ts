import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { TOOLS } from "@opencode-rulebook/rule-schema"
import { type Output, testProject } from "../../packages/cli/test/project.ts"
import { DOCUMENTS, readDocument } from "./documents.ts"
import { examplesOf, verdictOf } from "./examples.ts"
import type { Fence } from "./markdown.ts"

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

/** Runs a line in the shell, where the command stands for what it is called with; that then runs here, on the rule. */
async function run(line: string, { file, text }: Fence): Promise<Output> {
  const child = Bun.spawn(["sh", "-c", line], {
    env: { PATH: `${bin}${delimiter}${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [args = "", stdin = ""] = (await child.stdout.text()).split("\0\0")
  const files = file === undefined ? { "rules/example.md": text } : { [file]: text, "opencode.json": IN_PLACE }
  await using project = await testProject(files)
  return await project.run([...args.split("\0"), "--json"], { stdin })
}

for (const document of DOCUMENTS) {
  const examples = examplesOf(await readDocument(document))
  describe(document, () => {
    for (const { rule, isFaulty, runs } of examples) {
      test(`the rule in line ${rule.line} ${isFaulty ? "has findings" : "passes check"}`, async () => {
        const { out, err } = await run("opencode-rulebook check", rule)
        expect({ err, isFaulty: verdictOf(out) !== "clean", out }).toEqual({ err: "", isFaulty, out })
      })
      for (const { command, says } of runs) {
        test(`${command}: ${says}`, async () => {
          const { out, err } = await run(command, rule)
          expect({ err, verdict: verdictOf(out) }).toEqual({ err: "", verdict: says })
        })
      }
    }
  })
}

test("there are examples, and dry runs of them", async () => {
  const examples = (await Promise.all(DOCUMENTS.map(readDocument))).flatMap(examplesOf)
  expect(examples.length).toBeGreaterThan(20)
  expect(examples.flatMap(({ runs }) => runs).length).toBeGreaterThan(50)
})
