import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { counts, playFree } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const UNSAFE = '---\nglobs: "**/*.rs"\nfileContains: "unsafe {"\n---\nJustify every unsafe block.'

test("the canonical Rust rule is in the request right after the read, once, and stays", async () => {
  const options = { files: { "src/main.rs": "fn main() {\n    unsafe { x() }\n}\n" }, rules: { "unsafe.md": UNSAFE } }
  const { requests, stored } = await playFree(lab, options, async (project) => {
    const session = await project.session()
    const read = call("read", { filePath: project.path("src/main.rs") })
    await session.prompt("look", [read, read, say("done")])
    await session.prompt("and now?", [say("nothing")])
    return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
  })
  expect(counts(requests, "Justify every unsafe block.")).toEqual([0, 1, 1, 1])
  expect(stored.split("Justify every unsafe block.")).toHaveLength(2)
})
