import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onProcessEnd } from "./cleanup.ts"
import { opencodeBinary } from "./opencode.ts"

export type TuiOptions = {
  /** What is started in place of `opencode`. */
  readonly program?: readonly string[]
  /** Its arguments, say `["--prompt", "hello"]`. */
  readonly args?: readonly string[]
  readonly columns?: number
  readonly rows?: number
}

/** OpenCode's TUI on a terminal of its own, driven as a person would. */
export type Tui = AsyncDisposable & {
  /** What the terminal shows, line by line, without colours. */
  frame(): Promise<string>
  /** The same with its colours, as SGR escape sequences. */
  colouredFrame(): Promise<string>
  type(text: string): Promise<void>
  /** Presses a key by tmux's name for it: "Enter", "Escape", "C-c". */
  press(key: string): Promise<void>
  /** Clicks the first place that shows this text. */
  click(text: string): Promise<void>
  /** Makes the terminal as wide as this. */
  resize(columns: number): Promise<void>
  /** Resolves to the first frame that fits. Rejects with the last frame after `patienceMs`. */
  waitFor(what: string, fits: (frame: string) => boolean, patienceMs?: number): Promise<string>
  stop(): Promise<void>
}

/** Its first paint takes some seconds on an idle machine (measured on OpenCode 1.18.33), and many on a busy one. */
const PATIENCE_MS = 150_000
const LOOK_EVERY_MS = 25
/** How long the host may take to end when its terminal has gone. */
const GRACE_MS = 5000

/**
 * Starts `opencode` in a folder, in tmux: on 160 columns and 45 rows it shows its sidebar (measured on OpenCode 1.18.33).
 *
 * @param env the host's whole environment.
 * @throws when tmux is not installed.
 */
export async function startTui(
  cwd: string,
  env: Readonly<Record<string, string>>,
  options: TuiOptions = {},
): Promise<Tui> {
  const tmux = Bun.which("tmux")
  if (!tmux) throw new Error("tmux is not installed: the real TUI runs in it (Debian and Ubuntu: apt-get install tmux)")
  const { program = [opencodeBinary()], args = [], columns = 160, rows = 45 } = options
  const folder = await mkdtemp(join(tmpdir(), "host-lab-tui-"))
  const command = [tmux, "-u", "-f", "/dev/null", "-S", join(folder, "socket")]
  const terminal = { ...env, TERM: "xterm-256color", COLORTERM: "truecolor", LANG: "C.UTF-8", LC_ALL: "C.UTF-8" }
  const kill = () => void Bun.spawnSync([...command, "kill-server"], { env: terminal, stderr: "ignore" })

  async function run(...rest: readonly string[]): Promise<string> {
    const child = Bun.spawn([...command, ...rest], { env: terminal, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (code !== 0) throw new Error(`tmux ${rest[0]} failed: ${stderr.trim()}`)
    return stdout
  }

  const size = ["-x", String(columns), "-y", String(rows)]
  // The pane stays when the host ends, so that its last words can be read.
  await run("new-session", "-d", ...size, "-c", cwd, ...program, ...args, ";", "set-option", "remain-on-exit", "on")
  const forget = onProcessEnd(kill)
  const pid = Number(await run("display-message", "-p", "#{pane_pid}"))
  const frame = async () => withoutBlanks(await run("capture-pane", "-p"))

  async function waitFor(what: string, fits: (frame: string) => boolean, patienceMs = PATIENCE_MS): Promise<string> {
    const end = performance.now() + patienceMs
    for (;;) {
      const shown = await frame()
      if (fits(shown)) return shown
      if (performance.now() > end) throw new Error(`the TUI does not show ${what} after ${patienceMs} ms:\n${shown}`)
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }

  async function stop(): Promise<void> {
    kill()
    // Until its end the host writes into folders that are removed next.
    await ended(pid)
    forget()
    await rm(folder, { recursive: true, force: true })
  }

  return {
    frame,
    colouredFrame: () => run("capture-pane", "-p", "-e", "-N"),
    type: async (text) => void (await run("send-keys", "-l", text)),
    press: async (key) => void (await run("send-keys", key)),
    async click(text) {
      const { x, y } = placeOf(text, await frame())
      await run("send-keys", "-l", `\u001b[<0;${x};${y}M`)
      await run("send-keys", "-l", `\u001b[<0;${x};${y}m`)
    },
    resize: async (width) => void (await run("resize-window", "-x", String(width), "-y", String(rows))),
    waitFor,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Resolves when the process has ended; it is made to when its time is up, and not waited for any longer. */
async function ended(pid: number): Promise<void> {
  const end = performance.now() + GRACE_MS
  while (signal(pid, 0) && performance.now() < end) await Bun.sleep(LOOK_EVERY_MS)
  signal(pid, "SIGKILL")
}

/** Sends a signal; 0 only looks. Returns whether the process is there. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Where a text is, counted from 1 as the terminal counts. */
function placeOf(text: string, frame: string): { x: number; y: number } {
  const lines = frame.split("\n")
  const index = lines.findIndex((line) => line.includes(text))
  const before = lines[index]?.split(text)[0]
  if (before === undefined) throw new Error(`the TUI does not show ${JSON.stringify(text)}:\n${frame}`)
  return { x: Bun.stringWidth(before) + 1, y: index + 1 }
}

function withoutBlanks(frame: string): string {
  return frame
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()
}
