import type { Origin } from "../opencode/value.ts"

/** Something about the permissions that their author should know. */
export interface Finding {
  readonly kind: "no-effect" | "never-matches" | "failed-case" | "unreadable" | "needs-the-guard"
  /** `note`: nothing to correct. */
  readonly severity: "error" | "note"
  /** Undefined when it is in no file. */
  readonly origin: Origin | undefined
  readonly message: string
  readonly remedy: string
}

/** In one line, as the log has it. */
export function describeFinding({ origin, message, remedy }: Finding): string {
  const where = origin === undefined ? "" : `${origin.file}:${origin.line}: `
  return `${where}${message}; ${remedy}.`
}
