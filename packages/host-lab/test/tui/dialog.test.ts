import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { type Lab, say, startLab, startTui } from "../../src/index.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(240_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const RULES = {
  "css.md": '---\nname: Stylesheets\nglobs: "*.css"\n---\nText.',
  "house.md": "---\nname: House style\n---\nText.",
}

test("/rules opens the list where the terminal has no room for the sidebar, and keys fold and unfold", async () => {
  const project = await lab.project({ rules: RULES, plugins: [RULEBOOK], tuiPlugins: [RULEBOOK] })
  lab.provider.script({ project: project.key }, [say("done")])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "hello there"], columns: 100 })
  await tui.waitFor("the prompt", (frame) => frame.includes("hello there"))
  await tui.press("Enter")
  await tui.waitFor("the answer", (frame) => frame.includes("done"))
  expect(await tui.frame()).not.toContain("Rules 1 of 2 matched")

  await tui.type("/rules")
  await tui.waitFor("the command", (frame) => frame.includes("Show rules"))
  await tui.press("Enter")
  await tui.waitFor("the dialog", (frame) => frame.includes("› ▼ Rules 1 of 2 matched"))
  await tui.press("Down")
  await tui.waitFor("the cursor on the first rule", (frame) => frame.includes("› ✓ House style"))
  await tui.press("Down")
  await tui.press("Enter")
  const unfolded = await tui.waitFor("the rule's details", (frame) => frame.includes("lifetime: durable"))
  expect(unfolded).toContain("› • Stylesheets")
  await tui.press("Escape")
  await tui.waitFor("no dialog", (frame) => !frame.includes("Rules 1 of 2 matched"))
  await tui.type("still here")
  await tui.waitFor("the prompt's own keys", (frame) => frame.includes("still here"))
})

test("with the sidebar's part alone, an answered request says what is missing", async () => {
  const project = await lab.project({ rules: RULES, tuiPlugins: [RULEBOOK] })
  lab.provider.script({ project: project.key }, [say("done")])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "hello there"] })
  await tui.waitFor("the prompt", (frame) => frame.includes("hello there"))
  await tui.press("Enter")
  const frame = await tui.waitFor("what is missing", (shown) => shown.includes("Server part not seen"))
  expect(frame).toContain("0 of 2 matched")
})
