import { constants, open } from "node:fs/promises"

/** How long one look at a file, or the reading of one, may take, in milliseconds. A disk that has to wake up takes less. */
const PATIENCE_MS = 3_000

const GRACE_MS = 20

/** Lets work on files through, as long as it ends. */
export interface FileGate {
  /**
   * Does something with a path. Rejects as the work does, and when it takes too long or has not ended since last time.
   *
   * @param isForeign whether a symbolic link leads there, so that it may be on any file system. Such work is done one after another, and
   *   none while anything hangs.
   */
  pass<T>(path: string, isForeign: boolean, work: () => Promise<T>): Promise<T>
}

/**
 * Work that hangs can't be ended, and holds one of the few threads that the whole process has for files (four in Node, two in Bun on two
 * cores, measured on 20.20 and 1.4.5). So there must be one of it at most, for as long as it hangs.
 */
export function createFileGate(patienceMs: number): FileGate {
  const hanging = new Set<string>()
  let foreign: Promise<unknown> = Promise.resolve()

  async function timed<T>(path: string, isForeign: boolean, work: () => Promise<T>): Promise<T> {
    const [first] = hanging
    if (hanging.has(path)) throw noAnswer()
    if (isForeign && first !== undefined) throw new Error(`not looked at as long as ${first} does not answer`)
    const running = work()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      function giveUp(): void {
        hanging.add(path)
        const end = () => hanging.delete(path)
        running.then(end, end)
        reject(noAnswer())
      }
      // What came in while the process itself was busy is taken in before that.
      timer = setTimeout(() => {
        timer = setTimeout(giveUp, GRACE_MS)
      }, patienceMs)
    })
    try {
      return await Promise.race([running, late])
    } finally {
      clearTimeout(timer)
    }
  }

  function noAnswer(): Error {
    return new Error(`no answer within ${patienceMs / 1000} seconds`)
  }

  return {
    pass(path, isForeign, work) {
      if (!isForeign) return timed(path, false, work)
      const turn = foreign.then(() => timed(path, true, work))
      foreign = turn.catch(() => undefined)
      return turn
    },
  }
}

/** The gate of this process: the threads for files are its own too. */
export const fileGate: FileGate = createFileGate(PATIENCE_MS)

/** What is in a file, or that it is none to be read. */
export type FileBytes =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-regular" }

const NONBLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const CHUNK = 64 * 1024

/**
 * Reads a regular file and nothing else: a pipe or a device has no end, and some files of the kernel (`/proc/kmsg`) make their reader
 * wait for what is yet to come. Rejects when the file system refuses.
 *
 * @param mostBytes a larger file is not read to its end.
 */
export async function readRegularFile(path: string, mostBytes: number): Promise<FileBytes> {
  const handle = await open(path, NONBLOCKING)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return { kind: "not-regular" }
    if (stats.size > mostBytes) return { kind: "too-large" }
    const chunks: Uint8Array[] = []
    let length = 0
    for (;;) {
      // Files of the kernel have no size: only a read of nothing shows their end. All others are read at once.
      const chunk = new Uint8Array(stats.size > length ? stats.size - length + 1 : CHUNK)
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null)
      length += bytesRead
      if (length > mostBytes) return { kind: "too-large" }
      chunks.push(chunk.subarray(0, bytesRead))
      if (bytesRead === 0 || length === stats.size) break
    }
    const [first] = chunks
    return { kind: "bytes", bytes: first && chunks.length === 1 ? first : Buffer.concat(chunks) }
  } finally {
    await handle.close()
  }
}
