/**
 * A preload of `bun test`: writes the ids of the mutants whose code the test file ran, as a JSON list, into the file that
 * MUTATE_COVERAGE names. Code that Stryker has instrumented counts them in a global.
 */
import { afterAll } from "bun:test"

declare global {
  var __stryker__: { readonly mutantCoverage?: { readonly static: object } } | undefined
}

const file = process.env["MUTATE_COVERAGE"]
afterAll(async () => {
  const counters = globalThis.__stryker__?.mutantCoverage?.static ?? {}
  if (file !== undefined) await Bun.write(file, JSON.stringify(Object.keys(counters)))
})
