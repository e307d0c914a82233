import { isAbsolute, relative } from "node:path"
import type { Origin } from "../opencode/value.ts"

/** What the command does with the world outside. Tests give their own. */
export interface Io {
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  write(text: string): void
  writeError(text: string): void
  readStdin(): string
}

/** The command was called in a way that it can't answer: exit code 2, the message on standard error. */
export class UsageError extends Error {}

/** A place as a person in the folder would name it; what comes from the environment has its own name. */
export function describeOrigin({ file, line }: Origin, cwd: string): string {
  return `${isAbsolute(file) ? relative(cwd, file) : file}:${line}`
}

/** The options of both commands. */
export interface CommandOptions {
  readonly json: boolean
  readonly major: 1 | 2 | undefined
  readonly agent: string | undefined
}
