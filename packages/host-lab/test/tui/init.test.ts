import { expect, setDefaultTimeout, test } from "bun:test"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startTui } from "../../src/index.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(180_000)

async function inTerminal(play: (folder: string, tui: Awaited<ReturnType<typeof startTui>>) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "host-lab-init-"))
  try {
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder }
    const program = ["node", join(RULEBOOK, "dist/cli.js")]
    await using tui = await startTui(folder, env, { program, args: ["init"], columns: 90, rows: 40 })
    await play(folder, tui)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test("on a terminal `init` asks, and does what is answered", async () => {
  await inTerminal(async (folder, tui) => {
    await tui.waitFor("the first question", (frame) => frame.includes("Where should the plugin work?"))
    await tui.press("Enter")
    await tui.waitFor("the second", (frame) => frame.includes("Which OpenCode do you use?"))
    await tui.press("Down")
    await tui.press("Enter")
    await tui.waitFor("the third", (frame) => frame.includes("Write a first rule?"))
    await tui.press("Enter")
    await tui.waitFor("the fourth", (frame) => frame.includes("Install the skill"))
    await tui.type("n")
    const end = await tui.waitFor("the end", (frame) => frame.includes("Restart OpenCode"))
    expect(end).toContain("created .opencode/opencode.json: loads the plugin")
    expect((await readdir(join(folder, ".opencode"))).toSorted()).toEqual(["opencode.json", "rules"])
    expect(JSON.parse(await readFile(join(folder, ".opencode/opencode.json"), "utf8")).plugins).toHaveLength(1)
  })
})

test("giving up changes nothing", async () => {
  await inTerminal(async (folder, tui) => {
    await tui.waitFor("the first question", (frame) => frame.includes("Where should the plugin work?"))
    await tui.press("C-c")
    await tui.waitFor("the end", (frame) => frame.includes("Nothing was changed."))
    expect(await readdir(folder)).toEqual([])
  })
})
