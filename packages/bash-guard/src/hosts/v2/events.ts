import type { Dialogs } from "../../dialogs.ts"
import { isListOf, isRecord, isString } from "../../shape.ts"
import type { HostContext } from "./host.ts"

/**
 * Passes on what an event of OpenCode 2.0.26 says about its dialogs (`schema/permission.ts`). Events are of the whole server.
 *
 * @param isOwn whether a session works in this plugin's folder; approvals are a project's own.
 */
export function readEvent(event: unknown, dialogs: Dialogs, isOwn: (sessionID: string) => boolean): void {
  if (!isRecord(event) || !isRecord(event["data"])) return
  const { id, sessionID, action, resources, save, source, requestID, reply } = event["data"]
  if (event["type"] === "permission.asked") {
    if (!isString(id) || !isString(sessionID) || !isString(action) || !isListOf(resources, isString)) return
    const always = isListOf(save, isString) ? save : []
    const callID = isRecord(source) && isString(source["id"]) ? source["id"] : undefined
    const permission = action === "shell" ? "bash" : action
    if (isOwn(sessionID)) dialogs.opened({ id, sessionID, permission, patterns: resources, always, callID })
  }
  if (event["type"] === "permission.replied" && isString(requestID) && isString(reply))
    dialogs.answered(requestID, reply)
}

/** @returns what ends it. */
export function followEvents(context: HostContext, take: (event: unknown) => void): () => void {
  const events = context.event?.subscribe()[Symbol.asyncIterator]()
  if (events === undefined) return () => {}
  async function follow(stream: AsyncIterator<unknown>): Promise<void> {
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) take(next.value)
  }
  // The stream ends with the host, or fails: "always" then holds for what the host remembers by itself.
  follow(events).catch(() => {})
  return () => void events.return?.()
}
