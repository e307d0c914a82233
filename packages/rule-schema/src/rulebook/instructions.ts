import { realpath } from "node:fs/promises"
import { posix, win32 } from "node:path"
import picomatch from "picomatch"
import type { RuleDirectory } from "../identity.ts"
import { fileProblem, type RuleProblem } from "../problems.ts"
import type { Rulebook } from "../rule.ts"
import { projectFolders } from "./directories.ts"
import { fileGate } from "./file-gate.ts"
import { isWithin } from "./within.ts"

/** Where the host is, for its own `instructions`. */
export interface InstructionPlace {
  readonly home: string
  /** The folder that the host was opened in, absolute. */
  readonly directory: string
  /** The root of the repository, if there is one. */
  readonly worktree: string | undefined
  /** A `process.platform`; the running one when left out. */
  readonly platform?: string
}

/**
 * What is wrong when the host is told to send rule files by itself: it sends each of them with every request, matched or not, and the
 * plugin sends the matched ones again. One warning for each rules directory, at the directory. Never rejects.
 *
 * @param directories those that the rules were found in.
 * @param instructions `instructions` of the host's configuration, all files of it together; anything else than a list of texts is none.
 */
export async function instructionProblems(
  { rules, broken }: Rulebook,
  directories: readonly RuleDirectory[],
  instructions: unknown,
  place: InstructionPlace,
): Promise<readonly RuleProblem[]> {
  const patterns = Array.isArray(instructions)
    ? instructions.filter((one): one is string => typeof one === "string")
    : []
  if (patterns.length === 0) return []
  const path = (place.platform ?? process.platform) === "win32" ? win32 : posix
  const tests = await Promise.all(
    patterns.map(async (pattern) => ({ pattern, matches: await matcherOf(pattern, place, path) })),
  )
  const realFolders = new Map<string, string>()
  const found = new Map<string, { readonly files: Set<string>; readonly patterns: Set<string> }>()
  for (const { file } of [...rules, ...broken]) {
    const folder = path.dirname(file)
    const real = realFolders.get(folder) ?? (await realFolder(folder))
    realFolders.set(folder, real)
    const fitting = tests.filter(({ matches }) => matches(file) || matches(path.join(real, path.basename(file))))
    const directory = directories.findLast((one) => isWithin(file, one.path, place.platform))
    if (fitting.length === 0 || directory === undefined) continue
    const entry = found.get(directory.path) ?? { files: new Set(), patterns: new Set() }
    entry.files.add(file)
    for (const { pattern } of fitting) entry.patterns.add(pattern)
    found.set(directory.path, entry)
  }
  return [...found].map(([directory, { files, patterns }]) => {
    const listed = [...patterns].map((pattern) => JSON.stringify(pattern)).join(", ")
    const count = files.size === 1 ? "one rule" : `${files.size} rules`
    const reason = `is listed in "instructions" of opencode.json too (${listed}), so OpenCode sends ${count} of it with every request, and each that matches arrives twice`
    const remedy = 'Take that out of "instructions": the plugin delivers these rules when they match'
    return fileProblem(directory, "warning", "also-instructions", reason, remedy)
  })
}

function realFolder(folder: string): Promise<string> {
  return fileGate.pass(folder, true, () => realpath(folder)).catch(() => folder)
}

/**
 * What one entry means to OpenCode (measured on 1.18.33): `~/` is the home folder; of an absolute path only the last part is a pattern;
 * a relative one is looked for from the host's folder and from each one above it up to the root of the repository.
 */
async function matcherOf(pattern: string, { home, directory, worktree }: InstructionPlace, path: typeof posix) {
  const expanded = pattern.startsWith("~/") ? path.join(home, pattern.slice(2)) : pattern
  if (path.isAbsolute(expanded)) {
    const isName = textTest(path.basename(expanded))
    const folder = path.dirname(path.normalize(expanded))
    const folders = [folder, await realFolder(folder)]
    return (file: string) =>
      folders.some((one) => path.relative(one, path.dirname(file)) === "") && isName(path.basename(file))
  }
  const bases = projectFolders({ directory, worktree }, path)
  const each = bases.map((folder) => relativeMatcher(expanded, folder, path))
  return (file: string) => each.some((matches) => matches(file))
}

function relativeMatcher(pattern: string, folder: string, path: typeof posix): (file: string) => boolean {
  const segments = pattern.split("/")
  const start = segments.findIndex((segment) => segment !== "." && segment !== "..")
  const base = path.join(folder, ...segments.slice(0, start))
  const matches = textTest(segments.slice(start).join("/"))
  return (file) => {
    const way = path.relative(base, file).replaceAll(path.sep, "/")
    return !way.startsWith("../") && !path.isAbsolute(way) && matches(way)
  }
}

/** The library refuses a glob that is empty or longer than 64 K characters: neither names a file. */
function textTest(glob: string): (text: string) => boolean {
  try {
    return picomatch(glob, { dot: true })
  } catch {
    return () => false
  }
}
