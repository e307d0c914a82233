import { posix, win32 } from "node:path"

/**
 * Whether a path is a folder or is below it. Windows does not tell upper case from lower case, and programs there write a drive's
 * letter either way; elsewhere the two are compared as they are.
 *
 * @param path absolute, like `folder`.
 * @param platform a `process.platform`.
 */
export function isWithin(path: string, folder: string, platform: string = process.platform): boolean {
  const { isAbsolute, relative, sep } = platform === "win32" ? win32 : posix
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
