/** Looks into a value that came from outside; what is not there or of another type is undefined. Never throws on plain data. */
export function field(record: unknown, key: string): unknown {
  return typeof record === "object" && record !== null ? Reflect.get(record, key) : undefined
}

/** A field's text, if it has one. */
export function text(record: unknown, key: string): string | undefined {
  const value = field(record, key)
  return typeof value === "string" ? value : undefined
}

/** The texts of those of the fields that have one. */
export function texts(record: unknown, keys: readonly string[]): string[] {
  return keys.map((key) => text(record, key)).filter((value) => value !== undefined)
}

/** A field's finite number, if it has one. */
export function number(record: unknown, key: string): number | undefined {
  const value = field(record, key)
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}
