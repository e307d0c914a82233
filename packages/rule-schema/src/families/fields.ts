import { type Type, type } from "arktype"

/** A frontmatter key: what it takes, and what documentation and editors say of it. */
export interface Field {
  readonly key: string
  /** Other tools' names for the same thing. */
  readonly aliases: readonly string[]
  readonly description: string
  /** A YAML value. */
  readonly example: string
  /** The type of a well-formed value. */
  readonly schema: Type<unknown>
}

/** A key that takes one text or a list of texts. */
export interface TextField extends Field {
  /** The type of one entry. */
  readonly entry: Type<string>
  /**
   * "commas": a text in place of the list is cut at its commas, an item of a list is not. "patterns": every text is cut at the
   * commas outside its braces. "whole": a text is one entry.
   */
  readonly text: "commas" | "patterns" | "whole"
  /** Does case say nothing? Entries are lower case then. */
  readonly ignoresCase: boolean
  /** Are numbers and booleans entries, by their source text? */
  readonly takesScalars: boolean
}

export function isTextField(field: Field): field is TextField {
  return "entry" in field
}

export function textField(
  field: Pick<Field, "key" | "description" | "example"> &
    Partial<Pick<TextField, "aliases" | "entry" | "text" | "ignoresCase" | "takesScalars">>,
): TextField {
  const entry: Type<string> = field.entry ?? type("string")
  const schema = entry.or(entry.array()) as unknown as Type<unknown>
  return { aliases: [], text: "commas", ignoresCase: false, takesScalars: true, ...field, entry, schema }
}
