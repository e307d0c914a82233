import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { $ } from "bun"
import { build as buildGuard } from "../packages/bash-guard/build.ts"
import { buildParts } from "./build.ts"
import { root } from "./install.ts"

setDefaultTimeout(120_000)

// Both packages as OpenCode 2 finds and loads them, in a bare Bun and a bare Node: a plugin that is not found there is
// dropped without a message.

interface Package {
  readonly name: string
  readonly folder: string
  readonly build: (dist: string) => Promise<unknown>
  /** The default exports' keys, by entry. */
  readonly entries: Readonly<Record<string, readonly string[]>>
}

const packages: readonly Package[] = [
  {
    name: "opencode-rulebook",
    folder: join(root, "packages/opencode-rulebook"),
    build: buildParts,
    entries: { server: ["id", "server", "setup"], tui: ["id", "setup", "tui"] },
  },
  {
    name: "opencode-rulebook-bash-guard",
    folder: join(root, "packages/bash-guard"),
    build: buildGuard,
    entries: { server: ["id", "server", "setup"] },
  },
]

let scratch: string
/** Where each package lies as npm installs it, packed and unpacked. */
const installed = (name: string) => join(scratch, "npm/node_modules", name)
/** Where each lies as a local folder. */
const local = (name: string) => join(scratch, "local", name)

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "rulebook-packages-")))
  for (const { name, folder, build } of packages) {
    const source = join(scratch, "source", name)
    await mkdir(source, { recursive: true })
    for (const file of ["package.json", "server.js", "tui.js"]) {
      if (await Bun.file(join(folder, file)).exists()) await cp(join(folder, file), join(source, file))
    }
    await build(join(source, "dist"))
    const archive = (
      await $`npm pack --silent --ignore-scripts --pack-destination ${scratch}`.cwd(source).text()
    ).trim()
    for (const target of [installed(name), local(name)]) {
      await mkdir(target, { recursive: true })
      await $`tar -xzf ${join(scratch, archive)} -C ${target} --strip-components=1`
    }
  }
  await supplyTui(join(installed("opencode-rulebook"), "dist/tui.js"))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** What the host's TUI supplies at run time: here empty, above all places that it is looked for from. */
async function supplyTui(built: string): Promise<void> {
  const text = await readFile(built, "utf8")
  for (const name of ["@opentui/solid", "@opentui/core", "solid-js"]) {
    const lists = [...text.matchAll(/import \{([^}]*)\} from "([^"]*)"/g)].filter(([, , from]) => from === name)
    const names = new Set(lists.flatMap(([, list = ""]) => list.split(",").map((item) => item.trim().split(" ")[0])))
    const folder = join(scratch, "node_modules", name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }))
    const stubs = [...names].filter(Boolean).map((stub) => `export const ${stub} = () => undefined`)
    await writeFile(join(folder, "index.js"), stubs.join("\n"))
  }
}

/**
 * Finds the entries of a plugin and loads them (docs/opencode-2.md, Loading): those of a local folder are files or folders at its
 * root, whatever package.json says; those of an npm package are what it exports.
 */
const LOAD = `
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
const [from, base] = process.argv.slice(-2)
const require = createRequire(from)
const found = {}
for (const entry of ["server", "index", "tui", "rpc"]) {
  try {
    const file = require.resolve(base + "/" + entry)
    const module = await import(pathToFileURL(file))
    found[entry] = [Object.keys(module), Object.keys(module.default).sort(), file]
  } catch (error) {
    if (!/MODULE_NOT_FOUND|PATH_NOT_EXPORTED/.test(error.code ?? "")) throw error
  }
}
console.log(JSON.stringify(found))
`

async function load(
  runtime: string,
  from: string,
  base: string,
): Promise<Record<string, [string[], string[], string]>> {
  const script = join(scratch, "load.mjs")
  await writeFile(script, LOAD)
  const child = Bun.spawn([runtime, script, from, base], {
    cwd: scratch,
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, err }).toEqual({ code: 0, err: "" })
  return JSON.parse(out)
}

for (const runtime of ["node", process.execPath]) {
  const by = runtime === "node" ? "Node" : "Bun"
  for (const { name, entries } of packages) {
    const expected = Object.fromEntries(Object.entries(entries).map(([entry, keys]) => [entry, [["default"], keys]]))

    test(`${name} as a local folder, in ${by}: what it exports is at the root`, async () => {
      const found = await load(runtime, join(scratch, "config.json"), local(name))
      const shapes = Object.entries(found).map(([entry, [keys, ofDefault]]) => [entry, [keys, ofDefault]])
      expect(Object.fromEntries(shapes)).toEqual(expected)
      // The TUI looks for a plugin's part of it beside the server's file, and each must lie inside the folder.
      for (const [, , file] of Object.values(found)) expect(dirname(await realpath(file))).toBe(local(name))
    })

    test(`${name} as an npm package, in ${by}: by its exports`, async () => {
      const found = await load(runtime, join(scratch, "npm/index.js"), name)
      const shapes = Object.entries(found).map(([entry, [keys, ofDefault]]) => [entry, [keys, ofDefault]])
      expect(Object.fromEntries(shapes)).toEqual(expected)
    })
  }
}

/** A host of the stable line of OpenCode 2, as small as one turn with one call needs it. */
const PLAY = `
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
const [folder, directory] = process.argv.slice(-2)
const plugin = await import(pathToFileURL(createRequire(folder + "/x.js").resolve(folder + "/server")))
const hooks = {}
const stored = []
const hook = async (name, callback) => {
  hooks[name] = callback
  return { dispose: async () => undefined }
}
const location = { directory }
const end = await plugin.default.setup({
  location,
  options: {},
  session: { hook, get: async () => ({ location }), context: async () => [], synthetic: async (input) => stored.push(input.text) },
  tool: { hook, list: async () => ({ data: [] }) },
  mcp: { list: async () => ({ data: [] }) },
  event: { subscribe: async function* () {} },
})
const user = { id: "msg_1", role: "user", metadata: {}, content: [{ type: "text", text: "deploy" }] }
const event = { sessionID: "ses_1", agent: "build", model: { id: "m", providerID: "p" }, messages: [user], tools: { read: {} } }
await hooks.context(event)
const call = { tool: "read", sessionID: "ses_1", messageID: "msg_2", id: "call_1", input: { path: "a.rs" } }
await hooks["execute.before"](call)
const output = { type: "file", content: "unsafe {", encoding: "utf8" }
await hooks["execute.after"]({ ...call, status: "completed", result: { output, content: [{ type: "text", text: "Read file a.rs, lines 1-1\\n1: unsafe {" }] } })
await end()
console.log(JSON.stringify({ sent: event.messages.length, stored: stored.map((text) => text.match(/Rule for \\w+/g)) }))
`

for (const runtime of ["node", process.execPath]) {
  test(`the built server part plays a turn of OpenCode 2 in ${runtime === "node" ? "Node" : "Bun"}`, async () => {
    const project = await mkdtemp(join(scratch, "project-"))
    const rules = join(project, ".opencode/rules")
    await mkdir(rules, { recursive: true })
    await writeFile(join(rules, "a.md"), "---\nkeywords: [deploy]\n---\nRule for deploys.")
    await writeFile(join(rules, "b.md"), '---\nfileContains: "unsafe {"\n---\nRule for unsafe.')
    const script = join(scratch, "play.mjs")
    await writeFile(script, PLAY)
    const child = Bun.spawn([runtime, script, local("opencode-rulebook"), project], {
      cwd: scratch,
      env: { PATH: process.env["PATH"] ?? "", HOME: project },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect({ out: out.trim(), err }).toEqual({
      out: '{"sent":2,"stored":[["Rule for deploys","Rule for unsafe"]]}',
      err: "",
    })
  })
}
