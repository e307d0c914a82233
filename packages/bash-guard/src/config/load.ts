import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Case } from "./cases.ts"
import { mergeLayers, type RestructureSettings, readLayer, type SettingsLayer } from "./settings.ts"

export const configFile = "opencode-bash-guard.jsonc"

export interface ConfigPlaces {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Folders with an `.opencode/` of their own, the outermost first. */
  readonly projects: readonly string[]
}

export interface LoadedConfig {
  readonly restructure: RestructureSettings
  /** Of all files. */
  readonly cases: readonly Case[]
  readonly warnings: readonly string[]
}

/** Reads the user's file and the project's, the project's over the user's. Never throws: what can't be read is a warning. */
export function loadConfig(places: ConfigPlaces): LoadedConfig {
  const folders = [globalFolder(places), ...places.projects.map((project) => join(project, ".opencode"))]
  const layers = [...new Set(folders)].map((folder) => readFile(join(folder, configFile)))
  return {
    restructure: mergeLayers(layers),
    cases: layers.flatMap((layer) => layer.cases),
    warnings: layers.flatMap((layer) => layer.warnings),
  }
}

/** `$OPENCODE_CONFIG_DIR`, else `$XDG_CONFIG_HOME/opencode`, else `~/.config/opencode`. */
function globalFolder({ env, home }: ConfigPlaces): string {
  const own = env["OPENCODE_CONFIG_DIR"]
  if (own !== undefined && own !== "") return own
  const xdg = env["XDG_CONFIG_HOME"]
  return join(xdg === undefined || xdg === "" ? join(home, ".config") : xdg, "opencode")
}

function readFile(path: string): SettingsLayer {
  try {
    return readLayer(readFileSync(path, "utf8"), path)
  } catch (error) {
    if (isMissing(error)) return { settings: {}, cases: [], warnings: [] }
    const reason = error instanceof Error ? error.message : String(error)
    const text = `${path}:1: cannot be read (${reason}); restructuring is off until it can; permissions are checked all the same.`
    return { settings: { enabled: false }, cases: [], warnings: [text] }
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false
  return error.code === "ENOENT" || error.code === "ENOTDIR"
}
