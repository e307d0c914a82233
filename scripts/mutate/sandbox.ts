import { cp, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { $ } from "bun"
import { root } from "../install.ts"

/** What compiles the TUI's JSX. It takes half of the time of a short test run, and no other package needs it. */
const TUI_PRELOAD = '"@opentui/solid/preload", '

/**
 * Copies the repository into a temporary folder for the tests of one package. Returns its path. Uncommitted changes come along, ignored files don't. Its
 * `node_modules` are links to the real ones, but the workspace's own packages are those of the copy.
 */
export async function createSandbox(name: string): Promise<string> {
  const sandbox = await realpath(await mkdtemp(join(tmpdir(), "mutate-")))
  const files = await $`git ls-files -co --exclude-standard -z`.cwd(root).text()
  for (const file of files.split("\0")) {
    if (file === "" || !(await Bun.file(join(root, file)).exists())) continue
    await mkdir(dirname(join(sandbox, file)), { recursive: true })
    await cp(join(root, file), join(sandbox, file), { verbatimSymlinks: true })
  }
  await linkPackages("node_modules", sandbox)
  const bunfig = join(sandbox, "bunfig.toml")
  if (name !== "tui") await Bun.write(bunfig, (await Bun.file(bunfig).text()).replace(TUI_PRELOAD, ""))
  return sandbox
}

export async function removeSandbox(sandbox: string): Promise<void> {
  await rm(sandbox, { recursive: true, force: true })
}

async function linkPackages(folder: string, sandbox: string): Promise<void> {
  await mkdir(join(sandbox, folder), { recursive: true })
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    // A link in it is a package of the workspace, relative to the folder; a scope's folder may hold such links.
    if (entry.isSymbolicLink()) await symlink(await readlink(join(root, path)), join(sandbox, path), "junction")
    else if (entry.name.startsWith("@")) await linkPackages(path, sandbox)
    else await symlink(join(root, path), join(sandbox, path), "junction")
  }
}
