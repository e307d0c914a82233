/** What a successful Read returned: a file's text (the returned lines only), a directory, or something without text (image, PDF). */
export type ReadResult =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "directory" }
  | { readonly kind: "opaque" }

/**
 * The file text in the model-visible output of a v1 Read. As measured on OpenCode 1.18.33, the output is a header, then each returned
 * line behind its number, then an unnumbered blank line, a note, the closing tag and perhaps other files' instructions. No returned
 * line holds a line feed, so the run of consecutive numbers says exactly which lines are the file's, whatever those lines look like.
 *
 * A text is only taken out of the output when it is first asked for: most have nothing that any rule asks for.
 */
export function parseReadOutput(output: string): ReadResult {
  const content = splitHeader(output)
  if (content === undefined) return { kind: "opaque" }
  if (content.kind === "directory") return content

  const { start } = content
  // An empty line: nothing was returned, of an empty file or for a limit of 0.
  if (start === output.length || output[start] === "\n") return { kind: "text", text: "" }
  // A line number is short: the rest of the output is not looked at for it.
  const number = /^(\d+): /.exec(output.slice(start, start + 20))?.[1]
  if (number === undefined) return { kind: "opaque" }
  let made: string | undefined
  return {
    kind: "text",
    get text() {
      made ??= numberedText(output.slice(start), Number(number))
      return made
    },
  }
}

/** The lines that are numbered without a gap, from a number on. */
function numberedText(body: string, from: number): string {
  const lines: string[] = []
  for (const line of body.split("\n")) {
    const prefix = `${from + lines.length}: `
    if (!line.startsWith(prefix)) break
    lines.push(withoutCutNote(line.slice(prefix.length)))
  }
  return lines.join("\n")
}

const pathTag = "<path>"
const typeTag = "</path>\n<type>"
const directoryTail = "directory</type>\n"
const fileTail = "file</type>\n<content>\n"

/**
 * What follows the header, by type, and where a file's lines start. The header stands at the start and ends at the first end of a path: instructions that the
 * host appends below may quote another Read. The path itself may hold line feeds.
 */
function splitHeader(
  output: string,
): { readonly kind: "directory" } | { readonly kind: "file"; readonly start: number } | undefined {
  const end = output.startsWith(pathTag) ? output.indexOf(typeTag) : -1
  if (end === -1) return undefined
  const type = end + typeTag.length
  if (output.startsWith(directoryTail, type)) return { kind: "directory" }
  return output.startsWith(fileTail, type) ? { kind: "file", start: type + fileTail.length } : undefined
}

/** Lines are cut at this many UTF-16 units (1.18.33). */
const lineLimit = 2000
const cutNote = `... (line truncated to ${lineLimit} chars)`

/** A file's own line can't have this length: it would have been cut itself. */
function withoutCutNote(line: string): string {
  return line.length === lineLimit + cutNote.length && line.endsWith(cutNote) ? line.slice(0, lineLimit) : line
}
