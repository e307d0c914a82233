import { expect, test } from "bun:test"
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createRuleCache, type RuleDirectory } from "@opencode-rulebook/rule-schema"
import { createRuleReader } from "./rule-reader.ts"

test("readings that begin at once parse each file once; one that has changed is read anew", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-reader-")))
  const directory: RuleDirectory = { scope: "project", path: root, root, prefix: "" }
  await writeFile(join(root, "a.md"), "One.")
  await writeFile(join(root, "b.md"), "Two.")
  // A minute on: no file has changed just now.
  const read = createRuleReader(createRuleCache(() => Date.now() + 60_000))
  const [first, second] = await Promise.all([read([directory]), read([directory])])
  expect(second.rules).toHaveLength(2)
  expect(second.rules.map((rule, index) => rule === first.rules[index])).toEqual([true, true])
  await writeFile(join(root, "a.md"), "Another.")
  const third = await read([directory])
  expect(third.rules.map(({ body }) => body)).toEqual(["Another.", "Two."])
  expect(third.rules[1] === second.rules[1]).toBe(true)
  await rm(root, { recursive: true })
})
