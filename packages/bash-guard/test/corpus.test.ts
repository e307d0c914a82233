import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readScript } from "../src/shell/read.ts"
import { corpus } from "./corpus.ts"
import { hasBash, openRealBash } from "./real-bash.ts"

const real = openRealBash()
afterAll(() => real.dispose())
// bash is started many times; how long that takes is the machine's affair.
setDefaultTimeout(120_000)

/** Names bash finds without looking for a program. */
const builtins = new Set(
  ": . [ break builtin cd command declare echo eval exec export let printf read readonly source test trap type typeset wait".split(
    " ",
  ),
)

function namesIn(command: string): readonly string[] {
  const reading = readScript(command)
  if (reading.kind === "unreadable") throw new Error(`unreadable: ${reading.reason}`)
  const run = reading.commands.filter(({ role }) => role === "simple" || role === "wrapped")
  return unique(run.flatMap((found) => found.words.slice(0, 1).map((word) => word.value)))
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted()
}

test("the corpus is large, and no command stands in it twice", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(200)
  expect(new Set(corpus.map(([command]) => command)).size).toBe(corpus.length)
})

describe("every name in the corpus is found", () => {
  for (const [command, names] of corpus) {
    test(JSON.stringify(command), () => {
      expect(namesIn(command)).toEqual(unique(names.split(" ")))
    })
  }
})

describe.if(hasBash)("bash looks up nothing that was not found", () => {
  for (const [command, names, looked] of corpus) {
    test(JSON.stringify(command), () => {
      const functions: readonly string[] = command.match(/\b[fg](?=\(\)| \{)/g) ?? []
      const programs = unique(names.split(" ")).filter(
        (name) => !builtins.has(name) && !name.startsWith("$") && !functions.includes(name),
      )
      const seen = real.lookedUp(command).toSorted()
      if (looked === "all") expect(seen).toEqual([...programs])
      else expect(seen.filter((name) => !programs.includes(name))).toEqual([])
    })
  }
})
