import { posix, win32 } from "node:path"
import type { RuleDirectory } from "../identity.ts"
import { TOOLS } from "../sources/table.ts"
import type { ToolFolder, ToolName } from "../sources/tool.ts"

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
  /** Other tools whose rules are read too. */
  readonly rulesOf?: readonly ToolName[]
}

/**
 * The rules directories, the user's first: `$OPENCODE_CONFIG_DIR/rules`, else `$XDG_CONFIG_HOME/opencode/rules`, else
 * `~/.config/opencode/rules`; then `.opencode/rules` of the project: of every folder from the worktree down to the directory,
 * or of the directory alone when it is in no worktree; then those of other tools in the same folders. They need not exist. A
 * project's own hold what is in the project: in the worktree, or in the directory where there is none.
 */
export function ruleDirectories(input: DirectoryInput): RuleDirectory[] {
  const path = pathsOf(input)
  const { directory, home, rulesOf = [] } = input
  const global: RuleDirectory = {
    scope: "global",
    path: path.join(configHome(input, path), "rules"),
    root: directory,
    prefix: "",
  }
  const places = projectFolders(input, path).map((folder) => placeOf(folder, input, path))
  const own = places.map((place) => ownDirectory(place, path))
  const tools = rulesOf.flatMap((tool) => [
    ...TOOLS[tool].home.map(
      (folder): RuleDirectory => ({
        scope: "global",
        path: path.join(home, folder.path),
        root: directory,
        prefix: `${folder.path}/`,
        origin: { kind: "tool", tool, folder: folder.path },
      }),
    ),
    ...places.flatMap((place) => toolDirectories(tool, place, path)),
  ])
  return [global, ...own, ...tools]
}

/**
 * The rules directories of one folder below the one that the host was opened in: our own, and those of tools that have them in
 * nested folders too. They need not exist.
 *
 * @param folder absolute.
 */
export function nestedDirectories(input: DirectoryInput, folder: string): RuleDirectory[] {
  const path = pathsOf(input)
  const place = placeOf(folder, input, path)
  const tools = (input.rulesOf ?? []).flatMap((tool) =>
    toolDirectories(tool, place, path, ({ isNested }) => isNested === true),
  )
  return [ownDirectory(place, path), ...tools]
}

function pathsOf({ platform = process.platform }: DirectoryInput): typeof posix {
  return platform === "win32" ? win32 : posix
}

/** One folder of the project: what the rules directories in it have in common. */
type ProjectFolder = Pick<RuleDirectory, "root" | "prefix" | "project" | "within">

/** The prefix keeps the ids of several folders apart: it is the way from the outermost. */
function placeOf(root: string, input: DirectoryInput, path: typeof posix): ProjectFolder {
  const [project = root] = projectFolders(input, path)
  const within = input.projectLinks ? undefined : project
  const relative = path.relative(project, root).replaceAll(path.sep, "/")
  return relative === "" ? { root, prefix: "", within } : { root, prefix: `${relative}/`, project, within }
}

function ownDirectory(place: ProjectFolder, path: typeof posix): RuleDirectory {
  return { ...place, scope: "project", path: path.join(place.root, ".opencode", "rules") }
}

function toolDirectories(
  tool: ToolName,
  place: ProjectFolder,
  path: typeof posix,
  isWanted: (folder: ToolFolder) => boolean = () => true,
): RuleDirectory[] {
  const folders: readonly ToolFolder[] = TOOLS[tool].project
  return folders.filter(isWanted).map((folder) => ({
    ...place,
    scope: "project",
    path: path.join(place.root, folder.path),
    prefix: `${place.prefix}${folder.path}/`,
    origin: { kind: "tool", tool, folder: folder.path },
  }))
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
