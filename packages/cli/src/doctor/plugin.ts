import { type Diagnosis, error, ok, type Patient, warning } from "./diagnosis.ts"
import { type PluginEntry, pluginEntries } from "./plugin-entries.ts"

const CHECK = "plugin"

/** Is the plugin named where OpenCode looks, once for each part, and is what is named there? */
export async function checkPlugin(patient: Patient): Promise<readonly Diagnosis[]> {
  const entries = await pluginEntries(patient)
  const server = entries.filter(({ part }) => part === "server")
  const tui = entries.filter(({ part }) => part === "tui")
  return [...serverPart(server), ...tuiPart(server, tui), ...entries.flatMap(missing)]
}

function serverPart(entries: readonly PluginEntry[]): readonly Diagnosis[] {
  const [first, ...others] = entries
  if (first === undefined) {
    const message = "no config file that OpenCode reads here names the plugin, so no rule is delivered"
    return [error(CHECK, message, "Run `opencode-rulebook init`, or add it to `plugin` in opencode.json")]
  }
  const named = entries.map(({ spec, file, version }) => `${spec}${version ? ` (${version})` : ""} in ${file}`)
  if (others.length === 0) return [ok(CHECK, named.join())]
  const isSame = others.every(({ spec }) => spec === first.spec)
  if (isSame) return [ok(CHECK, named.join(", "))]
  const message = `several entries name it: ${named.join(", ")}; only the one that is loaded last works`
  return [warning(CHECK, message, "Keep one of them")]
}

/** OpenCode 2 loads the TUI part by itself, so a missing entry matters on OpenCode 1 only. */
function tuiPart(server: readonly PluginEntry[], tui: readonly PluginEntry[]): readonly Diagnosis[] {
  if (tui.length > 0) return [ok("sidebar", tui.map(({ spec, file }) => `${spec} in ${file}`).join(", "))]
  if (server.length === 0) return []
  const message = "no tui.json names the plugin, so OpenCode 1 shows no rules in its sidebar"
  return [warning("sidebar", message, "Run `opencode-rulebook init`; OpenCode 2 needs no tui.json")]
}

function missing({ spec, file, version }: PluginEntry): readonly Diagnosis[] {
  if (version !== undefined) return []
  const isPath = /[\\/]/.test(spec)
  const message = isPath
    ? `${file} names ${spec}, and no package is there`
    : `${file} names ${spec}, which OpenCode 1 has not installed yet`
  const remedy = isPath
    ? "Correct the path: it must be the folder that holds package.json, absolute or relative to the config file"
    : "Start OpenCode once; it installs the package"
  return [isPath ? error(CHECK, message, remedy) : warning(CHECK, message, remedy)]
}
