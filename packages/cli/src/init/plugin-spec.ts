import { existsSync, readFileSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { pathOfFileUrl } from "../file-url.ts"

const NAME = "opencode-rulebook"

/**
 * What a config file is to call the plugin that this command belongs to: its name where a package manager installed it, else its folder.
 *
 * @param url of a module of the command.
 */
export function pluginSpec(url: string): string {
  const folder = packageFolder(url)
  return folder === undefined || folder.split(sep).includes("node_modules") ? NAME : folder
}

/** The folder of the package that a module belongs to; undefined when there is none around it. */
export function packageFolder(url: string): string | undefined {
  for (let folder = dirname(fileURLToPath(url)); ; folder = dirname(folder)) {
    if (nameIn(join(folder, "package.json")) === NAME) return folder
    const sibling = join(folder, "packages", NAME)
    if (nameIn(join(sibling, "package.json")) === NAME) return sibling
    if (dirname(folder) === folder) return undefined
  }
}

/** Whether an entry of a `plugin` or `plugins` list names this plugin: by its name, with or without a version, or by its folder. */
export function namesPlugin(entry: string): boolean {
  if (entry === NAME || entry.startsWith(`${NAME}@`)) return true
  const path = pathOfFileUrl(entry) ?? entry
  return (
    /[\\/]opencode-rulebook[\\/]*$/.test(path) || (/[\\/]/.test(path) && nameIn(join(path, "package.json")) === NAME)
  )
}

function nameIn(file: string): unknown {
  if (!existsSync(file)) return undefined
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly name?: unknown }).name
  } catch {
    return undefined
  }
}
