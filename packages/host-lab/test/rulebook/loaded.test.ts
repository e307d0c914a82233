import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { type Lab, say, startLab } from "../../src/index.ts"
import { pluginLog } from "./log.ts"
import { RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

test("the host's log says once that the plugin is loaded, with its version, and what it found where", async () => {
  const { version } = await Bun.file(join(RULEBOOK, "package.json")).json()
  const rules = { "a.md": "Text.", "broken.md": "---\nci: maybe\n---\nText." }
  const project = await lab.project({ rules, plugins: [RULEBOOK] })
  const session = await project.session()
  await session.prompt("hello", [say("done")])
  const [line, ...others] = await pluginLog(lab, "is loaded")
  expect(others).toEqual([])
  expect(line).toStartWith(
    `version ${version} is loaded on OpenCode 1 for ${project.directory}: 1 rule, 1 broken, from `,
  )
  expect(line).toContain(project.path(".opencode/rules"))
})
