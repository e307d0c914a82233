import type { Problems } from "../problems.ts"
import { quoted } from "../text.ts"
import { type Origin, toolOf } from "./origin.ts"

/** Fenced blocks and code spans: what they quote is not put in by any tool. */
const CODE = /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n[ \t]*\1[^\n]*|(?![\s\S]))|`[^`\n]+`/gm

/**
 * Warns about files that a tool would put into the rule's text, and that are not: each once.
 *
 * @param below where the text below the frontmatter begins.
 */
export function reportIncludes(origin: Origin | undefined, text: string, below: number, problems: Problems): void {
  const tool = toolOf(origin)
  if (tool?.includes === undefined) return
  const prose = text
    .slice(below)
    .replace(/\r(?!\n)/g, "\n")
    .replace(CODE, (code) => code.replace(/[^\n]/g, " "))
  const seen = new Set<string>()
  for (const match of prose.matchAll(tool.includes)) {
    const path = match[1] ?? ""
    if (seen.has(path)) continue
    seen.add(path)
    const reason = `${quoted(match[0])} puts a file into the text in ${tool.title}, and is not followed here`
    const remedy = "Write into the rule what the model must know, or tell it to read the file"
    problems.warning({ offset: below + match.index }, "not-followed", reason, remedy)
  }
}
