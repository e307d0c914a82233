import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { type Lab, say, startLab } from "../../src/index.ts"
import { counts, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const RULE = "Rule of the project."
const rules = { "a.md": RULE }

test.each([
  ["for the project", [], (folder: string) => join(folder, ".opencode")],
  ["for all projects", ["-g"], () => join(lab.root, "config/opencode")],
])("`opencode plugin` with the folder's path adds both parts %s", async (_where, flags, configOf) => {
  const project = await lab.project({ rules })
  const { code } = await lab.run(project.directory, ["plugin", RULEBOOK, ...flags])
  expect(code).toBe(0)
  for (const name of ["opencode.json", "tui.json"]) {
    const config = await Bun.file(join(configOf(project.directory), name)).json()
    expect(config.plugin).toEqual([RULEBOOK])
  }
  await lab.restart()
  const session = await project.session()
  const { requests } = await session.prompt("hello", [say("done")])
  expect(counts(requests, RULE)).toEqual([1])
})
