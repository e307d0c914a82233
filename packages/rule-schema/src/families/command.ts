import { textField } from "./fields.ts"
import { membersFamily, single } from "./members.ts"

/** A leading `/` is optional on both sides. */
export const command = membersFamily({
  name: "command",
  noun: "command",
  lifetime: "durable",
  field: textField({
    key: "command",
    description: "Active when the turn was started with one of these slash commands; the leading `/` is optional",
    example: "[review, /commit]",
  }),
  known: (facts) => single(facts.command?.replace(/^\//, "")),
  normalise: (name) => name.replace(/^\//, ""),
})
