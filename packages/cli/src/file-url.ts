import { fileURLToPath } from "node:url"

/**
 * The path of a `file:` address; undefined for another kind of address, and for one that is no path on this system (`file://./plugin`
 * names a host outside of Windows). A drive's letter is a capital, as the system itself writes it: editors send either.
 *
 * @param isWindows whether paths are those of Windows.
 */
export function pathOfFileUrl(url: string, isWindows: boolean = process.platform === "win32"): string | undefined {
  if (!/^file:/i.test(url)) return undefined
  try {
    return fileURLToPath(url, { windows: isWindows }).replace(/^[a-z](?=:\\)/, (drive) => drive.toUpperCase())
  } catch {
    return undefined
  }
}
