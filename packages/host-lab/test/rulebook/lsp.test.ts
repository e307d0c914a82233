import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, type Lab, say, startLab } from "../../src/index.ts"
import { RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

/** What docs/editors.md says for OpenCode. */
const lsp = {
  "opencode-rulebook": {
    command: ["node", join(RULEBOOK, "dist/cli.js"), "lsp", "--stdio"],
    extensions: [".md", ".mdc"],
  },
}

test("an agent that writes a broken rule reads what is wrong in the tool's result; a whole rule and other Markdown say nothing", async () => {
  const project = await lab.project({ config: { lsp } })
  const session = await project.session()
  const write = (filePath: string, content: string) => call("write", { filePath: project.path(filePath), content })
  const { requests } = await session.prompt("write rules", [
    write(".opencode/rules/broken.md", "---\nci: maybe\n---\nText.\n"),
    write(".opencode/rules/whole.md", '---\nglobs: "*.rs"\n---\nText.\n'),
    write("notes.md", "---\nci: maybe\n---\nText.\n"),
    say("done"),
  ])
  const results = requests.map(({ messages }) => messages.findLast(({ role }) => role === "tool")?.text ?? "")
  expect(results[1]).toContain("LSP errors detected in this file")
  expect(results[1]).toMatch(/ERROR \[2:5\] `ci`.* never matches\. Write `ci: true`/)
  expect(results.slice(2).map((result) => result.includes("detected in this file"))).toEqual([false, false])
})
