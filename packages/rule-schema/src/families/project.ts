import { textField } from "./fields.ts"
import { membersFamily } from "./members.ts"

export const project = membersFamily({
  name: "project",
  noun: "project",
  lifetime: "durable",
  field: textField({
    key: "project",
    description: "Active in these kinds of project. Marker files such as `package.json` decide",
    example: "[node, rust]",
    ignoresCase: true,
    values: ["node", "python", "go", "rust", "monorepo", "browser-extension"],
  }),
  known: (facts) => facts.project,
})
