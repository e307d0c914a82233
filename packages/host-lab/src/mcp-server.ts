import { createInterface } from "node:readline"

type Request = { readonly id?: number | string; readonly method: string; readonly params?: Record<string, unknown> }

const ECHO = {
  name: "echo",
  description: "Gives the text back",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
}

/** A stdio MCP server with one tool, `echo`: what a project's `mcp` option starts. It ends with its input. */
function serve(): void {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const request = JSON.parse(line) as Request
    if (request.id === undefined) return
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, result: resultOf(request) })}\n`)
  })
}

function resultOf(request: Request): Record<string, unknown> {
  const params = request.params ?? {}
  switch (request.method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: {} },
        serverInfo: { name: "host-lab", version: "1.0.0" },
      }
    case "tools/list":
      return { tools: [ECHO] }
    case "tools/call":
      return { content: [{ type: "text", text: textOf(params["arguments"]) }] }
    default:
      return {}
  }
}

function textOf(args: unknown): string {
  return typeof args === "object" && args !== null && "text" in args ? String(args.text) : ""
}

serve()
