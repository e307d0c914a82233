import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { onProcessEnd } from "./cleanup.ts"

export type OpencodeServer = {
  readonly url: string
  readonly pid: number
  /** Everything the process wrote to its two streams. */
  output(): string
  /** Asks the process to end, and makes it end after five seconds. */
  stop(): Promise<void>
  /** SIGKILL: nothing is flushed, no teardown runs. */
  kill(): Promise<void>
}

/**
 * Path of the host's own executable: the platform package beside `opencode-ai`, most specific first.
 *
 * @param modules the `node_modules` folder to look in; this workspace's without it.
 * @throws when no platform package is installed.
 */
export function opencodeBinary(modules = installedModules()): string {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const file = process.platform === "win32" ? "opencode.exe" : "opencode"
  const base = `opencode-${platform}-${process.arch}`
  const names = [base, `${base}-baseline`, `${base}-musl`, `${base}-baseline-musl`]
  const ordered = existsSync("/etc/alpine-release") ? names.toReversed() : names
  const found = ordered.map((name) => join(modules, name, "bin", file)).find((path) => existsSync(path))
  if (found) return found
  throw new Error(`no OpenCode binary for ${platform}-${process.arch} in ${modules}: run \`bun install\``)
}

function installedModules(): string {
  return dirname(dirname(Bun.resolveSync("opencode-ai/package.json", import.meta.dir)))
}

/** Starts `opencode serve` and waits until it listens. The port is the host's choice, so two labs never collide. */
export async function startServer(
  cwd: string,
  env: Record<string, string>,
  binary = opencodeBinary(),
): Promise<OpencodeServer> {
  const args = [binary, "serve", "--hostname", "127.0.0.1", "--port", "0"]
  const child = Bun.spawn(args, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const kill = () => child.kill("SIGKILL")
  const forget = onProcessEnd(kill)
  let output = ""
  const listening = new Promise<string>((found, failed) => {
    collect(child.stdout, (text) => {
      output += text
      const url = /listening on (http:\/\/\S+)/.exec(output)?.[1]
      if (url) found(url)
    })
    collect(child.stderr, (text) => {
      output += text
    })
    child.exited.then((code) => failed(new Error(`opencode serve ended with ${code} before it listened:\n${output}`)))
  })
  const ended = child.exited.finally(forget)
  return {
    url: await listening,
    pid: child.pid,
    output: () => output,
    async stop() {
      child.kill("SIGTERM")
      const timer = setTimeout(kill, 5000)
      await ended
      clearTimeout(timer)
    },
    async kill() {
      kill()
      await ended
    },
  }
}

/** Runs one `opencode` command to its end, say `["run", "hello"]`. */
export async function runOpencode(cwd: string, env: Record<string, string>, args: readonly string[]) {
  const child = Bun.spawn([opencodeBinary(), ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { stdout, stderr, code }
}

async function collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }))
}
