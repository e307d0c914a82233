/** A fenced block of a markdown text. */
export interface Fence {
  readonly language: string
  /** The file that the block is, where its fence names one behind the language. */
  readonly file: string | undefined
  readonly text: string
  /** 1-based, of the opening fence. */
  readonly line: number
}

/** The fenced blocks of a text, also those in lists: their indentation is taken off. */
export function fencesOf(markdown: string): readonly Fence[] {
  const fences: Fence[] = []
  let open:
    | (Pick<Fence, "language" | "file" | "line"> & { readonly indent: string; readonly marks: string })
    | undefined
  let lines: string[] = []
  for (const [index, line] of markdown.split("\n").entries()) {
    const mark = /^(\s*)(`{3,})(\S*)(?: (\S+))?\s*$/.exec(line)
    if (open === undefined) {
      if (mark) {
        const [, indent = "", marks = "", language = "", file] = mark
        open = { indent, marks, language, file, line: index + 1 }
      }
      lines = []
    } else if (mark && mark[2] === open.marks && mark[3] === "") {
      fences.push({ language: open.language, file: open.file, text: `${lines.join("\n")}\n`, line: open.line })
      open = undefined
    } else {
      lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line)
    }
  }
  return fences
}

/** Is a block a rule file: does it begin with frontmatter? */
export function isRule({ language, text }: Fence): boolean {
  return language === "markdown" && text.startsWith("---\n")
}

/** The commands of a shell block, one a line, without the lines that are comments. */
export function commandsOf({ language, text }: Fence): readonly string[] {
  if (language !== "sh") return []
  return text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"))
}

/** The links of a text outside its code, in the order in which they stand. */
export function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^(\s*)(`{3,}).*?^\s*\2\s*$/gms, "").replace(/`[^`\n]*`/g, "")
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target)
}

/** The anchors of a text's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = Array.from(markdown.matchAll(/^#{1,6} (.+)$/gm), ([, heading = ""]) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  )
}
