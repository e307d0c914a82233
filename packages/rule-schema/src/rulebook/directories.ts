import { posix, win32 } from "node:path"
import type { RuleDirectory } from "../identity.ts"

export interface DirectoryInput {
  readonly env: Record<string, string | undefined>
  readonly home: string
  /** A `process.platform`; the running one when left out. */
  readonly platform?: string
  /** The folder that the host was opened in, absolute. */
  readonly directory: string
  /** The root of the repository, if there is one. */
  readonly worktree: string | undefined
  /** Whether symbolic links may lead out of the project; not, when left out. */
  readonly projectLinks?: boolean | undefined
}

/**
 * The rules directories, the user's first: `$OPENCODE_CONFIG_DIR/rules`, else `$XDG_CONFIG_HOME/opencode/rules`, else
 * `~/.config/opencode/rules`; then `.opencode/rules` of the project: of every folder from the worktree down to the directory,
 * or of the directory alone when it is in no worktree. They need not exist. A project's own hold what is in the project: in the
 * worktree, or in the directory where there is none.
 */
export function ruleDirectories(input: DirectoryInput): RuleDirectory[] {
  const path = (input.platform ?? process.platform) === "win32" ? win32 : posix
  const { directory } = input
  const global: RuleDirectory = {
    scope: "global",
    path: path.join(configHome(input, path), "rules"),
    root: directory,
    prefix: "",
  }
  const folders = projectFolders(input, path)
  const base = folders[0] ?? directory
  const project = folders.map((root): RuleDirectory => {
    const relative = path.relative(base, root).replaceAll(path.sep, "/")
    return {
      scope: "project",
      path: path.join(root, ".opencode", "rules"),
      root,
      prefix: relative === "" ? "" : `${relative}/`,
      within: input.projectLinks ? undefined : base,
    }
  })
  return [global, ...project]
}

function configHome({ env, home, directory }: DirectoryInput, path: typeof posix): string {
  const own = env["OPENCODE_CONFIG_DIR"]
  if (own) return path.isAbsolute(own) ? own : path.join(directory, own)
  const xdg = env["XDG_CONFIG_HOME"]
  // The XDG specification has relative values ignored.
  return path.join(xdg && path.isAbsolute(xdg) ? xdg : path.join(home, ".config"), "opencode")
}

/** The folders of a project, from the worktree down to the directory; the directory alone when it is in no worktree. The root of a file system is no worktree: hosts give it where there is none. */
export function projectFolders(
  { directory, worktree }: Pick<DirectoryInput, "directory" | "worktree">,
  path: typeof posix = process.platform === "win32" ? win32 : posix,
): string[] {
  if (!worktree || path.parse(path.normalize(worktree)).root === path.normalize(worktree)) return [directory]
  const relative = path.relative(worktree, directory)
  if (relative === "" || relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
    return [directory]
  const folders = [path.join(worktree)]
  for (const segment of relative.split(path.sep)) folders.push(path.join(folders.at(-1) ?? worktree, segment))
  return folders
}
