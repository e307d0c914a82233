/** How one path can be written: patterns are compared with each. All in one Unicode normal form. */
export interface PathForm {
  /** As observed; on Windows with `/` for `\`. */
  readonly verbatim: string
  /** With the directory before it when it is relative. */
  readonly absolute: string
  /** From the root down, `/`-separated; undefined outside the root. */
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
 * Spells a path by string work alone: nothing is resolved, decoded or looked up. `.` and `..` collapse in the relative
 * form only. A backslash separates on Windows (told by the root, the directory or a drive letter) and is a letter elsewhere.
 */
export function pathForm(path: string, base: PathBase): PathForm {
  const isWindows = [base.root, base.directory, path].some(isWindowsPath)
  const verbatim = unify(path, isWindows)
  const absolute = isAbsolute(verbatim) ? verbatim : `${unify(base.directory, isWindows)}/${verbatim}`
  const relative = relativeTo(unify(base.root, isWindows), absolute)
  return { verbatim, absolute, relative, base: lastSegment(verbatim) }
}

/** A name that is no path, to be compared as it is. */
export function nameForm(name: string): PathForm {
  const verbatim = name.normalize("NFC")
  return { verbatim, absolute: verbatim, relative: undefined, base: verbatim }
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

function relativeTo(root: string, path: string): string | undefined {
  const rootSegments = collapse(root)
  const segments = collapse(path)
  if (segments.length <= rootSegments.length) return undefined
  if (rootSegments.some((segment, index) => segments[index] !== segment)) return undefined
  return segments.slice(rootSegments.length).join("/")
}

function collapse(path: string): string[] {
  const segments: string[] = []
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop()
    else if (segment !== "" && segment !== ".") segments.push(segment)
  }
  return segments
}

function lastSegment(path: string): string {
  const trimmed = path.replace(/\/+$/, "")
  return trimmed.slice(trimmed.lastIndexOf("/") + 1)
}
