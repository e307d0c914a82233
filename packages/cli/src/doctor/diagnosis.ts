import type { Io } from "../io.ts"
import type { Project } from "../project.ts"

/** What one check found. "error": the plugin does not work; "warning": something is probably not as meant. */
export interface Diagnosis {
  readonly check: string
  readonly severity: "ok" | "warning" | "error"
  readonly message: string
  /** What to do; undefined when all is well. */
  readonly remedy?: string
}

/** What every check looks at. */
export interface Patient {
  readonly io: Io
  readonly project: Project
}

export function ok(check: string, message: string): Diagnosis {
  return { check, severity: "ok", message }
}

export function warning(check: string, message: string, remedy: string): Diagnosis {
  return { check, severity: "warning", message, remedy }
}

export function error(check: string, message: string, remedy: string): Diagnosis {
  return { check, severity: "error", message, remedy }
}
