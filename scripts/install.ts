import { existsSync } from "node:fs"
import { join } from "node:path"

/** The repository's root, absolute. */
export const root = join(import.meta.dir, "..")

/** Runs a command in the repository with its output shown, and returns its exit code. */
export async function run(command: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  })
  return await child.exited
}

/**
 * Installs the workspace's dependencies as `bun.lock` pins them, unless they are there. A process that has looked for
 * packages before they were there does not find them afterwards: so the script then runs again, in a fresh process, and
 * this one ends with its exit code.
 */
export async function installDependencies(): Promise<void> {
  const stamp = join(root, "node_modules/.rulebook-lock")
  const lock = Bun.hash(await Bun.file(join(root, "bun.lock")).text()).toString()
  if (existsSync(stamp) && (await Bun.file(stamp).text()) === lock) return
  console.log("Installing dependencies …")
  if ((await run([process.execPath, "install", "--frozen-lockfile", "--silent"])) !== 0) {
    console.error(
      "Dependencies could not be installed: the npm registry must be reachable (`npm config get registry`).",
    )
    process.exit(1)
  }
  await Bun.write(stamp, lock)
  process.exit(await run([process.execPath, ...process.argv.slice(1)]))
}

/**
 * Installs tmux, in which the real TUI is driven, where that needs no question: as root on Debian and its like.
 *
 * @returns whether it is there. If not, what to do has been said.
 */
export async function installTmux(): Promise<boolean> {
  if (Bun.which("tmux")) return true
  if (process.getuid?.() === 0 && Bun.which("apt-get")) {
    console.log("Installing tmux …")
    const quiet = { DEBIAN_FRONTEND: "noninteractive" }
    await run(["apt-get", "update", "-qq"], quiet)
    await run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "tmux"], quiet)
    if (Bun.which("tmux")) return true
  }
  if (process.platform === "win32") {
    console.error(
      "tmux does not exist on Windows: run this in WSL. `bun run test:portable` runs what depends on no system.",
    )
    return false
  }
  console.error(
    "tmux is missing: OpenCode's real TUI runs in it. Install it: `apt-get install tmux` as root, `brew install tmux`, or your system's way.",
  )
  return false
}
