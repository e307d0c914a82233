import { join } from "node:path"
import { Glob } from "bun"
import { root } from "../install.ts"

/** The project that the demo runs on. */
export const EXAMPLE = join(root, "examples/service")
/** The built plugin, as users name it. */
export const PLUGIN = join(root, "packages/opencode-rulebook")

/** The example's files by path. */
export async function exampleFiles(): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const path of new Glob("**/*").scan({ cwd: EXAMPLE, dot: true })) {
    files[path] = await Bun.file(join(EXAMPLE, path)).text()
  }
  return files
}
