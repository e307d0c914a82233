/** What the command does with the world outside. Tests give their own. */
export interface Io {
  /** Where relative paths start, absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly home: string
  /** A `process.platform`. */
  readonly platform: string
  /** Whether what is written is shown on a terminal that has colours. */
  readonly hasColors: boolean
  /** How wide the terminal is, in columns; undefined where there is no terminal. */
  readonly columns?: number | undefined
  /** Whether errors are shown on a terminal, where a line can be written over. */
  readonly showsProgress?: boolean
  /** Whether somebody sits at a terminal and can answer questions. */
  readonly isInteractive: boolean
  write(text: string): void
  writeError(text: string): void
  readStdin(): Promise<string>
}

/** Colours are for terminals; `NO_COLOR` turns them off and `FORCE_COLOR` on, as https://no-color.org has it. */
export function wantsColors(env: Io["env"], isTerminal: boolean): boolean {
  if (env["NO_COLOR"]) return false
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0"
  return isTerminal && env["TERM"] !== "dumb"
}

export type Style = "bold" | "dim" | "red" | "yellow" | "green"

const CODES: Readonly<Record<Style, string>> = { bold: "1", dim: "2", red: "31", yellow: "33", green: "32" }

export type Paint = (style: Style, text: string) => string

/** How texts are styled where colours are wanted, and left alone where not. */
export function createPaint(hasColors: boolean): Paint {
  return (style, text) => (hasColors ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text)
}
