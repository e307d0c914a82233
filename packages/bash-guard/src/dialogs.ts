import type { Approvals, LastingPattern } from "./approvals.ts"
import { setBounded } from "./bounded-map.ts"
import { isMarkerRule } from "./marker.ts"

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
  /** The answer was "always". */
  approved?(): void
}

/** Follows the host's dialogs, so that "always" lasts for the guard as it does for the host. */
export interface Dialogs {
  /** The guard has the host ask about this call; the dialog comes next. */
  expect(callID: string, call: AskedCall): void
  opened(dialog: Dialog): void
  /** @param reply "once", "always" or "reject". */
  answered(dialogID: string, reply: string): void
}

export interface DialogEffects {
  /** Shows beside a dialog why it is there. */
  show(why: string): void
  /** Has the host run what an open dialog asks about, once. */
  answer(sessionID: string, dialogID: string): void
}

/** A dialog of the host's. */
export interface Dialog {
  readonly id: string
  readonly sessionID: string
  readonly permission: string
  /** What it asks about. */
  readonly patterns: readonly string[]
  /** What an "always" answer stores. */
  readonly always: readonly string[]
  /** The tool call that it is about. */
  readonly callID: string | undefined
}

/** More open dialogs, or calls that wait for theirs, than this are forgotten: "always" then holds for that command only. */
const mostOpen = 500

/**
 * What "always" does on the hosts: it stores the patterns of the dialog, and answers the other open dialogs which they cover
 * (1.18.33, measured: of that session; 2.0.26, read in `core/permission.ts`: of all sessions). A dialog which the guard
 * raised may be covered all the same and stay open, so it is answered here.
 */
export function followDialogs(approvals: Approvals, effects: DialogEffects): Dialogs {
  const calls = new Map<string, AskedCall>()
  const open = new Map<string, Dialog>()

  function callOf(dialog: Dialog): AskedCall | undefined {
    return dialog.permission === "bash" && dialog.callID !== undefined ? calls.get(dialog.callID) : undefined
  }

  function answerCovered(sessionID: string): void {
    for (const [id, dialog] of open) {
      if (dialog.sessionID !== sessionID) continue
      const seen = dialog.patterns.filter((pattern) => !isMarkerRule({ pattern }))
      if (callOf(dialog)?.mayRun(seen) === true) effects.answer(sessionID, id)
    }
  }

  return {
    expect: (callID, call) => setBounded(calls, callID, call, mostOpen),
    opened(dialog) {
      setBounded(open, dialog.id, dialog, mostOpen)
      const call = callOf(dialog)
      if (call !== undefined) effects.show(call.why)
    },
    answered(dialogID, reply) {
      const dialog = open.get(dialogID)
      open.delete(dialogID)
      if (dialog === undefined) return
      const call = callOf(dialog)
      if (call !== undefined) calls.delete(dialog.callID ?? "")
      if (reply !== "always") return
      call?.approved?.()
      for (const pattern of dialog.always) {
        if (!isMarkerRule({ pattern })) approvals.add(dialog.permission, pattern)
      }
      // For what the host saw it has stored a pattern of its own.
      const unseen = call?.lasting.filter(({ text }) => !dialog.patterns.includes(text)) ?? []
      for (const { permission, pattern } of unseen) approvals.add(permission, pattern)
      answerCovered(dialog.sessionID)
    },
  }
}
