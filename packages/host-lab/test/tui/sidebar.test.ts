import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { $, Glob } from "bun"
import { call, held, type Lab, say, startLab, startTui } from "../../src/index.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(240_000)

const EXAMPLE = join(import.meta.dir, "../../../../examples/service")

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

async function exampleFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const path of new Glob("**/*").scan({ cwd: EXAMPLE, dot: true })) {
    files[path] = await Bun.file(join(EXAMPLE, path)).text()
  }
  return files
}

/** A step that the test lets go on. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

test("with the demo project the sidebar shows the Rust rule unmatched, then matched as soon as the agent has read", async () => {
  const project = await lab.project({
    files: await exampleFiles(),
    plugins: [RULEBOOK],
    tuiPlugins: [RULEBOOK],
    git: "main",
  })
  const [toRead, toStyle, toEnd] = [gate(), gate(), gate()]
  lab.provider.script({ project: project.key }, [
    held(toRead.opened, call("read", { filePath: project.path("src/buffer.rs") })),
    held(toStyle.opened, call("read", { filePath: project.path("web/app.css") })),
    held(toEnd.opened, say("done")),
  ])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "Look at src/buffer.rs"] })
  await tui.waitFor("the prompt", (frame) => frame.includes("Look at src/buffer.rs"))
  await tui.press("Enter")
  const before = await tui.waitFor("matched rules without the Rust rule", (frame) => frame.includes("2 of 5 matched"))
  expect(before).toContain("• Unsafe Rust")
  expect(before).toContain("✓ House style  always")
  expect(before).toContain("✓ While building  agent build")
  expect(before).toContain("• Stylesheets  *.css")

  // Each match is shown while the step that follows waits for its answer: nothing else happens that could show it.
  toRead.open()
  await tui.waitFor("the Rust rule matched", (shown) => shown.includes("✓ Unsafe Rust"))
  toStyle.open()
  await tui.waitFor(
    "Stylesheets matched, four in all",
    (shown) => shown.includes("✓ Stylesheets") && shown.includes("4 of 5 matched"),
  )
  toEnd.open()

  await tui.click("Unsafe Rust")
  const unfolded = await tui.waitFor("the Rust rule's details", (frame) => frame.includes("lifetime: durable"))
  expect(unfolded).toContain("matched, delivered")
  expect(unfolded).toMatch(/since request 2 · about \d+ tokens/)
  await tui.waitFor("the tokens of all four", (frame) => /Rules 4 of 5 matched · \d+ tokens/.test(frame))
  expect(unfolded).toContain(".opencode/rules/unsafe-rust.md")

  await Bun.write(project.path(".opencode/rules/css.md"), "---\nname: Stylesheets\nci: maybe\n---\nText.")
  const broken = await tui.waitFor("the broken rule", (frame) => frame.includes("✗ Stylesheets"))
  expect(broken).toContain("1 broken")

  await tui.click("▼ Rules")
  const folded = await tui.waitFor("the folded section", (frame) => frame.includes("▶ Rules"))
  expect(folded).toContain("4 of 5 matched")
  expect(folded).not.toContain("Unsafe Rust")
})

test("a rule with `match: all` shows which of its conditions the session has met, until it is matched", async () => {
  const rules = { "both.md": '---\nname: Both\nmatch: all\nglobs: "*.css"\nkeywords: [style]\n---\nText.' }
  const project = await lab.project({
    files: { "a.css": "a {}" },
    rules,
    plugins: [RULEBOOK],
    tuiPlugins: [RULEBOOK],
  })
  const [toRead, toEnd] = [gate(), gate()]
  lab.provider.script({ project: project.key }, [
    held(toRead.opened, call("read", { filePath: project.path("a.css") })),
    held(toEnd.opened, say("done")),
  ])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "style it"] })
  await tui.waitFor("the prompt", (frame) => frame.includes("style it"))
  await tui.press("Enter")
  await tui.waitFor("the conditions", (frame) => frame.includes('• Both  • *.css and ✓ prompt "style"'))
  await tui.click("• Both")
  await tui.waitFor("them in full", (frame) => frame.includes("1 of 2 conditions met"))
  toRead.open()
  await tui.waitFor("the rule matched", (frame) => frame.includes("✓ Both") && !frame.includes("conditions met"))
  toEnd.open()
})

test("the packed package works where npm would put it, with nothing installed beside it", async () => {
  const rules = { "a.md": "---\nname: Packed\n---\nText.", "bad.md": "---\nci: maybe\n---\nText." }
  const project = await lab.project({ rules, tuiPlugins: [await unpacked(lab.root)] })
  lab.provider.script({ project: project.key }, [say("done")])
  await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "hello there"] })
  await tui.waitFor("the prompt", (frame) => frame.includes("hello there"))
  await tui.press("Enter")
  const frame = await tui.waitFor("the section", (shown) => shown.includes("Rules 0 of 1 matched, 1 broken"))
  expect(frame).toContain("✗ bad")
  expect(frame).toContain("• Packed  always")
})

/** Packs the built package and lays it out as an installation does. */
async function unpacked(root: string): Promise<string> {
  const folder = join(root, "node_modules/opencode-rulebook")
  await mkdir(folder, { recursive: true })
  const archive = join(root, "package.tgz")
  await $`bun pm pack --quiet --filename ${archive}`.cwd(RULEBOOK).quiet()
  await $`tar -xzf ${archive} -C ${folder} --strip-components=1`
  return folder
}
