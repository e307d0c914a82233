import type { SourceFile } from "./mutants.ts"

/** Set in a process that plays tests, or was started by one: it knows the active mutant. */
export const IS_PLAYING = "__isPlayingMutants"
/** Names the folder that a process that plays tests shares with the processes that its tests start. */
export const FOLDER_VARIABLE = "MUTATE_FOLDER"
/** A file in it: the id of the active mutant, or nothing. */
export const ACTIVE_FILE = "active.txt"
/** A file in it: the ids of the mutants whose code has run in processes that tests started, one a line. */
export const COVERED_FILE = "covered.txt"
/** Names the active mutant of a whole process; Stryker's instrumented code reads it. */
export const ACTIVE_VARIABLE = "__STRYKER_ACTIVE_MUTANT__"

/** Instrumented sources for the sandbox: one mutant at a time can be active in them, in whatever process they run. */
export function switchedSources(instrumented: readonly SourceFile[]): readonly SourceFile[] {
  // Without an import: tests of the architecture read those.
  const prelude = `// @ts-nocheck
if (!globalThis.${IS_PLAYING} && process.env.${FOLDER_VARIABLE}) {
  globalThis.${IS_PLAYING} = true
  const fs = process.getBuiltinModule("node:fs")
  const stryker = (globalThis.__stryker__ ??= {})
  stryker.activeMutant = fs.readFileSync(process.env.${FOLDER_VARIABLE} + "/${ACTIVE_FILE}", "utf8") || undefined
  process.on("exit", () => {
    const ids = Object.keys(stryker.mutantCoverage?.static ?? {})
    fs.appendFileSync(process.env.${FOLDER_VARIABLE} + "/${COVERED_FILE}", ids.join("\\n") + "\\n")
  })
}
`
  return instrumented.map(({ path, text }) => {
    const [first = "", ...rest] = text.split("\n")
    const lines = first.startsWith("#!") ? [first, prelude, ...rest] : [prelude, first, ...rest]
    return { path, text: lines.join("\n") }
  })
}
