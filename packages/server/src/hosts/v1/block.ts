import { field } from "../shared/untyped.ts"

/** The calls that the host makes itself, for a slash command with `subtask: true`, have ids of parts (measured on OpenCode 1.18.33). */
const HOSTS_OWN_CALL = /^prt/

/** Whether the host itself makes a call: no model could repeat it. */
export function isHostsOwnCall(callID: string): boolean {
  return HOSTS_OWN_CALL.test(callID)
}

/**
 * Makes a call fail with a reason that the model reads. A throw does that for the calls of a model. The host's own ones
 * it calls outside of its error handling: a throw would fail the request, and leave the session with a call that never ends.
 * For them the reason goes where the subagent's name stands: no subagent has that name, and the host's error quotes it.
 *
 * @param args the call's arguments, changed in place.
 * @throws for the calls of a model.
 */
export function rejectCall(callID: string, args: unknown, reason: string): void {
  const isHosts = isHostsOwnCall(callID) && field(args, "subagent_type") !== undefined
  if (!isHosts || !Reflect.set(args as object, "subagent_type", reason)) throw new Error(reason)
}
