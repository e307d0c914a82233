import { randomUUID } from "node:crypto"
import { open, realpath, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import { UsageError } from "../../usage-error.ts"
import { GENERATOR } from "./html.ts"

/** In its first bytes a page says what it is. */
const LOOKED_AT_BYTES = 512

/**
 * Writes the page so that a reader sees the old one or the new one, never a part. Where the path is a link, its target is replaced.
 *
 * @param path absolute.
 * @param force whether it may take the place of a file that is not such a page.
 * @throws UsageError when it may not, and when the file system refuses; then nothing has changed.
 */
export async function writePage(path: string, html: string, force: boolean): Promise<void> {
  const target = await realpath(path).catch(() => path)
  if (!force && !(await isOurs(target)))
    throw new UsageError(
      `${visible(path)} is there and is not a report: choose another name, or overwrite it with --force`,
    )
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, html, { flag: "wx" })
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new UsageError(`${visible(path)} can't be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Whether a page may take the place of what is there: an earlier one, an empty file, or nothing. */
async function isOurs(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return true
  if (!stats.isFile()) return false
  if (stats.size === 0) return true
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return false
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0)
    return new TextDecoder().decode(buffer.subarray(0, bytesRead)).includes(GENERATOR)
  } finally {
    await file.close()
  }
}
