import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { opencodeBinary } from "./opencode.ts"

/** Where other versions of the host are installed: kept from run to run, and no part of the repository. */
const STORE = join(import.meta.dir, "../../../.host-lab/opencode")

/**
 * Installs a version of OpenCode from the registry, unless it is there, and returns the path of its executable.
 *
 * @param version an exact version.
 * @throws when npm can't install it, with npm's words.
 */
export async function installOpencode(version: string): Promise<string> {
  const folder = join(STORE, version)
  if (!existsSync(folder)) await install(version, folder)
  return opencodeBinary(join(folder, "node_modules"))
}

/** Into a folder beside it first, so that an interrupted installation leaves nothing that looks whole. */
async function install(version: string, folder: string): Promise<void> {
  const partial = `${folder}.${process.pid}`
  await mkdir(partial, { recursive: true })
  const command = [
    "npm",
    "install",
    "--prefix",
    partial,
    "--no-audit",
    "--no-fund",
    "--silent",
    `opencode-ai@${version}`,
  ]
  const npm = Bun.spawn(command, { cwd: partial, stdio: ["ignore", "ignore", "pipe"] })
  const errors = await new Response(npm.stderr).text()
  if ((await npm.exited) !== 0) {
    await rm(partial, { recursive: true, force: true })
    throw new Error(`npm can't install opencode-ai@${version}: ${errors}`)
  }
  await rename(partial, folder)
}
