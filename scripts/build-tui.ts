import { rename } from "node:fs/promises"
import { join } from "node:path"
import type { BunPlugin } from "bun"
import { bundle } from "./bundle.ts"

/**
 * What OpenCode's TUI supplies to its plugins itself, whatever is installed beside them (measured on OpenCode 1.18.33; of 2.0.26 read in
 * its sources).
 */
const SUPPLIED_BY_TUI = ["@opentui/*", "solid-js", "solid-js/*"]

/**
 * The host runs its JSX compiler over each script of a plugin at every start, by the endings of their names; over the rule
 * library that takes seconds (measured on OpenCode 1.18.33). Under another ending it is loaded as it is: by `require`, which takes
 * a file of any ending on Bun and on Node.
 */
const LIBRARY_FILE = "rules.bundle"

/**
 * Makes `tui.js` in a folder, and the rule library beside it. The JSX is compiled here: the host compiles raw `.tsx` too, but not
 * in a package that lies in a `node_modules` folder. The result runs on Bun and on Node: OpenCode 2 has a TUI on either.
 */
export async function buildTui(folder: string): Promise<void> {
  await bundle("tui.ts", folder, { external: SUPPLIED_BY_TUI, plugins: [libraryBeside, await solidPlugin()] })
  await bundle("rules.ts", folder, { format: "cjs" })
  await rename(join(folder, "rules.js"), join(folder, LIBRARY_FILE))
}

/** Has the rule library loaded from the file beside, in place of bundling it. */
const libraryBeside: BunPlugin = {
  name: "rule library beside",
  setup(build) {
    const name = /^@opencode-rulebook\/rule-schema$/
    build.onResolve({ filter: name }, ({ path }) => ({ path, namespace: "beside" }))
    build.onLoad({ filter: name, namespace: "beside" }, async () => {
      const lines = [
        'import { createRequire } from "node:module"',
        `const library = createRequire(import.meta.url)("./${LIBRARY_FILE}")`,
        ...(await libraryExports()).map((key) => `export const ${key} = library.${key}`),
      ]
      return { loader: "js", contents: lines.join("\n") }
    })
  },
}

/** The library's names. Looked up late: the script may have to install what it needs first. */
async function libraryExports(): Promise<string[]> {
  return Object.keys(await import("@opencode-rulebook/rule-schema"))
}

/** Compiles JSX for OpenTUI. Looked up late: the script may have to install it first. */
async function solidPlugin(): Promise<BunPlugin> {
  const { createSolidTransformPlugin } = await import("@opentui/solid/bun-plugin")
  return createSolidTransformPlugin()
}
