/** How one path is compared with patterns. All in one Unicode normal form, without `.` and `..`. */
export interface PathForm {
  /** What a pattern is compared with: from the root down; absolute for a path outside of it; "" when nothing is. */
  readonly path: string
  /** What an absolute pattern is compared with. */
  readonly absolute: string
  /** From the root down; undefined outside the root. */
  readonly relative: string | undefined
  /** The last segment. */
  readonly base: string
}

/**
 * Where a path is read: `root` is what globs are relative to, `directory` what a relative path is relative to. A path in `project`
 * but outside of `root` is matched by absolute patterns only.
 */
export interface PathBase {
  readonly root: string
  readonly directory: string
  readonly project?: string | undefined
}

/**
 * The one form of a path, however a tool wrote it, by string work alone: nothing is looked up or decoded. A backslash separates
 * on Windows (told by the root, the directory or a drive letter) and is a letter elsewhere. On Windows the folders down to the root are
 * the same in upper and lower case, and `/c/…`, as Git Bash has it, is `C:\…`.
 */
export function pathForm(path: string, base: PathBase): PathForm {
  return pathForms(base)(path)
}

/** The same for many paths. */
export function pathForms({ root, directory, project }: PathBase): (path: string) => PathForm {
  const written = (isWindows: boolean) => ({
    folder: collapsed(unify(root, isWindows)),
    start: unify(directory, isWindows),
    around: project === undefined ? undefined : collapsed(unify(project, isWindows)),
    isWindows,
  })
  const here = written(isWindowsPath(root) || isWindowsPath(directory))
  const windows = written(true)
  const hasDrive = /^[a-z]:/.test(here.start)
  return (path) => {
    const { folder, start, around, isWindows } = isWindowsPath(path) ? windows : here
    const text = isWindows && hasDrive ? withDrive(unify(path, true)) : unify(path, isWindows)
    const absolute = collapsed(isAbsolute(text) ? text : `${start}/${text}`)
    const relative = relativeTo(folder, absolute, isWindows)
    const isBeside =
      around !== undefined && relative === undefined && relativeTo(around, absolute, isWindows) !== undefined
    if (isBeside) return { path: "", absolute, relative, base: "" }
    return { path: relative ?? absolute, absolute, relative, base: absolute.slice(absolute.lastIndexOf("/") + 1) }
  }
}

/** What a package manager or a version control system has put there is not the project's own: its rules are nobody's here. */
const FOREIGN_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "site-packages",
  ".git",
])

/** No file system takes longer paths, and nobody's folders are deeper: what is more is not looked for. */
const LONGEST_PATH = 4096
const DEEPEST_FOLDER = 100

/**
 * The folders between a directory and a file below it, from the outermost inwards, relative and `/`-separated. None for a file
 * elsewhere, and none from a folder on that is not the project's own.
 */
export function foldersAbove(path: string, directory: string): readonly string[] {
  if (path.length > LONGEST_PATH) return []
  const inside = pathForm(path, { root: directory, directory }).relative
  const segments = inside?.split("/").slice(0, -1).slice(0, DEEPEST_FOLDER) ?? []
  const foreign = segments.findIndex((segment) => FOREIGN_FOLDERS.has(segment))
  const own = foreign < 0 ? segments : segments.slice(0, foreign)
  return own.map((_, index) => own.slice(0, index + 1).join("/"))
}

/** A name that is no path, to be compared as it is. */
export function nameForm(name: string): PathForm {
  const path = name.normalize("NFC")
  return { path, absolute: path, relative: undefined, base: path }
}

function isWindowsPath(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\")
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[a-z]:\//.test(path)
}

function unify(path: string, isWindows: boolean): string {
  const text = path.normalize("NFC")
  if (!isWindows) return text
  return text
    .replaceAll("\\", "/")
    .replace(/^\/\/[?.]\/(?:UNC(?=\/)|(?=[a-z]:))/i, (start) => (start.length > 4 ? "/" : ""))
    .replace(/^[A-Z]:/, (drive) => drive.toLowerCase())
}

/** A path as Git Bash (`/c/dev`) or Cygwin (`/cygdrive/c/dev`) writes it, with the drive that it means. */
function withDrive(path: string): string {
  return path.replace(/^\/(?:cygdrive\/)?([a-z])(?=\/)/i, (_, drive: string) => `${drive.toLowerCase()}:`)
}

/** Without `.`, `..` and empty segments. A host's share (`//host/share`) keeps its two slashes, and nothing leads out of a drive. */
function collapsed(path: string): string {
  const start = /^(?:\/\/(?=[^/]+\/[^/])|\/|[a-z]:\/)?/.exec(path)?.[0] ?? ""
  const segments: string[] = []
  for (const segment of path.slice(start.length).split("/")) {
    if (segment === "..") segments.pop()
    else if (segment !== "" && segment !== ".") segments.push(segment)
  }
  return start + segments.join("/")
}

function relativeTo(root: string, path: string, isWindows: boolean): string | undefined {
  const folder = root.endsWith("/") ? root : `${root}/`
  const isShare = path.startsWith("//") && !folder.startsWith("//")
  const start = path.slice(0, folder.length)
  const isBelow = start === folder || (isWindows && start.toLowerCase() === folder.toLowerCase())
  return isBelow && path.length > folder.length && !isShare ? path.slice(folder.length) : undefined
}
