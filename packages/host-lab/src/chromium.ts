import { existsSync } from "node:fs"

/** What Chromium and its like are called: by Debian, by Google, and on macOS. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
const ON_MACOS = ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** The path of a Chromium that is installed, if there is one. */
export function findChromium(): string | undefined {
  const found = NAMES.map((name) => Bun.which(name)).find((path) => path !== null)
  return found ?? ON_MACOS.find((path) => existsSync(path))
}
