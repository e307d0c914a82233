import type { Value } from "./frontmatter/value.ts"
import type { ProblemPlace, Problems } from "./problems.ts"

/** One key: what documentation and editors say of it, and how its value is read. */
export interface ValueField<Read> {
  readonly description: string
  /** A YAML value. */
  readonly example: string
  /** JSON Schema of a well-formed value. */
  readonly jsonSchema: object
  /** Reads a declared value. Undefined: it can't be read, and `problems` has the error. */
  readonly read: (value: Value, at: ProblemPlace, problems: Problems) => Read | undefined
}

/** A field's `read` for a value that is right or wrong, with the one error for a wrong one. */
export function checked<Read>(
  read: (value: Value) => Read | undefined,
  reason: string,
  remedy: string,
): ValueField<Read>["read"] {
  return (value, at, problems) => {
    const result = read(value)
    if (result === undefined) problems.error(at, "wrong-type", reason, remedy)
    return result
  }
}

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["no", false],
  ["off", false],
])

/** A boolean, quoted or not, in any case, or one of YAML's older words for it. Undefined: the value is something else. */
export function readBoolean(value: Value): boolean | undefined {
  return value.kind === "scalar" ? SWITCHES.get(value.text.trim().toLowerCase()) : undefined
}

/** The trimmed source text of a scalar. Undefined when there is none. */
export function readText(value: Value): string | undefined {
  if (value.kind !== "scalar" || value.value === null) return undefined
  return value.text.trim() || undefined
}
