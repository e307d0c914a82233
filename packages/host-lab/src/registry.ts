import { mkdir, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { onProcessEnd } from "./cleanup.ts"

/** A package registry on loopback that knows only what a test has published. */
export type Registry = AsyncDisposable & {
  readonly url: string
  /** What a host must be started with to install from here. */
  readonly env: Readonly<Record<string, string>>
  /** Publishes a package: a folder, or a tarball. */
  publish(path: string): Promise<void>
}

const START_PATIENCE_MS = 60_000

/**
 * Starts a registry in a folder of its own, and waits until it answers. It has no uplink: a package that nobody has published
 * does not exist.
 *
 * @param folder where it keeps its packages, absolute.
 */
export async function startRegistry(folder: string): Promise<Registry> {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const config = join(folder, "config.yaml")
  const settings = join(folder, "npmrc")
  await writeFile(config, CONFIG)
  await writeFile(settings, `registry=${url}\n//127.0.0.1:${port}/:_authToken=anybody\nprovenance=false\n`)
  const program = join(dirname(Bun.resolveSync("verdaccio/package.json", import.meta.dir)), "bin/verdaccio")
  const child = Bun.spawn([process.execPath, program, "--config", config, "--listen", `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore"],
  })
  const kill = () => child.kill("SIGKILL")
  const forget = onProcessEnd(kill)
  await answers(`${url}-/ping`)

  return {
    url,
    env: { npm_config_registry: url },
    async publish(path) {
      const command = ["npm", "publish", "--userconfig", settings, "--registry", url, "--no-provenance", path]
      const npm = Bun.spawn(command, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] })
      const errors = await new Response(npm.stderr).text()
      if ((await npm.exited) !== 0) throw new Error(`npm can't publish ${path}: ${errors}`)
      if (errors.includes("auto-corrected")) throw new Error(`npm changed the manifest of ${path}: ${errors}`)
    },
    async [Symbol.asyncDispose]() {
      kill()
      await child.exited
      forget()
    },
  }
}

const CONFIG = `storage: ./storage
auth: { htpasswd: { file: ./htpasswd, max_users: -1 } }
uplinks: {}
packages: { "**": { access: $all, publish: $all } }
log: { type: file, path: ./log, format: json, level: warn }
`

async function answers(url: string): Promise<void> {
  const end = performance.now() + START_PATIENCE_MS
  for (;;) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    if (performance.now() > end) throw new Error(`the registry does not answer after ${START_PATIENCE_MS} ms`)
    await Bun.sleep(50)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, "127.0.0.1", resolve)
  await promise
  const address = server.address()
  server.close()
  if (typeof address !== "object" || address === null) throw new Error("the system gives no port")
  return address.port
}
