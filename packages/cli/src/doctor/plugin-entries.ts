import { readFile } from "node:fs/promises"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import { parse } from "jsonc-parser/lib/esm/main.js"
import { pathOfFileUrl } from "../file-url.ts"
import { hostConfigFiles } from "../host-config.ts"
import { namesPlugin } from "../init/plugin-spec.ts"
import { listedPlugins } from "../listed-plugins.ts"
import type { Patient } from "./diagnosis.ts"

/** One entry of a config file that names this plugin. */
export interface PluginEntry {
  readonly file: string
  /** "server": OpenCode loads it; "tui": OpenCode 1's TUI does. */
  readonly part: "server" | "tui"
  readonly spec: string
  /** The installed version; undefined when nothing is installed under the entry. */
  readonly version: string | undefined
}

/** The entries of every config file that OpenCode reads here, in its order. */
export async function pluginEntries({ io, project }: Patient): Promise<readonly PluginEntry[]> {
  const parts = { server: "opencode", tui: "tui" } as const
  const files = (["server", "tui"] as const).flatMap((part) =>
    hostConfigFiles(parts[part], project.configPlaces, io).map((file) => ({ file, part })),
  )
  const found = await Promise.all(
    files.map(async ({ file, part }) =>
      Promise.all(
        (await specsIn(file)).map(async (spec): Promise<PluginEntry> => {
          return { file, part, spec, version: await installedVersion(spec, dirname(file), cacheFolder(io)) }
        }),
      ),
    ),
  )
  return found.flat()
}

/** The names by which a config file's lists mean this plugin. A file that is not there, or not JSON, has none. */
async function specsIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "")
  const config: unknown = parse(text)
  if (!isRecord(config)) return []
  return listedPlugins(config).flatMap(({ spec }) => (typeof spec === "string" && namesPlugin(spec) ? [spec] : []))
}

/** Where OpenCode 1 installs packages, one folder for each way to name one (measured on OpenCode 1.18.33). */
function cacheFolder({ env, home }: Patient["io"]): string {
  return join(env["XDG_CACHE_HOME"] || join(home, ".cache"), "opencode", "packages")
}

async function installedVersion(spec: string, base: string, cache: string): Promise<string | undefined> {
  const path = pathOfFileUrl(spec) ?? spec
  const isPath = isAbsolute(path) || path.startsWith(".")
  const folders = isPath
    ? [resolve(base, path)]
    : [spec, `${spec}@latest`].map((name) => join(cache, name, "node_modules", "opencode-rulebook"))
  for (const folder of folders) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "")
    const manifest: unknown = parse(text)
    if (isRecord(manifest) && typeof manifest["version"] === "string") return manifest["version"]
  }
  return undefined
}
