import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { DocumentLink, Position } from "vscode-languageserver-types"

/** Links of a rule's Markdown to files that exist: relative to the rule, or to the project's root. */
export function documentLinks(path: string, text: string, root: string): readonly DocumentLink[] {
  return Array.from(text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)|(?<=^|\s)@([\w./-]+\.\w+)/g)).flatMap(
    (match): DocumentLink[] => {
      const written = match[1] ?? match[2] ?? ""
      const target = [join(dirname(path), written), join(root, written)].find((file) => existsSync(file))
      if (target === undefined) return []
      const start = match.index + match[0].indexOf(written)
      const range = { start: positionOf(text, start), end: positionOf(text, start + written.length) }
      return [{ range, target: pathToFileURL(target).href }]
    },
  )
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}
