import { toolNames } from "../hooks/tool-names.ts"
import { textField } from "./fields.ts"
import { membersFamily } from "./members.ts"

export const tools = membersFamily({
  name: "tools",
  noun: "tool",
  lifetime: "transient",
  field: textField({
    key: "tools",
    description: "Active when one of these tools or MCP servers (`mcp_<server>`) is available",
    example: "[lsp, mcp_github]",
  }),
  known: (facts) => facts.tools,
  namesOf: toolNames,
})
