import { join } from "node:path"
import type { SourceFile } from "./mutants.ts"

/** Where the ids of the mutants whose code has run are written, one a line; relative to the sandbox. */
export const COVERED = "covered.txt"

/**
 * Sources that write down which mutants' code runs, in whatever process or thread that is: a test may start one of its own.
 *
 * @param instrumented files as Stryker instruments them: they count in a global, `__stryker__`.
 */
export function countedSources(sandbox: string, instrumented: readonly SourceFile[]): readonly SourceFile[] {
  const file = JSON.stringify(join(sandbox, COVERED))
  const prelude = `// @ts-nocheck
import { appendFileSync as appendCovered } from "node:fs"
globalThis.__stryker__ ??= { mutantCoverage: { perTest: {}, static: new Proxy({}, { set(counts, id, count) {
  if (!(id in counts)) appendCovered(${file}, id + "\\n")
  counts[id] = count
  return true
} }) } }
`
  return instrumented.map(({ path, text }) => {
    const [first = "", ...rest] = text.split("\n")
    return { path, text: first.startsWith("#!") ? [first, prelude, ...rest].join("\n") : `${prelude}${text}` }
  })
}
