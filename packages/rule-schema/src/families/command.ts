import { textField } from "./fields.ts"
import { membersFamily, single } from "./members.ts"

/** A leading `/` is optional on both sides. */
export const command = membersFamily({
  name: "command",
  noun: "command",
  lifetime: "durable",
  field: textField({
    key: "command",
    description: "Slash commands of which the turn was started with one; the leading `/` is optional",
    example: "[review, /commit]",
  }),
  known: (facts) => single(facts.command?.replace(/^\//, "")),
  normalise: (name) => name.replace(/^\//, ""),
})
