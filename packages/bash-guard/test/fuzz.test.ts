// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { afterAll, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { readScript } from "../src/shell/read.ts"
import { positions } from "./positions.ts"
import { hasBash, openRealBash } from "./real-bash.ts"

const real = openRealBash()
afterAll(() => real.dispose())
// bash is started many times; how long that takes is the machine's affair.
setDefaultTimeout(120_000)

/** Pieces of shell syntax; joined at random they are mostly wrong, and the rest is what no one would write. */
const pieces = [
  ..."m1|m2 |m3| |\n|;|&&|&|(|)|{ |}|$(|`|'|\"|\\|#|${x:-|${x|${a[|$((|))|((|<<E\n|\nE\n|<<'E'\n|<<-E\n\t|[[ | ]]".split(
    "|",
  ),
  ..."case a in | esac|;;|if | then | fi| else |a[|]|a=|a=(|=|<(|>(|> |< |<<< |eval |bash -c |let |$'|for x in |; do |; done".split(
    "|",
  ),
  ...'! |while no1|@P}|+(|@(|$[|$|\\\n|function m4 |() |time |echo |1| -eq |~|*|?|{a,|%|##|coproc |$"|&>|2>&1|\t|\r|a+=|trap '.split(
    "|",
  ),
  "|",
  "||",
  "|&",
]
const garbage = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 9 }).map((all) => all.join(""))

test.if(hasBash)("whatever bash runs of a script without doubts was found in it", () => {
  fc.assert(
    fc.property(garbage, (script) => {
      const reading = readScript(script)
      if (reading.kind === "unreadable" || reading.doubts.length > 0) return
      const names = reading.commands.map((command) => command.words[0]?.value)
      const looked = real.lookedUp(script)
      expect(names).toEqual(expect.arrayContaining([...looked]))
    }),
    { numRuns: 4000, seed: 1 },
  )
})

test.if(hasBash)("a script is only unreadable when bash -n rejects it, whatever position stands in which", () => {
  const names = Object.keys(positions)
  const nested = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names))
  const refused = fc.sample(nested, { numRuns: 800, seed: 1 }).flatMap(([outer, inner]) => {
    const script = positions[outer]?.(positions[inner]?.("marked") ?? "") ?? ""
    // bash guesses what `$((` begins by looking for its end; the parser doesn't, and refuses what it can't tell.
    if (script.includes("$((")) return []
    return readScript(script).kind === "unreadable" && real.accepts(script) ? [script] : []
  })
  expect(refused).toEqual([])
})

test("a script that bash -n rejects is never read as nothing but plain commands", () => {
  const broken = [
    "ls &&",
    "ls |",
    "(ls",
    "ls)",
    "{ ls",
    "if ls; then",
    "for x in a; do ls",
    "case a in a) ls",
    "echo $(ls",
    "echo `ls",
    "echo 'a",
    'echo "a',
    "ls ;; m1",
    "&& ls",
    "; ls",
    "| ls",
    "f() ",
    "echo ${x",
    "echo $((1",
    "[[ -n a",
    "((1",
    "ls > ",
    "ls <<<",
    "fi",
    "done",
    "}",
    "esac",
    "then ls",
    "a=(1",
    "echo a(b)",
    "eval 'ls &&'",
    "bash -c '(ls'",
    "echo $(ls &&)",
    'echo "$(ls |)"',
  ]
  for (const script of broken) {
    const reading = readScript(script)
    if (reading.kind === "read") expect([script, reading.doubts.length]).not.toEqual([script, 0])
  }
})
