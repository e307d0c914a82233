import { expect, test } from "bun:test"
import { join } from "node:path"

const FILES = ["src/section.test.ts", "src/panel.test.tsx", "src/plugin.test.ts"]

test("all that draws has the same frames on the OpenTUI of OpenCode 2", async () => {
  const command = [process.execPath, "test", "--config=next.bunfig.toml", ...FILES]
  const child = Bun.spawn(command, {
    cwd: join(import.meta.dir, ".."),
    env: { ...process.env, CI: "1" },
    stdio: ["ignore", "ignore", "pipe"],
  })
  const [output, code] = await Promise.all([child.stderr.text(), child.exited])
  expect({ code, failed: output.match(/^\(fail\).*$/gm) ?? [], ran: /^ \d+ pass$/m.test(output) || output }).toEqual({
    code: 0,
    failed: [],
    ran: true,
  })
}, 240_000)
