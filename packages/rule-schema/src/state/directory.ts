import { posix, win32 } from "node:path"

/**
 * Where the Matched-rule states are: `$XDG_STATE_HOME/opencode/rulebook`; without that variable in `~/.local/state`, on macOS
 * in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`.
 */
export function stateDirectory(
  env: Record<string, string | undefined>,
  home: string,
  platform: string = process.platform,
): string {
  const path = platform === "win32" ? win32 : posix
  return path.join(stateHome(env, home, platform, path), "opencode", "rulebook")
}

function stateHome(
  env: Record<string, string | undefined>,
  home: string,
  platform: string,
  path: typeof posix,
): string {
  const xdg = env["XDG_STATE_HOME"]
  if (xdg && path.isAbsolute(xdg)) return xdg
  if (platform === "darwin") return path.join(home, "Library", "Application Support")
  if (platform !== "win32") return path.join(home, ".local", "state")
  const local = env["LOCALAPPDATA"]
  return local && path.isAbsolute(local) ? local : path.join(home, "AppData", "Local")
}
