import { join } from "node:path"
import { root } from "./install.ts"

/**
 * Bundles one entry of `packages/opencode-rulebook/src` into a folder, as a module for Node and Bun unless told otherwise.
 *
 * @throws with what the bundler says.
 */
export async function bundle(entry: string, outdir: string, options: Partial<Bun.BuildConfig> = {}): Promise<void> {
  const result = await Bun.build({
    target: "node",
    format: "esm",
    ...options,
    entrypoints: [join(root, "packages/opencode-rulebook/src", entry)],
    outdir,
    throw: false,
  })
  if (!result.success) throw new Error(`src/${entry} could not be built:\n${result.logs.join("\n")}`)
}
