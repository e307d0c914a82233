import { expect, test } from "bun:test"
import { acceptedSurvivors, readReport, scoreOf } from "./report.ts"
import { sampleLines } from "./sample.ts"

const SOURCE = "const a = 1\nif (a > 0 &&\n  isOn) run()\n"

function report(...statuses: readonly string[]) {
  const mutants = statuses.map((status, id) => ({
    id: String(id),
    mutatorName: "EqualityOperator",
    replacement: "a >= 0",
    status,
    location: { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } },
  }))
  return {
    schemaVersion: "1.0",
    thresholds: { high: 80, low: 60 },
    files: { "src/a.ts": { language: "ts", source: SOURCE, mutants } },
  }
}

test("a timeout counts as killed, what no test covers as survived, and what did not run does not count", () => {
  const mutants = readReport(report("Killed", "Timeout", "Survived", "NoCoverage", "Ignored", "CompileError"))
  const { killed, survived, score } = scoreOf(mutants, [])
  expect({ killed, survived: survived.length, score }).toEqual({ killed: 2, survived: 2, score: 50 })
})

test("a mutant carries the text that it replaces, over several lines too", () => {
  expect(readReport(report("Killed"))[0]).toEqual({
    file: "src/a.ts",
    line: 2,
    original: "a > 0",
    replacement: "a >= 0",
    isKilled: true,
  })
  const long = report("Killed")
  const [mutant] = long.files["src/a.ts"].mutants
  if (mutant) mutant.location.end = { line: 3, column: 7 }
  expect(readReport(long)[0]?.original).toBe("a > 0 &&\n  isOn")
})

test("an accepted survivor does not count, and only that one", () => {
  const table =
    "| file | change | reason |\n| --- | --- | --- |\n| `src/a.ts` | `a > 0` → `a >= 0` | Zero never comes here. |\n"
  const accepted = acceptedSurvivors(table)
  expect(accepted).toEqual([{ file: "src/a.ts", original: "a > 0", replacement: "a >= 0" }])
  const mutants = readReport(report("Survived", "Killed"))
  expect(scoreOf(mutants, accepted).score).toBe(100)
  expect(scoreOf(mutants, [{ file: "src/b.ts", original: "a > 0", replacement: "a >= 0" }]).score).toBe(50)
})

test("a bar in an accepted change is escaped in the table", () => {
  const [row] = acceptedSurvivors("| `a.ts` | `a \\|\\| b` → `a` | Same. |")
  expect(row?.original).toBe("a || b")
})

test("a report of another shape is refused", () => {
  expect(() => readReport({ files: 3 })).toThrow()
})

test("a sample has lines of code only, and the same ones for the same seed", () => {
  const text = ["import a from 'a'", "", "// why", "/** what", " * it is", " */", "const a = 1", "}", "run(a)"].join(
    "\n",
  )
  const files = [{ path: "a.ts", text }]
  expect(sampleLines(files, 9, 1).toSorted()).toEqual(["a.ts:7-7", "a.ts:9-9"])
  const many = [{ path: "b.ts", text: Array.from({ length: 200 }, (_, index) => `run(${index})`).join("\n") }]
  expect(sampleLines(many, 5, 1)).toEqual(sampleLines(many, 5, 1))
  expect(sampleLines(many, 5, 1)).not.toEqual(sampleLines(many, 5, 2))
  expect(sampleLines(many, 5, 1)).toHaveLength(5)
})
