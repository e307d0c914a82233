import { rename } from "node:fs/promises"
import { join } from "node:path"
import type { BunPlugin } from "bun"
import { bundle } from "./bundle.ts"

/** What OpenCode's TUI supplies to its plugins itself, whatever is installed beside them (measured on OpenCode 1.18.33). */
const SUPPLIED_BY_TUI = ["@opentui/*", "solid-js", "solid-js/*"]
const RULES = "@opencode-rulebook/rule-schema"

/**
 * Makes `tui.js` in a folder, and `rules.bundle` beside it. The JSX is compiled here: the host compiles raw `.tsx` too, but not
 * in a package that lies in a `node_modules` folder.
 */
export async function buildTui(folder: string): Promise<void> {
  await bundle("tui.ts", folder, {
    target: "bun",
    external: [...SUPPLIED_BY_TUI, RULES],
    plugins: [await solidPlugin()],
  })
  await bundle("rules.ts", folder, { target: "bun" })
  await keepFromCompiler(folder)
}

/**
 * The host runs its JSX compiler over each script of a plugin at every start, by the endings of their names; over the rule
 * library that takes seconds (measured on OpenCode 1.18.33). Under another ending it is loaded as it is.
 */
async function keepFromCompiler(folder: string): Promise<void> {
  await rename(join(folder, "rules.js"), join(folder, "rules.bundle"))
  const tui = await Bun.file(join(folder, "tui.js")).text()
  const linked = tui.replaceAll(
    / from "@opencode-rulebook\/rule-schema"/g,
    ' from "./rules.bundle" with { type: "js" }',
  )
  if (linked.includes(RULES) || !linked.includes("./rules.bundle"))
    throw new Error("tui.js names the rule library oddly")
  await Bun.write(join(folder, "tui.js"), linked)
}

/** Compiles JSX for OpenTUI. Looked up late: the script may have to install it first. */
async function solidPlugin(): Promise<BunPlugin> {
  const { createSolidTransformPlugin } = await import("@opentui/solid/bun-plugin")
  return createSolidTransformPlugin()
}
