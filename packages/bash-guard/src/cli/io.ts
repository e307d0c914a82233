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

/** The options of both commands. */
export interface CommandOptions {
  readonly json: boolean
  readonly major: 1 | 2 | undefined
  readonly agent: string | undefined
}
