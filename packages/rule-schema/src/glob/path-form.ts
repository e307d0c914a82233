/** How one path is compared with patterns. All in one Unicode normal form, without `.` and `..`. */
export interface PathForm {
  /** What a pattern is compared with: from the root down; absolute for a path outside of it. */
  readonly path: string
  /** What an absolute pattern is compared with. */
  readonly absolute: string
  /** From the root down; undefined outside the root. */
  readonly relative: string | undefined
  /** The last segment. */
  readonly base: string
}

/** Where a path is read: `root` is what globs are relative to, `directory` what a relative path is relative to. */
export interface PathBase {
  readonly root: string
  readonly directory: string
}

/**
 * The one form of a path, however a tool wrote it, by string work alone: nothing is looked up or decoded. A backslash separates
 * on Windows (told by the root, the directory or a drive letter) and is a letter elsewhere.
 */
export function pathForm(path: string, base: PathBase): PathForm {
  return pathForms(base)(path)
}

/** The same for many paths. */
export function pathForms({ root, directory }: PathBase): (path: string) => PathForm {
  const written = (isWindows: boolean) => ({
    folder: collapsed(unify(root, isWindows)),
    start: unify(directory, isWindows),
    isWindows,
  })
  const here = written(isWindowsPath(root) || isWindowsPath(directory))
  const windows = written(true)
  return (path) => {
    const { folder, start, isWindows } = isWindowsPath(path) ? windows : here
    const text = unify(path, isWindows)
    const absolute = collapsed(isAbsolute(text) ? text : `${start}/${text}`)
    const relative = relativeTo(folder, absolute)
    return { path: relative ?? absolute, absolute, relative, base: absolute.slice(absolute.lastIndexOf("/") + 1) }
  }
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
  return text.replaceAll("\\", "/").replace(/^[A-Z]:/, (drive) => drive.toLowerCase())
}

/** Without `.`, `..` and empty segments. A host's share (`//host/share`) keeps its two slashes. */
function collapsed(path: string): string {
  const start = /^(?:\/\/(?=[^/]+\/[^/])|\/)?/.exec(path)?.[0] ?? ""
  const segments: string[] = []
  for (const segment of path.slice(start.length).split("/")) {
    if (segment === "..") segments.pop()
    else if (segment !== "" && segment !== ".") segments.push(segment)
  }
  return start + segments.join("/")
}

function relativeTo(root: string, path: string): string | undefined {
  const folder = root.endsWith("/") ? root : `${root}/`
  const isShare = path.startsWith("//") && !folder.startsWith("//")
  return path.startsWith(folder) && path.length > folder.length && !isShare ? path.slice(folder.length) : undefined
}
