import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, sep } from "node:path"
import { pathToFileURL } from "node:url"
import { namesPlugin, packageFolder, pluginSpec } from "./plugin-spec.ts"

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-spec-")))
  await manifest("checkout/packages/opencode-rulebook", { name: "opencode-rulebook" })
  await manifest("checkout/packages/cli", { name: "@opencode-rulebook/cli" })
  await manifest("fork", { name: "opencode-rulebook" })
  await manifest("fork/dist", { name: "other" })
  await manifest("app/node_modules/opencode-rulebook", { name: "opencode-rulebook" })
  await manifest("other", { name: "other" })
  await mkdir(join(root, "torn"))
  await writeFile(join(root, "torn/package.json"), "{")
})
afterAll(() => rm(root, { recursive: true }))

async function manifest(folder: string, content: object): Promise<void> {
  await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, folder, "package.json"), JSON.stringify(content))
}

const urlOf = (path: string) => pathToFileURL(join(root, path)).href

test("the package of a module is the next folder around it with that name, or in a checkout beside it", () => {
  expect(packageFolder(urlOf("fork/dist/cli.js"))).toBe(join(root, "fork"))
  expect(packageFolder(urlOf("fork/cli.js"))).toBe(join(root, "fork"))
  expect(packageFolder(urlOf("checkout/packages/cli/src/init/a.ts"))).toBe(
    join(root, "checkout/packages/opencode-rulebook"),
  )
  expect(packageFolder(urlOf("app/node_modules/opencode-rulebook/dist/cli.js"))).toBe(
    join(root, "app/node_modules/opencode-rulebook"),
  )
  expect(packageFolder(urlOf("torn/a.js"))).toBeUndefined()
  expect(packageFolder(urlOf("other/a.js"))).toBeUndefined()
})

test("a config file calls an installed package by its name, another one by its folder", () => {
  expect(pluginSpec(urlOf("app/node_modules/opencode-rulebook/dist/cli.js"))).toBe("opencode-rulebook")
  expect(pluginSpec(urlOf("fork/dist/cli.js"))).toBe(join(root, "fork"))
  expect(pluginSpec(urlOf("other/a.js"))).toBe("opencode-rulebook")
})

test("what names the plugin", () => {
  const entries = (names: readonly string[]) => names.filter(namesPlugin)
  const names = [
    "opencode-rulebook",
    "opencode-rulebook@1.2.3",
    "./opencode-rulebook",
    "/opt/opencode-rulebook//",
    "C:\\opt\\opencode-rulebook\\",
    "file:///opt/opencode-rulebook",
    join(root, "fork"),
    join(root, "fork") + sep,
    urlOf("fork"),
  ]
  const others = [
    "opencode-rulebook-bash-guard",
    "opencode-rulebookx@1",
    "x-opencode-rulebook",
    "/opt/my-opencode-rulebook",
    "/opt/opencode-rulebook/bash-guard",
    "/opt/opencode-rulebookx",
    "file:///opt/other",
    "fork",
    join(root, "other"),
    join(root, "torn"),
    dirname(root),
  ]
  expect(entries([...names, ...others])).toEqual(names)
})
