import type { Toolbox } from "./host.ts"

/** Payloads in the shapes recorded on OpenCode 1.18.33 (see test/recordings). */
export const v1Tools: Toolbox = {
  read(host, file, text) {
    const filePath = host.path(file)
    const lines = text.split("\n")
    const numbered = lines.map((line, index) => `${index + 1}: ${line}`).join("\n")
    const note = `(End of file - total ${lines.length} lines)`
    const output = `<path>${filePath}</path>\n<type>file</type>\n<content>\n${numbered}\n\n${note}\n</content>`
    return { tool: "read", args: { filePath }, output }
  },
  write: (filePath, content) => ({ tool: "write", args: { filePath, content }, output: "Wrote file successfully." }),
  edit: (filePath, oldString, newString) => ({
    tool: "edit",
    args: { filePath, oldString, newString },
    output: "Edit applied successfully.",
  }),
  patch: (patchText) => ({ tool: "apply_patch", args: { patchText }, output: "Success. Updated the following files:" }),
  shell: (command, output = "ok") => ({ tool: "bash", args: { command }, output }),
  tool: (name, args, output) => ({ tool: name, args, output }),
}
