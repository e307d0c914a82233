import { readEntries } from "../families/entries.ts"
import { textField } from "../families/fields.ts"
import { normaliseLines } from "../families/file-condition.ts"
import type { Entry } from "../frontmatter/value.ts"
import type { Problems } from "../problems.ts"
import { checked, readBoolean, type ValueField } from "../value-field.ts"
import { readReminder } from "./reminder.ts"
import { LEAST_TOKENS, readTokens } from "./tokens.ts"

/** `forbid` as the reader of lists of texts takes it: its entries are read as those of `fileContains`. */
export const FORBID_FIELD = textField({
  key: "forbid",
  description:
    "Literal texts that the agent must not add to a file that the rule's `globs` and `fileContains` match, or to any file if the rule has neither; case counts",
  example: '["console.log(", debugger]',
  text: "whole",
  takesScalars: false,
})

/** The keys with which a rule asks for more than one delivery, in the order of the documentation. A new one is one row here. */
export const ENFORCEMENT_KEYS = {
  hold: {
    description:
      "With `true`, a Write, Edit or Apply Patch that would make the rule match fails once if the model has not read the rule yet. The rule comes with the next request",
    example: "true",
    jsonSchema: { type: "boolean" },
    read: checked(readBoolean, "is neither true nor false", "Write `hold: true` or leave it out"),
  },
  remind: {
    description:
      "The rule is delivered again when its conditions are met anew and more than so many tokens of conversation follow its newest delivery",
    example: "20000",
    jsonSchema: { type: "integer", minimum: LEAST_TOKENS },
    read: readTokens,
  },
  forbid: {
    description: FORBID_FIELD.description,
    example: FORBID_FIELD.example,
    jsonSchema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    read: (value, { offset, field = FORBID_FIELD.key }, problems) => {
      return readForbidden({ key: field, offset, value }, problems)
    },
  },
  reminder: {
    description:
      "What `remind` and `forbid` say in place of the whole text while that is still in the conversation, in at most 1,024 characters",
    example: "Each unsafe block has a SAFETY comment",
    jsonSchema: { type: "string", minLength: 1, maxLength: 1024 },
    read: readReminder,
  },
} as const satisfies {
  readonly hold: ValueField<boolean>
  readonly remind: ValueField<number | "off">
  readonly forbid: ValueField<readonly string[]>
  readonly reminder: ValueField<string>
}

export type EnforcementKey = keyof typeof ENFORCEMENT_KEYS

function readForbidden(entry: Entry, problems: Problems): readonly string[] | undefined {
  const entries = readEntries(new Map([[FORBID_FIELD.key, entry]]), FORBID_FIELD, problems)
  return entries?.map(({ text }) => normaliseLines(text))
}
