import type { Facts } from "../facts.ts"
import { textField } from "./fields.ts"
import { membersFamily } from "./members.ts"

/** A model's id may itself have slashes in it, so both forms are compared whole. */
export const model = membersFamily({
  name: "model",
  noun: "model",
  lifetime: "transient",
  field: textField({
    key: "model",
    description: "Active when the current model is one of these: `modelID` or `providerID/modelID`",
    example: "[anthropic/claude-sonnet-4-5, gpt-5]",
  }),
  known: ({ model: current }) => current && new Set([current.modelID, fullName(current)]),
  fact: ({ model: current }) => current && fullName(current),
})

function fullName({ providerID, modelID }: NonNullable<Facts["model"]>): string {
  return `${providerID}/${modelID}`
}
