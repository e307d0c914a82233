/** What the guard says where it can do nothing. */
export const cannotGuard =
  "bash-guard is off: this OpenCode lets no plugin see its permission checks (2.0.26 does), so commands are checked by OpenCode alone."

/** For a call that must be asked about, in which the host sees no command and so asks nobody. */
export function cannotAsk(why: string): string {
  return `A person must approve this (${why}), but OpenCode asks about no command in it. Send the part that needs approval as a call of its own.`
}

export function unknownRules(agent: string, reason: string): string {
  return `Not run: bash-guard could not read the permissions of the agent ${JSON.stringify(agent)} (${reason}), so the command cannot be checked. Nothing was run.`
}

/** OpenCode 2.0.26 shows the text of a step's first refused call for all of them (`core/session/runner/step.ts`). */
export function refusal(message: string): string {
  return `${message} If several calls of this step were refused, this text stands for all of them: send the others one by one.`
}
