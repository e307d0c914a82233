import { expect, setDefaultTimeout, test } from "bun:test"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { circlesOf, importsOf, loadedBy, productionFiles } from "./support/imports.ts"

setDefaultTimeout(60_000)

const packages = join(import.meta.dir, "../..")

/** What each package may import of the workspace's others, word for word; a path is one below `packages/`. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "bash-guard": [],
  cli: [
    "@opencode-rulebook/rule-schema",
    "@opencode-rulebook/rule-schema/authoring",
    "@opencode-rulebook/server/dry-run",
    // Its version is the one that users install.
    "opencode-rulebook/package.json",
    // What editors know of the keys, the language server tells.
    "../docs/rule.schema.json",
  ],
  "host-lab": [],
  "opencode-rulebook": [
    "@opencode-rulebook/cli/bin",
    "@opencode-rulebook/rule-schema",
    "@opencode-rulebook/server",
    "@opencode-rulebook/tui",
  ],
  "rule-schema": [],
  server: ["@opencode-rulebook/rule-schema", "opencode-rulebook/package.json"],
  tui: ["@opencode-rulebook/rule-schema"],
}

/** Which packages may know the host's own types and clients. */
const HOST_TYPES: ReadonlySet<string> = new Set(["bash-guard", "host-lab", "server", "tui"])

/** The parts of the server: what each may import of the others, and whether it may know `@opencode-ai/*` or Node. */
const SERVER: readonly {
  readonly part: string
  readonly imports: readonly string[]
  readonly hostTypes?: true
  readonly node?: true
}[] = [
  { part: "engine", imports: ["lru-map.ts", "with-timeout.ts"] },
  { part: "machine", imports: [], node: true },
  { part: "runtime", imports: ["engine", "lru-map.ts", "machine"], node: true },
  { part: "hosts/shared", imports: ["engine", "lru-map.ts"] },
  {
    part: "hosts/v1",
    imports: ["engine", "hosts/shared", "lru-map.ts", "runtime", "with-timeout.ts"],
    hostTypes: true,
    node: true,
  },
  {
    part: "hosts/v2",
    imports: ["engine", "hosts/shared", "lru-map.ts", "machine", "runtime", "with-timeout.ts"],
    node: true,
  },
  { part: "lru-map.ts", imports: [] },
  { part: "with-timeout.ts", imports: [] },
  { part: "dry-run.ts", imports: ["engine", "hosts/shared", "hosts/v1", "hosts/v2", "machine"] },
  { part: "index.ts", imports: ["hosts/v1", "hosts/v2"] },
]

test("each package has its row", async () => {
  expect((await readdir(packages)).toSorted()).toEqual(Object.keys(PACKAGES).toSorted())
})

for (const [name, allowed] of Object.entries(PACKAGES)) {
  test(`${name} imports no package that it must not know, and no file of another`, async () => {
    const all = await importsOf(packages, `${name}/src`)
    expect(all.length).toBeGreaterThan(0)
    const isWrong = ({ path, isRelative }: (typeof all)[number]) => {
      if (allowed.includes(path)) return false
      if (isRelative) return !path.startsWith(`${name}/`)
      if (path.startsWith("@opencode-ai/")) return !HOST_TYPES.has(name)
      return /^@?opencode-rulebook/.test(path)
    }
    expect(all.filter(isWrong)).toEqual([])
  })

  test(`${name} has no files that import each other in a circle, types included`, async () => {
    const all = await importsOf(packages, `${name}/src`)
    expect(circlesOf(all.filter(({ isRelative }) => isRelative))).toEqual([])
  })
}

test("the code of the report's page runs in browsers: it imports its own files and the data's form alone", async () => {
  const page = "cli/src/report/page"
  const all = await importsOf(packages, `${page}/client`)
  expect(all.length).toBeGreaterThan(0)
  const isWrong = ({ path }: (typeof all)[number]) => path !== `${page}/data.ts` && !path.startsWith(`${page}/client/`)
  expect(all.filter(isWrong)).toEqual([])
  const ofData = (await importsOf(packages, page)).filter(({ file }) => file === `${page}/data.ts`)
  expect(ofData).toEqual([])
})

test("each file of the server is in one part, and imports what its part may", async () => {
  const partOf = (file: string) => SERVER.find(({ part }) => file === `server/src/${part}` || isIn(file, part))
  const orphans = (await productionFiles(packages, "server/src")).filter((file) => partOf(file) === undefined)
  expect(orphans).toEqual([])
  const wrong = (await importsOf(packages, "server/src")).filter(({ file, path, isRelative }) => {
    const from = partOf(file)
    if (isRelative) {
      const to = partOf(path)
      if (PACKAGES["server"]?.includes(path)) return false
      return to === undefined || (to !== from && !from?.imports.includes(to.part))
    }
    if (path.startsWith("@opencode-ai/")) return from?.hostTypes !== true
    return path.startsWith("node:") && from?.node !== true
  })
  expect(wrong).toEqual([])
})

function isIn(file: string, folder: string): boolean {
  return file.startsWith(`server/src/${folder}/`)
}

test("the plugin's entries load no schema library: it takes longer than all the rest", async () => {
  for (const entry of ["server.ts", "tui.ts", "cli.ts"]) {
    const loaded = await loadedBy(join(packages, "opencode-rulebook/src", entry))
    expect([entry, loaded.has("yaml"), loaded.has("arktype")]).toEqual([entry, true, false])
  }
})

test("no work on files is synchronous: a host's turn would wait for the disk", async () => {
  for (const folder of ["server/src", "rule-schema/src"]) {
    const all = await importsOf(packages, folder)
    expect(all.filter(({ path }) => path === "node:fs" || path === "fs")).toEqual([])
  }
})

test("the plugin's entries have a default export only: the host calls every export that it doesn't know", async () => {
  const server = await import("../../opencode-rulebook/src/server.ts")
  expect(Object.keys(server)).toEqual(["default"])
  expect(Object.keys(server.default).toSorted()).toEqual(["id", "server", "setup"])
  const tui = await import("../../opencode-rulebook/src/tui.ts")
  expect(Object.keys(tui)).toEqual(["default"])
  expect(Object.keys(tui.default).toSorted()).toEqual(["id", "setup", "tui"])
})
