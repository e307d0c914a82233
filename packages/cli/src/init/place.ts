import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Io } from "../io.ts"
import { userFolder } from "../project.ts"

/** The files that a setup is about. */
export interface SetupFiles {
  /** OpenCode's config file: the one that is there, or the one to make. */
  readonly config: string
  /** The TUI's config file of OpenCode 1. */
  readonly tuiConfig: string
  readonly rules: string
  readonly skills: string
}

/**
 * The files of a project, or of the user's configuration. A config file that is there is taken, with or without comments; a
 * project's may lie in its folder or in `.opencode`.
 */
export function placeOf(isGlobal: boolean, io: Io): SetupFiles {
  const folder = isGlobal ? userFolder(io.cwd, io) : join(io.cwd, ".opencode")
  const candidates = isGlobal ? [folder] : [io.cwd, folder]
  return {
    config: existing(candidates, "opencode") ?? join(folder, "opencode.json"),
    tuiConfig: existing(candidates, "tui") ?? join(folder, "tui.json"),
    rules: join(folder, "rules"),
    skills: join(folder, "skills"),
  }
}

function existing(folders: readonly string[], stem: string): string | undefined {
  const files = folders.flatMap((folder) => [join(folder, `${stem}.jsonc`), join(folder, `${stem}.json`)])
  return files.find((file) => existsSync(file))
}
