import { spawn } from "node:child_process"

/** How much of a failing command's error output is logged, in characters. */
const STDERR_TAIL = 2_000

/**
 * Starts a hook's command in the platform's shell, detached: nobody waits for it. The event is on its standard input as
 * one JSON object. A failure to start, a non-zero exit and a signal are logged. Never throws.
 *
 * @param options.command the shell command.
 * @param options.cwd the folder it runs in, absolute.
 * @param options.event what the command is told.
 * @param options.label names the command in the log.
 * @param options.log told of failures.
 */
export function runDetached(options: {
  readonly command: string
  readonly cwd: string
  readonly event: object
  readonly label: string
  readonly log: (message: string) => void
}): void {
  const { command, cwd, label, log } = options
  try {
    const child = spawn(command, {
      cwd,
      shell: true,
      detached: true,
      stdio: ["pipe", "ignore", "pipe"],
      windowsHide: true,
    })
    let errors = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors = (errors + chunk).slice(-STDERR_TAIL)
    })
    let hasStarted = true
    child.on("error", (error) => {
      hasStarted = false
      log(`${label}: the command could not be started (${error.message})`)
    })
    child.on("close", (code, signal) => {
      if (code === 0 || !hasStarted) return
      log(
        `${label}: the command ended with ${signal ?? `exit code ${code}`}${errors === "" ? "" : `: ${errors.trim()}`}`,
      )
    })
    // A command that doesn't read its input closes the pipe early: no failure.
    child.stdin.on("error", () => undefined)
    child.stdin.end(`${toJSON(options.event)}\n`)
    child.unref()
  } catch (error) {
    log(`${label}: the command could not be started (${String(error)})`)
  }
}

function toJSON(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    return "null"
  }
}
