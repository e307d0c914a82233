import type { ToolStep } from "./v1-host.ts"

/** Payloads in the shapes recorded on OpenCode 1.18.33 (see test/recordings). */

export function read(filePath: string, text: string, options: { offset?: number; reminder?: string } = {}): ToolStep {
  const { offset = 1, reminder } = options
  const lines = text.split("\n")
  const numbered = lines.map((line, index) => `${offset + index}: ${line}`).join("\n")
  const note = `(End of file - total ${offset + lines.length - 1} lines)`
  const output = `<path>${filePath}</path>\n<type>file</type>\n<content>\n${numbered}\n\n${note}\n</content>`
  const tail = reminder === undefined ? "" : `\n\n<system-reminder>\n${reminder}\n</system-reminder>`
  return { tool: "read", args: { filePath, ...(offset > 1 ? { offset } : {}) }, output: output + tail }
}

export function readDirectory(filePath: string, entries: readonly string[]): ToolStep {
  const output = `<path>${filePath}</path>\n<type>directory</type>\n<entries>\n${entries.join("\n")}\n\n(${entries.length} entries)\n</entries>`
  return { tool: "read", args: { filePath }, output }
}

export function write(filePath: string, content: string): ToolStep {
  return { tool: "write", args: { filePath, content }, output: "Wrote file successfully." }
}

export function edit(filePath: string, oldString: string, newString: string): ToolStep {
  return { tool: "edit", args: { filePath, oldString, newString }, output: "Edit applied successfully." }
}

export function patch(patchText: string, output: string): ToolStep {
  return { tool: "apply_patch", args: { patchText }, output }
}

export function lsp(operation: string, filePath: string, output: string): ToolStep {
  return { tool: "lsp", args: { operation, filePath, line: 1, character: 1 }, output }
}

export function tool(name: string, args: Record<string, unknown>, output: string): ToolStep {
  return { tool: name, args, output }
}

/** The same call, failing. */
export function failing(step: ToolStep, error = "File not found"): ToolStep {
  return { ...step, failed: true, output: error }
}
