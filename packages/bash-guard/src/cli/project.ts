import { type LoadedConfig, loadConfig } from "../config/load.ts"
import { realPlace } from "../file-system.ts"
import { worktreeOf } from "../opencode/files.ts"
import { type HostPermissions, readPermissions } from "../opencode/read.ts"
import type { Place } from "../permissions/places.ts"
import type { Io } from "./io.ts"

/** What the guard would go by, in a folder as OpenCode would be started in it. */
export interface Project {
  readonly permissions: HostPermissions
  readonly config: LoadedConfig
  readonly place: Place
}

/** @param major undefined: what the configuration's keys tell. */
export function openProject(io: Io, major: 1 | 2 | undefined): Project {
  const { cwd, env, home } = io
  const permissions = readPermissions(io, major)
  const worktree = worktreeOf(cwd)
  const projects = worktree === undefined ? [cwd] : [worktree, cwd]
  const filesFrom = permissions.major === 2 ? cwd : undefined
  const folders = { cwd, directory: cwd, worktree: worktree ?? "/", home }
  return {
    permissions,
    config: loadConfig({ env, home, projects }),
    place: realPlace(filesFrom === undefined ? folders : { ...folders, filesFrom }),
  }
}
