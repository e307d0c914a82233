/** A frontmatter key: what it takes, and what documentation and editors say of it. */
export type Field = TextField | BooleanField

interface FieldBase {
  readonly key: string
  /** Other tools' names for the same thing. */
  readonly aliases: readonly string[]
  readonly description: string
  /** A YAML value. */
  readonly example: string
}

/** A key that takes true or false. */
export interface BooleanField extends FieldBase {
  readonly kind: "boolean"
}

/** A key that takes one text or a list of texts. */
export interface TextField extends FieldBase {
  readonly kind: "texts"
  /** The only texts that it takes; undefined: any. */
  readonly values: readonly string[] | undefined
  /** What people write for one of them, in lower case, and the remedy that names the right one. */
  readonly otherNames: Readonly<Record<string, string>>
  /**
   * "commas": a text in place of the list is cut at its commas, an item of a list is not. "patterns": every text is cut at the
   * commas outside its braces. "whole": a text is one entry.
   */
  readonly text: "commas" | "patterns" | "whole"
  /** Is case ignored? Entries are lower case then. */
  readonly ignoresCase: boolean
  /** Are numbers and booleans entries, by their source text? */
  readonly takesScalars: boolean
}

export function textField(
  field: Pick<TextField, "key" | "description" | "example"> &
    Partial<Pick<TextField, "aliases" | "values" | "otherNames" | "text" | "ignoresCase" | "takesScalars">>,
): TextField {
  const defaults = { aliases: [], values: undefined, otherNames: {}, text: "commas" } as const
  return { kind: "texts", ...defaults, ignoresCase: false, takesScalars: true, ...field }
}
