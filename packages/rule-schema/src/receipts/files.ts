import { constants, type FileHandle, lstat, mkdir, open, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { readRegularFile } from "../rulebook/file-gate.ts"
import { foundFiles, type Keep, makeRoomForFile, pruneFiles } from "../state/prune.ts"
import { sessionFileName } from "../state/session-file.ts"
import { RECEIPT_VERSION, type Receipt } from "./format.ts"
import { type ParsedReceipts, parseReceipt, parseReceipts } from "./parse.ts"

/** The most that one session's receipts take, in bytes. */
export const MOST_RECEIPT_BYTES = 1024 * 1024

/** Room for the line that says that the file is full, in bytes. */
const FULL_LINE_BYTES = 128

/** Two processes that write at once can both find room. What is much larger is not ours, and not read. */
const MOST_READ_BYTES = 2 * MOST_RECEIPT_BYTES

/** One session's receipts, oldest first. */
export interface SessionReceipts extends ParsedReceipts {
  readonly sessionID: string
  /** When the file was written last, in milliseconds since 1970. */
  readonly modified: number
}

/** The folder of the receipts, in that of the Matched-rule states. */
function folderOf(directory: string): string {
  return join(directory, "receipts")
}

function fileName(sessionID: string): string {
  return sessionFileName(sessionID, ".jsonl")
}

function fileKind(name: string): "session" | undefined {
  return /^[A-Za-z0-9][\w-]*\.jsonl$/.test(name) ? "session" : undefined
}

/**
 * Adds receipts to a session's file, in one write, so that several processes can do so. Folder 0700, file 0600. What a writer that died
 * has left torn gets its line end. What would make the file larger than 1 MiB is left out: a last line says that it is full, and from
 * then on nothing is added. Rejects when the file system refuses, or when the path is not a regular file (a symbolic link is not).
 *
 * @param directory where the Matched-rule states are, absolute.
 * @returns whether all has been written.
 */
export async function appendReceipts(
  directory: string,
  sessionID: string,
  receipts: readonly Receipt[],
): Promise<"written" | "full"> {
  const folder = folderOf(directory)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, fileName(sessionID))
  const known = await lstat(path).catch(() => undefined)
  if (known && !known.isFile()) throw new Error("the receipts' path is not a regular file")
  // Windows has no O_NOFOLLOW.
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const flags = O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK
  const file = await open(path, flags, 0o600)
  try {
    const { size } = await file.stat()
    const tail = await tailOf(file, size)
    if (isFull(tail)) return "full"
    const start = tail === "" || tail.endsWith("\n") ? "" : "\n"
    const { text, isWhole } = fitting(receipts, MOST_RECEIPT_BYTES - FULL_LINE_BYTES - size - start.length)
    await file.appendFile(start + text)
    return isWhole ? "written" : "full"
  } finally {
    await file.close()
  }
}

/** The end of a file, with the whole of a last line that says that it is full. */
async function tailOf(file: FileHandle, size: number): Promise<string> {
  const bytes = new Uint8Array(Math.min(size, FULL_LINE_BYTES))
  if (bytes.length === 0) return ""
  const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length)
  return new TextDecoder().decode(bytes.subarray(0, bytesRead))
}

function isFull(tail: string): boolean {
  const last = tail.trimEnd().split("\n").at(-1)
  return last !== undefined && parseReceipt(last)?.kind === "full"
}

/** The lines of as many receipts as there is room for, in bytes, and that this is all when others are left. */
function fitting(receipts: readonly Receipt[], room: number): { readonly text: string; readonly isWhole: boolean } {
  let text = ""
  let left = room
  for (const receipt of receipts) {
    const line = `${JSON.stringify(receipt)}\n`
    left -= Buffer.byteLength(line)
    if (left < 0) {
      const { at, request } = receipt
      const full: Receipt = { v: RECEIPT_VERSION, at, request, kind: "full" }
      return { text: `${text}${JSON.stringify(full)}\n`, isWhole: false }
    }
    text += line
  }
  return { text, isWhole: true }
}

/**
 * A session's receipts; undefined when there is no file of them that can be read. Never rejects.
 *
 * @param directory where the Matched-rule states are, absolute.
 */
export async function readReceipts(directory: string, sessionID: string): Promise<SessionReceipts | undefined> {
  const files = await foundFiles(folderOf(directory), (name) => (name === fileName(sessionID) ? "session" : undefined))
  const [file] = files
  return file && readFile(file)
}

/**
 * The receipts of all sessions, of all folders, the newest first: one session after another, so that few are in memory. Never rejects.
 *
 * @param directory where the Matched-rule states are, absolute.
 */
export async function* listReceipts(directory: string): AsyncGenerator<SessionReceipts, void, undefined> {
  for (const file of await foundFiles(folderOf(directory), fileKind)) {
    const session = await readFile(file)
    if (session) yield session
  }
}

async function readFile(file: {
  readonly path: string
  readonly modified: number
}): Promise<SessionReceipts | undefined> {
  const { path, modified } = file
  try {
    const read = await readRegularFile(path, MOST_READ_BYTES)
    if (read.kind !== "bytes") return undefined
    const parsed = parseReceipts(new TextDecoder().decode(read.bytes))
    const told = parsed.receipts.find((receipt) => receipt.kind === "session")
    return { ...parsed, modified, sessionID: told?.sessionID ?? basename(path, ".jsonl") }
  } catch {
    return undefined
  }
}

/** Removes a session's receipts, if there are any. Rejects when the file system refuses. */
export async function removeReceipts(directory: string, sessionID: string): Promise<void> {
  await rm(join(folderOf(directory), fileName(sessionID)), { force: true })
}

/** Removes the oldest receipts when a session that has none yet would have one file too many. Never rejects. */
export async function makeRoomForReceipts(directory: string, sessionID: string, keep: Keep): Promise<void> {
  await makeRoomForFile(folderOf(directory), fileName(sessionID), fileKind, keep)
}

/** Removes old and surplus receipts: see `pruneFiles`. Never rejects. */
export async function pruneReceipts(directory: string, keep: Keep): Promise<void> {
  await pruneFiles(folderOf(directory), fileKind, keep)
}
