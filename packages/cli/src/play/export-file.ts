import { readFile } from "node:fs/promises"
import { readExport, type StoredSession } from "@opencode-rulebook/server/dry-run"
import { UsageError } from "../usage-error.ts"

const EXPECTED = "expected is what `opencode export SESSION > FILE` writes"

/**
 * Reads a session that `opencode export` wrote into a file.
 *
 * @param path the file's, absolute.
 * @param command the slash command whose subtask the session is, if it is one's.
 * @throws UsageError when it can't be read, is not whole, or is no such session.
 */
export async function readExportFile(path: string, command?: string): Promise<StoredSession> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new UsageError(`${path}: can't be read (${error.message})`)
  })
  return parseExport(textOf(bytes), path, command)
}

/**
 * Reads the text of an export.
 *
 * @param from names it in an error.
 * @throws UsageError when it is not whole, or is no session.
 */
export function parseExport(text: string, from: string, command?: string): StoredSession {
  const session = readExport(parsed(text, from), command)
  if (session === undefined) throw new UsageError(`${from}: not a session; ${EXPECTED}`)
  return session
}

/** What Windows PowerShell redirects into a file is UTF-16 behind a mark, whose first byte no UTF-8 has; without one it is UTF-8. */
function textOf(bytes: Uint8Array): string {
  const isMarked = bytes[0] === 0xff
  return new TextDecoder(isMarked ? "utf-16le" : "utf-8").decode(bytes)
}

function parsed(text: string, from: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const state = text.trim() === "" ? "empty" : `not whole or not JSON (${(error as Error).message})`
    throw new UsageError(`${from}: ${state}; ${EXPECTED}`)
  }
}
