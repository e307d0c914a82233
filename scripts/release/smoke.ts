import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Manifest } from "./stage.ts"

/** What an entry of the server part exports by default. The TUI part needs what OpenCode's TUI supplies. */
const SERVER_ENTRY = "id,server,setup"
const SERVER_ENTRIES = [".", "./server"]

/**
 * Packs a staged package, unpacks the tarball into a `node_modules` folder with nothing beside it, and uses it as Node does: its
 * server entries and its commands.
 *
 * @param folder the staged package, absolute.
 * @param scratch a folder for what is made here, absolute.
 */
export async function smokeProblems(
  manifest: typeof Manifest.infer,
  folder: string,
  scratch: string,
): Promise<string[]> {
  const { name, exports, bin = {} } = manifest
  const home = join(scratch, `smoke-${name}`)
  const installed = join(home, "node_modules", name)
  await mkdir(installed, { recursive: true })
  const packed = await run([process.execPath, "pm", "pack", "--quiet", "--destination", home], folder)
  if (packed.code !== 0) return [`${name}: it can't be packed: ${packed.output}`]
  const tarball = packed.output.trim().split("\n").at(-1) ?? ""
  const unpacked = await run(["tar", "-xzf", tarball, "-C", installed, "--strip-components", "1"], home)
  if (unpacked.code !== 0) return [`${name}: its tarball can't be unpacked: ${unpacked.output}`]

  const problems: string[] = []
  for (const entry of SERVER_ENTRIES.filter((key) => key in exports)) {
    const specifier = JSON.stringify(join(name, entry))
    const script = `import plugin from ${specifier}; console.log(Object.keys(plugin).sort().join())`
    const { code, output } = await run(["node", "--input-type=module", "-e", script], home)
    if (code !== 0 || output.trim() !== SERVER_ENTRY)
      problems.push(
        `${name}: Node imports ${specifier} as "${output.trim()}" in place of an object with ${SERVER_ENTRY}.`,
      )
  }
  for (const [command, file] of Object.entries(bin)) {
    const help = await run(["node", join(installed, file), "--help"], home)
    if (help.code !== 0) problems.push(`${name}: the command ${command} fails from the tarball: ${help.output}`)
  }
  return problems
}

async function run(
  command: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const child = Bun.spawn([...command], { cwd, stdio: ["ignore", "pipe", "pipe"] })
  const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, output: `${out}${errors}` }
}
