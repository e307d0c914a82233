import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type Lab, say, startLab } from "../../src/index.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

test("the authoring skill that comes with the package is offered to the model", async () => {
  const skill = join(import.meta.dir, "../../../opencode-rulebook/skills/crafting-rules/SKILL.md")
  const project = await lab.project({
    files: { ".opencode/skills/crafting-rules/SKILL.md": await readFile(skill, "utf8") },
    plugins: [],
  })
  const session = await project.session()
  await session.prompt("hello", [say("hello")])
  expect(JSON.stringify(session.requests())).toContain("crafting-rules")
})
