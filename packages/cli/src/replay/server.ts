import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import { readExport, type StoredSession } from "@opencode-rulebook/server/dry-run"
import type { Io } from "../io.ts"
import { UsageError } from "../usage-error.ts"
import { isSessionID, type SessionEntry } from "./entry.ts"
import type { OpenCode } from "./opencode.ts"

const PATIENCE_MS = 60_000
const MOST_LISTED = 10_000

/**
 * A running server of OpenCode 1, with the password of its own environment variables if it has one (measured on 1.18.33).
 *
 * @param url its address.
 * @param directory the project's folder.
 * @throws UsageError for what is no address.
 */
export function openServer(url: string, directory: string, io: Io): OpenCode {
  if (!URL.canParse(url))
    throw new UsageError(`--server ${url}: not an address; write for example http://127.0.0.1:4096`)
  const { OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: user = "opencode" } = io.env
  const headers = password ? { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` } : {}

  async function get(path: string): Promise<unknown> {
    const failed = (reason: string) => new UsageError(`${new URL(path, url)}: ${reason}`)
    const address = new URL(`${path}?directory=${encodeURIComponent(directory)}&limit=${MOST_LISTED}`, url)
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      (error: Error) => {
        throw failed(`no answer (${error.message}); is an OpenCode server running there?`)
      },
    )
    if (!response.ok) throw failed(`OpenCode answered ${response.status}`)
    return await response.json().catch(() => {
      throw failed("the answer is not JSON; is it an OpenCode server's address?")
    })
  }

  async function read(id: string, command: string | undefined): Promise<StoredSession> {
    const [info, messages] = [await get(`/session/${id}`), await get(`/session/${id}/message`)]
    const session = readExport({ info, messages }, command)
    if (session === undefined) throw new UsageError(`${url}: what it answers for ${id} is not a session of OpenCode 1`)
    return session
  }

  function session(id: string, updated?: number): SessionEntry {
    if (!isSessionID(id)) throw new UsageError(`${id}: not a session's id`)
    return { id, updated, read: (command) => read(id, command) }
  }

  return {
    async list() {
      const all = await get("/session")
      if (!Array.isArray(all))
        throw new UsageError(`${new URL("/session", url)}: the answer is not a list of OpenCode 1's sessions`)
      return all.filter(isRecord).flatMap(({ id, parentID, directory: own, time }) => {
        const updated = isRecord(time) && typeof time["updated"] === "number" ? time["updated"] : 0
        const isOwn = typeof id === "string" && typeof own === "string" && parentID === undefined
        return isOwn ? [{ ...session(id, updated), directory: own }] : []
      })
    },
    session,
  }
}
