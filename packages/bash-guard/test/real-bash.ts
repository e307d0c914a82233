import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A scratch folder in which bash can be asked what it looks up; nothing is on its PATH, so nothing runs. */
export interface RealBash {
  /** The names bash looked for when it ran the command, each once. */
  lookedUp(command: string): readonly string[]
  /** Whether bash finds the syntax well-formed. */
  accepts(command: string): boolean
  dispose(): void
}

/** Windows has no bash of its own, and what Git brings has other paths. */
export const hasBash = process.platform !== "win32"
/** The first on the PATH: macOS has version 3.2 in `/bin`, which does not report names that it did not find. */
export const bash = Bun.which("bash") ?? "/bin/bash"
const seconds = 5

/** Programs "fail" when their name begins with `no`, so that both sides of `||` can be seen. */
const notFound = `() { builtin printf '%s\\0' "$1" >> "$LOOKED_UP"; [[ $1 != no* ]]; }`
const shell = `() { builtin printf '%s\\0' "\${FUNCNAME[0]}" >> "$LOOKED_UP"; ${bash} --norc --noprofile "$@"; }`

export function openRealBash(): RealBash {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bash-guard-")))
  const log = join(folder, ".looked-up")
  const env = {
    PATH: join(folder, "nothing"),
    LOOKED_UP: log,
    FUNCNEST: "5",
    "BASH_FUNC_command_not_found_handle%%": notFound,
    "BASH_FUNC_bash%%": shell,
    "BASH_FUNC_sh%%": shell,
  }
  const run = (args: readonly string[]) =>
    Bun.spawnSync([bash, "--norc", "--noprofile", ...args], {
      cwd: folder,
      env,
      stdin: "ignore",
      // Read to their ends, so that background processes have ended too.
      stdout: "pipe",
      stderr: "pipe",
      timeout: seconds * 1000,
    })
  return {
    lookedUp(command) {
      writeFileSync(log, "")
      run(["-c", command])
      return [...new Set(readFileSync(log, "utf8").split("\0").filter(Boolean))]
    },
    accepts: (command) => run(["-n", "-c", command]).exitCode === 0,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}
