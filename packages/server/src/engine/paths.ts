import { pathForms } from "@opencode-rulebook/rule-schema"

/** No file system takes longer paths; those of notes are cut at fewer characters. */
const LONGEST_PATH = 4096
const LONGEST_NOTE = 200

/**
 * How notes write paths: relative to a folder, `/`-separated, and absolute for what is outside of it.
 *
 * @param directory the folder that relative paths start from, absolute.
 */
export function notedPaths(directory: string): (path: string) => string {
  const formOf = pathForms({ root: directory, directory })
  return (path) => formOf(path.slice(0, LONGEST_PATH)).path.slice(0, LONGEST_NOTE)
}
