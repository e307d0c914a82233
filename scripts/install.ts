import { existsSync } from "node:fs"
import { join } from "node:path"
import { findChromium } from "../packages/host-lab/src/chromium.ts"

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

/** The programs that tests drive, beside those that come with the dependencies. */
const PROGRAMS = {
  tmux: {
    find: () => Bun.which("tmux"),
    purpose: "OpenCode's real TUI runs in it",
    elsewhere: "`brew install tmux`",
  },
  chromium: {
    find: findChromium,
    purpose: "the page of `opencode-rulebook report --html` is opened in it",
    elsewhere: "`brew install --cask google-chrome`",
  },
} as const

type Program = keyof typeof PROGRAMS

/**
 * Installs a program where that needs no question: as root on Debian and its like.
 *
 * @returns whether it is there. If not, what to do has been said.
 */
export async function installProgram(name: Program): Promise<boolean> {
  const { find, purpose, elsewhere } = PROGRAMS[name]
  if (find()) return true
  if (process.getuid?.() === 0 && Bun.which("apt-get")) {
    console.log(`Installing ${name} …`)
    const quiet = { DEBIAN_FRONTEND: "noninteractive" }
    await run(["apt-get", "update", "-qq"], quiet)
    await run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", name], quiet)
    if (find()) return true
  }
  if (name === "tmux" && process.platform === "win32") {
    console.error(
      "tmux does not exist on Windows: run this in WSL. `bun run test:portable` runs what depends on no system.",
    )
    return false
  }
  console.error(
    `${name} is missing: ${purpose}. Install it: \`apt-get install ${name}\` as root, ${elsewhere}, or your system's way.`,
  )
  return false
}
