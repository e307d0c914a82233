import type { Toolbox, ToolStep } from "./host.ts"

/** Payloads in the shapes recorded on a preview of OpenCode v2 (see test/recordings). */
export const v2Tools: Toolbox = {
  read: (_host, file, text) =>
    readResult(file, {
      uri: `file:///home/dev/app/${file}`,
      name: file,
      content: text,
      encoding: "utf8",
      mime: "video/mp2t",
    }),
  write: (path, content) => ({ tool: "write", args: { path, content }, output: `Wrote file successfully: ${path}` }),
  edit: (path, oldString, newString) => ({
    tool: "edit",
    args: { path, oldString, newString },
    output: `Edited file successfully: ${path}\nReplacements: 1`,
  }),
  patch: (patchText) => ({ tool: "patch", args: { patchText }, output: "Applied patch sequentially:" }),
  shell: (command, output = "ok") => {
    const content = [
      { type: "text", text: output },
      { type: "text", text: "Command exited with code 0." },
    ]
    return {
      tool: "shell",
      args: { command },
      output,
      result: { type: "content", value: content },
      structured: { exit: 0, truncated: false },
    }
  },
  tool: (name, args, output) => ({ tool: name, args, output }),
}

/** A Read that answers with a record: a file, a page or a directory. */
export function readResult(path: string, record: Readonly<Record<string, unknown>>): ToolStep {
  const output = JSON.stringify(record)
  return { tool: "read", args: { path }, output, result: { type: "json", value: record }, structured: record }
}
