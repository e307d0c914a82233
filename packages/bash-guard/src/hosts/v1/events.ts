import { type } from "arktype"
import type { Dialogs } from "../../dialogs.ts"

const askedEvent = type({
  type: "'permission.asked'",
  properties: {
    id: "string",
    sessionID: "string",
    permission: "string",
    patterns: "string[]",
    always: "string[]",
    "tool?": { callID: "string" },
  },
})
const repliedEvent = type({ type: "'permission.replied'", properties: { requestID: "string", reply: "string" } })

/** Passes on what an event of OpenCode 1.18.33 says about its dialogs (measured); other events say nothing about them. */
export function readEvent(event: unknown, dialogs: Dialogs): void {
  const asked = askedEvent(event)
  if (!(asked instanceof type.errors)) {
    const { tool, ...dialog } = asked.properties
    dialogs.opened({ ...dialog, callID: tool?.callID })
    return
  }
  const replied = repliedEvent(event)
  if (!(replied instanceof type.errors)) dialogs.answered(replied.properties.requestID, replied.properties.reply)
}
