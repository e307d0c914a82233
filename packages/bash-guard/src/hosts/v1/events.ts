import type { Dialogs } from "../../dialogs.ts"
import { isListOf, isRecord, isString } from "../../shape.ts"

/** Passes on what an event of OpenCode 1.18.33 says about its dialogs (measured); other events say nothing about them. */
export function readEvent(event: unknown, dialogs: Dialogs): void {
  if (!isRecord(event) || !isRecord(event["properties"])) return
  const { id, sessionID, permission, patterns, always, tool, requestID, reply } = event["properties"]
  if (event["type"] === "permission.asked") {
    if (!isString(id) || !isString(sessionID) || !isString(permission)) return
    if (!isListOf(patterns, isString) || !isListOf(always, isString)) return
    const callID = isRecord(tool) && isString(tool["callID"]) ? tool["callID"] : undefined
    dialogs.opened({ id, sessionID, permission, patterns, always, callID })
  }
  if (event["type"] === "permission.replied" && isString(requestID) && isString(reply))
    dialogs.answered(requestID, reply)
}
