import { toolNames } from "../hooks/tool-names.ts"
import { textField } from "./fields.ts"
import { membersFamily } from "./members.ts"

export const tools = membersFamily({
  name: "tools",
  noun: "tool",
  lifetime: "transient",
  field: textField({
    key: "tools",
    description: "Tools or MCP servers (`mcp_<server>`) of which one is available",
    example: "[lsp, mcp_github]",
  }),
  known: (facts) => facts.tools,
  namesOf: toolNames,
})
