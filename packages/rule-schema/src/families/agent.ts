import { textField } from "./fields.ts"
import { membersFamily, single } from "./members.ts"

export const agent = membersFamily({
  name: "agent",
  noun: "agent",
  lifetime: "transient",
  field: textField({
    key: "agent",
    description: "Active when the current agent is one of these",
    example: "[build, plan]",
  }),
  known: (facts) => single(facts.agent),
})
