import { copyFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { installDependencies, root } from "./install.ts"

/** Fills `packages/opencode-rulebook`, which is installable as it stands afterwards: a folder to name, or to pack. */
export async function build(): Promise<void> {
  const target = join(root, "packages/opencode-rulebook")
  await rm(join(target, "dist"), { recursive: true, force: true })
  const result = await Bun.build({
    entrypoints: [join(target, "src/server.ts")],
    outdir: join(target, "dist"),
    target: "node",
    format: "esm",
    throw: false,
  })
  if (!result.success) throw new Error(`the server entry could not be built:\n${result.logs.join("\n")}`)
  for (const file of ["README.md", "LICENSE"]) await copyFile(join(root, file), join(target, file))
}

if (import.meta.main) {
  await installDependencies()
  await build()
  console.log("Built packages/opencode-rulebook. Its path works in the `plugin` lists of opencode.json.")
}
