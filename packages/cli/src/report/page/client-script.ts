import { join } from "node:path"

/**
 * The page's code as one script, bundled for browsers. A macro: it runs when this file's importer is compiled, so that the command holds
 * the text alone.
 *
 * @throws with what the bundler says.
 */
export function clientScript(): string {
  const entry = join(import.meta.dir, "client/main.ts")
  const command = [process.execPath, "build", "--target=browser", "--format=iife", "--minify", entry]
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`the report's page could not be built:\n${stderr}`)
  return stdout.toString()
}
