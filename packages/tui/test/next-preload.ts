import { createRequire } from "node:module"
import { createSolidTransformPlugin } from "@opentui/solid-next/bun-plugin"
import { plugin } from "bun"

// Has the sources of this package run on the newer OpenTUI: that of OpenCode 2. Preloaded by next.bunfig.toml.

const SOLID = "@opentui/solid-next"
const inSolid = createRequire(Bun.resolveSync(SOLID, import.meta.dir))

/** The newer one's file for what the sources import; undefined for anything else. */
function resolvePath(specifier: string): string | null {
  if (specifier === "@opentui/core") return inSolid.resolve("@opentui/core")
  return specifier.startsWith("@opentui/solid") && !specifier.startsWith(SOLID)
    ? Bun.resolveSync(specifier.replace("@opentui/solid", SOLID), import.meta.dir)
    : null
}

plugin(createSolidTransformPlugin({ moduleName: Bun.resolveSync(SOLID, import.meta.dir), resolvePath }))

/** The newest of its line that the registry has all parts of (docs/opencode-2.md, The TUI). */
const VERSION = "0.5.12"
const { version } = inSolid("@opentui/core/package.json") as { version: string }
if (version !== VERSION) throw new Error(`OpenTUI ${VERSION} is expected, not ${version}`)
