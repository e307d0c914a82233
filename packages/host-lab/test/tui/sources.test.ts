import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, say, startLab, startTui } from "../../src/index.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(240_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

test("the sidebar shows rules of other tools with their tool's name, and a nested folder's once a file below it was read", async () => {
  const project = await lab.project({
    files: {
      "packages/api/a.rs": "fn a() {}\n",
      "packages/api/.opencode/rules/api.md": "Text of the API's rule.",
      ".cursor/rules/rust.mdc": "---\nglobs: *.rs\nalwaysApply: false\n---\nText of Cursor's rule.",
    },
    rules: { "release.md": "---\ndescription: How we release\nalwaysApply: false\n---\nText." },
    plugins: [[RULEBOOK, { rulesOf: ["cursor"] }]],
    tuiPlugins: [RULEBOOK],
    git: "main",
  })
  lab.provider.script({ project: project.key }, [
    call("read", { filePath: project.path("packages/api/a.rs") }),
    say("done"),
  ])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "Look at a.rs"] })
  await tui.waitFor("the prompt", (frame) => frame.includes("Look at a.rs"))
  await tui.press("Enter")
  const frame = await tui.waitFor("both rules matched", (shown) => shown.includes("2 of 3 matched"))
  expect(frame).toContain("✓ rust  Cursor: *.rs")
  expect(frame).toContain("✓ api  always")
  expect(frame).toContain("• release  on request")
})
