import { watch } from "node:fs"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { stateDirectory } from "@opencode-rulebook/rule-schema"
import { type Diagnosis, error, ok, type Patient, warning } from "./diagnosis.ts"

/** Can the plugin write the files that the sidebar reads, and can the sidebar watch them? */
export async function checkState({ io }: Patient): Promise<readonly Diagnosis[]> {
  const folder = stateDirectory({ ...io.env }, io.home, io.platform)
  const file = join(folder, `.doctor-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, "")
    await rm(file)
  } catch (reason) {
    const message = `${folder} can't be written (${messageOf(reason)}), so the sidebar shows nothing as matched`
    return [
      error("state folder", message, "Make it a folder that you can write, or set XDG_STATE_HOME to another place"),
    ]
  }
  return [ok("state folder", folder), await watches(folder, io.platform)]
}

/**
 * Does the system still give file watches?
 *
 * @param watchFolder the file system's own.
 */
export async function watches(folder: string, platform: string, watchFolder: typeof watch = watch): Promise<Diagnosis> {
  try {
    watchFolder(folder, { persistent: false }).close()
    return ok("file watches", "the system has file watches left")
  } catch (reason) {
    const most = await readFile("/proc/sys/fs/inotify/max_user_watches", "utf8").catch(() => "")
    const limit = most === "" ? "" : `; the limit is ${most.trim()}`
    const message = `the system gives no file watch (${messageOf(reason)}${limit}), so the sidebar may miss changes of rule files`
    const raise = platform === "linux" ? "Raise fs.inotify.max_user_watches and max_user_instances, or close" : "Close"
    return warning("file watches", message, `${raise} programs that watch files`)
  }
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
