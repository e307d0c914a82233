import { join } from "node:path"
import type { SourceFile } from "./mutants.ts"

/** Where the ids of the mutants whose code has run are written, one a line; relative to the sandbox. */
export const COVERED = "covered.txt"

/** How instrumented code counts that mutants' code runs, and how it asks whether a mutant is active. None is while tests are measured. */
const COUNTING = /stryCov_9fa48\(("\d[^)]*)\)/g
const ASKING = /stryMutAct_9fa48\("\d+"\)/g

/**
 * Sources that write down which mutants' code runs, in whatever process or thread that is: a test may start one of its own.
 *
 * @param instrumented files as Stryker instruments them.
 * @param chosen ids of the mutants that matter: what is counted takes time.
 */
export function countedSources(
  sandbox: string,
  instrumented: readonly SourceFile[],
  chosen: ReadonlySet<string>,
): readonly SourceFile[] {
  const file = JSON.stringify(join(sandbox, COVERED))
  // Without an import: tests of the architecture read those.
  const prelude = `// @ts-nocheck
globalThis.__covered ??= ((seen) => function () {
  for (let index = 0; index < arguments.length; index += 1) {
    const id = arguments[index]
    if (seen[id]) continue
    seen[id] = true
    process.getBuiltinModule("node:fs").appendFileSync(${file}, id + "\\n")
  }
})({})
`
  const counting = (_: string, ids: string) => {
    const kept = ids.split(/,\s*/).filter((id) => chosen.has(id.slice(1, -1)))
    return kept.length === 0 ? "0" : `globalThis.__covered(${kept.join(", ")})`
  }
  return instrumented.map(({ path, text }) => {
    const [first = "", ...rest] = text.replaceAll(ASKING, "false").replaceAll(COUNTING, counting).split("\n")
    const lines = first.startsWith("#!") ? [first, prelude, ...rest] : [prelude, first, ...rest]
    return { path, text: lines.join("\n") }
  })
}
