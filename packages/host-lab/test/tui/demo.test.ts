import { expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { startTui } from "../../src/index.ts"

setDefaultTimeout(240_000)

const ROOT = join(import.meta.dir, "../../../..")

test("`demo --tui` says on the screen what to type, and what is typed matches rules", async () => {
  const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const program = [process.execPath, "scripts/demo.ts", "--tui"]
  await using tui = await startTui(ROOT, env, { program })
  const prompt = "Make read_all in src/buffer.rs safer, then commit."
  const isReady = (frame: string) => frame.includes(`Press Enter to send: ${prompt}`) && frame.includes(`┃  ${prompt}`)
  expect(await tui.waitFor("the guide and the prompt", isReady)).toContain("Then type:")
  await tui.press("Enter")
  const matched = await tui.waitFor("the Rust rule matched", (frame) => frame.includes("✓ Unsafe Rust"))
  expect(matched).toContain("4 of 5 matched")
  expect(matched).toContain("Press Enter to send")
})
