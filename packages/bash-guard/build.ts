import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

/**
 * Makes what is published in a folder, for Node and Bun, with nothing beside it: `server.js`, the plugin, and `cli.js`, the command.
 *
 * @throws with what the bundler says.
 */
export async function build(folder: string): Promise<void> {
  await bundle("src/server.ts", folder, "server.js")
  await bundle("src/cli/bin.ts", folder, "cli.js")
  const command = join(folder, "cli.js")
  await writeFile(command, `#!/usr/bin/env node\n${await readFile(command, "utf8")}`)
  await chmod(command, 0o755)
}

async function bundle(entry: string, outdir: string, naming: string): Promise<void> {
  const entrypoints = [join(import.meta.dir, entry)]
  const result = await Bun.build({ target: "node", format: "esm", entrypoints, outdir, naming, throw: false })
  if (!result.success) throw new Error(`${entry} could not be built:\n${result.logs.join("\n")}`)
}

if (import.meta.main) await build(process.argv[2] ?? join(import.meta.dir, "dist"))
