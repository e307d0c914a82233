import { type } from "arktype"
import type { Dialogs } from "../../dialogs.ts"

const askedEvent = type({
  type: "'permission.asked'",
  data: {
    id: "string",
    sessionID: "string",
    action: "string",
    resources: "string[]",
    "save?": "string[]",
    "source?": { id: "string" },
  },
})
const repliedEvent = type({
  type: "'permission.replied'",
  data: { sessionID: "string", requestID: "string", reply: "string" },
})

/**
 * Passes on what an event of OpenCode 2.0.26 says about its dialogs (`schema/permission.ts`). Events are of the whole server.
 *
 * @param isOwn whether a session works in this plugin's folder; approvals are a project's own.
 */
export function readEvent(event: unknown, dialogs: Dialogs, isOwn: (sessionID: string) => boolean): void {
  const asked = askedEvent(event)
  if (!(asked instanceof type.errors)) {
    const { id, sessionID, action, resources, save, source } = asked.data
    const permission = action === "shell" ? "bash" : action
    if (isOwn(sessionID))
      dialogs.opened({ id, sessionID, permission, patterns: resources, always: save ?? [], callID: source?.id })
    return
  }
  const replied = repliedEvent(event)
  if (!(replied instanceof type.errors)) dialogs.answered(replied.data.requestID, replied.data.reply)
}
