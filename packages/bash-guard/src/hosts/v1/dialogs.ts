import { type } from "arktype"
import type { Approvals, LastingPattern } from "../../approvals.ts"
import { setBounded } from "../../bounded-map.ts"
import { isMarkerRule } from "../../marker.ts"

/** A shell call that the guard had the host ask about. */
export interface AskedCall {
  /** Why it needs an answer, in one line. */
  readonly why: string
  /** What an "always" answer approves besides what the host stores. */
  readonly lasting: readonly LastingPattern[]
  /**
   * Whether it may run now, under what has been approved since.
   *
   * @param seen the commands that the host saw in it and asks about.
   */
  mayRun(seen: readonly string[]): boolean
}

/** Follows the host's dialogs, so that "always" lasts for the guard as it does for the host. */
export interface Dialogs {
  /** The guard has marked this call; the host's dialog for it comes next. */
  expect(callID: string, call: AskedCall): void
  /** Takes every event of the host. */
  saw(event: unknown): void
}

export interface DialogEffects {
  /** Shows beside a dialog why it is there. */
  show(why: string): void
  /** Has the host run what an open dialog asks about, once. */
  answer(sessionID: string, requestID: string): void
}

const request = type({
  id: "string",
  sessionID: "string",
  permission: "string",
  patterns: "string[]",
  always: "string[]",
  "tool?": { callID: "string" },
})
const askedEvent = type({ type: "'permission.asked'", properties: request })
const repliedEvent = type({
  type: "'permission.replied'",
  properties: { sessionID: "string", requestID: "string", reply: "string" },
})

/** More open dialogs, or calls that wait for theirs, than this are forgotten: "always" then holds for that command only. */
const mostOpen = 500

/**
 * On OpenCode 1.18.33 (measured): `permission.asked` carries the patterns that "always" will store, `permission.replied` the
 * answer. An "always" also answers the other open dialogs of that session which the stored patterns cover. The guard's
 * marker keeps those open, so they are answered here.
 */
export function followDialogs(approvals: Approvals, effects: DialogEffects): Dialogs {
  const calls = new Map<string, AskedCall>()
  const open = new Map<string, typeof request.infer>()

  function begin(dialog: typeof request.infer): void {
    setBounded(open, dialog.id, dialog, mostOpen)
    const call = dialog.permission === "bash" ? calls.get(dialog.tool?.callID ?? "") : undefined
    if (call !== undefined) effects.show(call.why)
  }

  function end(requestID: string, reply: string): void {
    const dialog = open.get(requestID)
    open.delete(requestID)
    if (dialog === undefined) return
    const callID = dialog.tool?.callID ?? ""
    const call = dialog.permission === "bash" ? calls.get(callID) : undefined
    if (dialog.permission === "bash") calls.delete(callID)
    if (reply !== "always") return
    for (const pattern of dialog.always) {
      if (!isMarkerRule({ pattern })) approvals.add(dialog.permission, pattern)
    }
    // For what the host saw it has stored a pattern of its own.
    const unseen = call?.lasting.filter(({ text }) => !dialog.patterns.includes(text)) ?? []
    for (const { permission, pattern } of unseen) approvals.add(permission, pattern)
    answerCovered(dialog.sessionID)
  }

  function answerCovered(sessionID: string): void {
    for (const [id, dialog] of open) {
      if (dialog.permission !== "bash" || dialog.sessionID !== sessionID) continue
      const seen = dialog.patterns.filter((pattern) => !isMarkerRule({ pattern }))
      if (calls.get(dialog.tool?.callID ?? "")?.mayRun(seen) === true) effects.answer(sessionID, id)
    }
  }

  return {
    expect: (callID, call) => setBounded(calls, callID, call, mostOpen),
    saw(event) {
      const asked = askedEvent(event)
      if (!(asked instanceof type.errors)) {
        begin(asked.properties)
        return
      }
      const replied = repliedEvent(event)
      if (!(replied instanceof type.errors)) end(replied.properties.requestID, replied.properties.reply)
    },
  }
}
