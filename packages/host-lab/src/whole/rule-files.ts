import { lstat, readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"

/** What a rule file says, as far as requests show it. */
export type KnownRule = {
  readonly name: string
  /** Its text as a frame has it. */
  readonly body: string
  /** The shorter text that it comes with again. */
  readonly reminder: string | undefined
  /** Whether it comes again as it is. */
  readonly isRepeated: boolean
  /** Whether it can leave a request again, as the agent, the model, the branch or the tools change. */
  readonly isTransient: boolean
}

/** Folders that have no rules of their own in them. */
const PASSED_OVER = new Set(["node_modules", ".git"])
const MARKDOWN = /\.mdc?$/i
const FRAME_TAG = /<(?=[\s/]*(?:rule|system-message|system-reminder)(?![\p{L}\p{N}_-]))/giu

/** Reads every Markdown file below some folders: whatever becomes a rule is one of them. Each is read again only when it has changed. */
export function ruleFiles(): (folders: readonly string[]) => Promise<readonly KnownRule[]> {
  const seen = new Map<string, { readonly stamp: string; readonly rule: KnownRule }>()
  // A session keeps the rules that it began with: what a file said before is known, too.
  const earlier: KnownRule[] = []

  async function read(path: string): Promise<void> {
    const stat = await lstat(path).catch(() => undefined)
    if (!stat?.isFile()) return
    const stamp = `${stat.mtimeMs} ${stat.size}`
    const known = seen.get(path)
    if (known?.stamp === stamp) return
    const text = await readFile(path, "utf8").catch(() => undefined)
    if (text === undefined) return
    if (known) earlier.push(known.rule)
    seen.set(path, { stamp, rule: readRule(basename(path), text) })
  }

  return async (folders) => {
    const paths = (await Promise.all(folders.map(markdownBelow))).flat()
    await Promise.all(paths.map(read))
    return [...earlier, ...Array.from(seen.values(), ({ rule }) => rule)]
  }
}

async function markdownBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const paths = entries.map(async (entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return PASSED_OVER.has(entry.name) ? [] : await markdownBelow(path)
    return MARKDOWN.test(entry.name) ? [path] : []
  })
  return (await Promise.all(paths)).flat()
}

/** A rule from its file's name and text. */
export function readRule(file: string, text: string): KnownRule {
  const lines = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")
  const [front = "", frontmatter = ""] = /^---[ \t]*\n([\s\S]*?\n)?---[ \t]*(?:\n|$)/.exec(lines) ?? []
  const value = (key: string) =>
    new RegExp(`^${key}: *(.*)$`, "m").exec(frontmatter)?.[1]?.replace(/^(["'])(.*)\1$/, "$2")
  return {
    name: value("name") ?? file.replace(/(\.instructions)?\.mdc?$/i, ""),
    body: escaped(lines.slice(front.length)),
    reminder: value("reminder"),
    isRepeated: value("remind") !== undefined,
    isTransient: /^(?:agent|model|branch|tools):/m.test(frontmatter),
  }
}

function escaped(text: string): string {
  return text.trim().replace(FRAME_TAG, "&lt;")
}
