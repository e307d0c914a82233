import { afterAll, expect, setDefaultTimeout, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const folder = mkdtempSync(join(tmpdir(), "guard-build-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
setDefaultTimeout(60_000)

// A plugin that fails to load is a guard that isn't there, and the host says nothing of it.
test("the built plugin loads by itself, in node and in bun, with a default export only", async () => {
  const built = await Bun.build({
    entrypoints: [join(dirname(import.meta.dir), "src/server.ts")],
    target: "node",
    format: "esm",
    outdir: folder,
  })
  expect(built.success).toBe(true)
  const script = `const m = await import(${JSON.stringify(join(folder, "server.js"))}); console.log(JSON.stringify([Object.keys(m), Object.keys(m.default)]))`
  for (const runtime of ["node", process.execPath]) {
    const run = Bun.spawnSync([runtime, "--input-type=module", "-e", script], { cwd: folder })
    expect([runtime, run.stdout.toString().trim()]).toEqual([runtime, '[["default"],["id","server","setup"]]'])
  }
})
