import {
  compilePathPattern,
  isIncluded,
  pathForm,
  readRuleSource,
  splitLines,
} from "@opencode-rulebook/rule-schema/authoring"
import { placeAt } from "./frontmatter-place.ts"
import { HOOK_KEYS, KEYS, PATTERN_KEYS } from "./reference.ts"
import type { Workspace } from "./workspace.ts"

/** How many of the files that a pattern matches are named. */
const MOST_FILES = 8

/** What a key means, or what a pattern matches in this project, as Markdown. */
export function hoverText(text: string, line: number, character: number, workspace: Workspace): string | undefined {
  const place = placeAt(text, line, character)
  if (place.kind === "body") return undefined
  if (place.kind === "key" || !PATTERN_KEYS.has(place.key)) return describeKey(place.key, place.isHook)
  const pattern = patternAt(text, line, character)
  return pattern && describePattern(pattern, workspace)
}

function describeKey(name: string | undefined, isHook: boolean): string | undefined {
  const found = (isHook ? HOOK_KEYS : KEYS).find(({ key }) => key === name)
  return found && `**${name}**\n\n${found.description}\n\nExample: \`${name}: ${found.example}\``
}

/** The pattern at a position, as the rule has it. */
function patternAt(text: string, line: number, character: number): string | undefined {
  const position = (splitLines(text)[line]?.start ?? 0) + character
  let end = 0
  for (const entry of readRuleSource("", text).entries("globs")) {
    // Several patterns in one text have the place of the first.
    const start = text.indexOf(entry.text, Math.max(entry.offset, end))
    end = start + entry.text.length
    if (start <= position && position <= end) return entry.text
  }
  return undefined
}

function describePattern(pattern: string, { files, project }: Workspace): string | undefined {
  const compiled = compilePathPattern(pattern)
  if (compiled.kind !== "pattern") return undefined
  if (files === undefined) return `\`${pattern}\` can't be tried: the project is not a git repository.`
  const place = { root: project.directory, directory: project.directory }
  const including = { ...compiled.pattern, excludes: false }
  const matched = files
    .filter((file) => !file.endsWith("/"))
    .map((file) => pathForm(file, place))
    .filter((form) => isIncluded([including], form))
  const verb = compiled.pattern.excludes ? "excludes" : "matches"
  if (matched.length === 0) return `\`${pattern}\` ${verb} no file of this project.`
  const shown = matched.slice(0, MOST_FILES).map((form) => `- \`${form.path}\``)
  const rest = matched.length > shown.length ? [`- and ${matched.length - shown.length} more`] : []
  const count = matched.length === 1 ? "1 file" : `${matched.length} files`
  return [`\`${pattern}\` ${verb} ${count} of this project:`, "", ...shown, ...rest].join("\n")
}
