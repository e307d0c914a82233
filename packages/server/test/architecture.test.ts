import { expect, test } from "bun:test"
import { join, relative } from "node:path"
import { Glob } from "bun"

const packages = join(import.meta.dir, "../..")

/** Every import of a production file: `[file, specifier]`, relative ones resolved inside `packages/`. */
async function imports(folder: string): Promise<[string, string][]> {
  const found: [string, string][] = []
  for await (const file of new Glob(`${folder}/**/*.{ts,tsx}`).scan(packages)) {
    if (/\.test\.tsx?$/.test(file)) continue
    const text = await Bun.file(join(packages, file)).text()
    for (const { path } of new Bun.Transpiler({ loader: "tsx" }).scanImports(text)) {
      found.push([file, path.startsWith(".") ? relative(packages, join(packages, file, "..", path)) : path])
    }
    for (const [, path = ""] of text.matchAll(/^import type .* from "([^"]+)"/gm)) {
      found.push([file, path.startsWith(".") ? relative(packages, join(packages, file, "..", path)) : path])
    }
  }
  return found
}

const forbidden: readonly [string, RegExp][] = [
  ["rule-schema/src", /^@opencode-ai|^(server|tui|host-lab)\/|rulebook\/(server|tui|host-lab)/],
  ["server/src/engine", /^@opencode-ai|^server\/src\/(hosts|machine)\/|^node:/],
  ["server/src/machine", /^@opencode-ai|^server\/src\/(hosts|engine)\//],
  ["server/src/hosts/v1", /^server\/src\/(hosts\/v2|machine)\//],
  ["server/src/hosts/v2", /^@opencode-ai|^server\/src\/hosts\/v1\//],
  ["cli/src", /^@opencode-ai|^host-lab\/|^server\/|rulebook\/host-lab|rulebook\/server$/],
  ["tui/src", /^(server|host-lab|opencode-rulebook)\/|@opencode-rulebook\/(server|host-lab)/],
  ["host-lab/src", /^(server|rule-schema|opencode-rulebook)\/|@opencode-rulebook\/(server|rule-schema|tui)/],
]

for (const [folder, pattern] of forbidden) {
  test(`${folder} imports nothing that it must not know`, async () => {
    const all = await imports(folder)
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter(([, path]) => pattern.test(path))).toEqual([])
  })
}

test("no work on files is synchronous: a host's turn would wait for the disk", async () => {
  for (const folder of ["server/src", "rule-schema/src"]) {
    const all = await imports(folder)
    expect(all.filter(([, path]) => path === "node:fs" || path === "fs")).toEqual([])
  }
})

test("the plugin's entries have a default export only: the host calls every export that it doesn't know", async () => {
  const server = await import("../../opencode-rulebook/src/server.ts")
  expect(Object.keys(server)).toEqual(["default"])
  expect(Object.keys(server.default).toSorted()).toEqual(["id", "server", "setup"])
  const tui = await import("../../opencode-rulebook/src/tui.ts")
  expect(Object.keys(tui)).toEqual(["default"])
  expect(Object.keys(tui.default).toSorted()).toEqual(["id", "tui"])
})
