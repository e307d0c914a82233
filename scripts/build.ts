import { chmod, copyFile, cp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { build as buildGuard } from "../packages/bash-guard/build.ts"
import { buildTui } from "./build-tui.ts"
import { bundle } from "./bundle.ts"
import { installDependencies, root } from "./install.ts"
import { replaceFolder } from "./replace-folder.ts"
import { writeThirdParty } from "./third-party.ts"

/** Fills both packages that users install, which are installable as they stand afterwards: folders to name, or to pack. */
export async function build(): Promise<void> {
  const target = join(root, "packages/opencode-rulebook")
  await replaceFolder(join(target, "dist"), buildParts)
  await replaceFolder(join(target, "skills"), (folder) => cp(join(root, "skills"), folder, { recursive: true }))
  await copyFile(join(root, "LICENSE"), join(target, "LICENSE"))
  await copyFile(join(target, "PACKAGE.md"), join(target, "README.md"))
  await replaceFolder(join(root, "packages/bash-guard/dist"), buildGuard)
  for (const name of ["opencode-rulebook", "bash-guard"]) await writeThirdParty(join(root, "packages", name))
}

/** Makes everything that is built from the sources, in a folder. */
export async function buildParts(folder: string): Promise<void> {
  await bundle("server.ts", folder)
  await buildTui(folder)
  await buildCommand(folder)
  await copyFile(join(root, "docs/rule.schema.json"), join(folder, "rule.schema.json"))
}

/** Makes `cli.js` in a folder: the command in one file, which Node and Bun run without anything beside it. */
export async function buildCommand(folder: string): Promise<void> {
  await bundle("cli.ts", folder)
  const file = join(folder, "cli.js")
  await writeFile(file, `#!/usr/bin/env node\n${await readFile(file, "utf8")}`)
  await chmod(file, 0o755)
}

if (import.meta.main) {
  await installDependencies()
  await build()
  console.log(
    "Built packages/opencode-rulebook, for the `plugin` lists of opencode.json and tui.json, and packages/bash-guard.",
  )
}
