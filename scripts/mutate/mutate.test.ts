import { afterAll, expect, setDefaultTimeout, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { countedSources } from "./coverage.ts"
import { testGroups } from "./groups.ts"
import { listMutants } from "./mutants.ts"
import { sample } from "./sample.ts"
import { acceptedSurvivors, isAccepted, scoreOf } from "./score.ts"
import { isNoticed, measureTests } from "./tests.ts"

// Processes of Node and Bun are started; how long that takes is the machine's affair.
setDefaultTimeout(120_000)

const sandbox = await mkdtemp(join(tmpdir(), "mutate-test-"))
afterAll(async () => await rm(sandbox, { recursive: true, force: true }))

test("a mutant has its place, the code that it replaces and the whole changed file; wording is left out", async () => {
  const text = 'export const isOn = (count: number) =>\n  count > 0 ? "on" : "off"\n'
  const { mutants } = await listMutants([{ path: "a.ts", text }])
  const found = mutants.find(({ replacement }) => replacement === "count >= 0")
  expect(found).toMatchObject({ file: "a.ts", line: 2, original: "count > 0", text: text.replace("> 0", ">= 0") })
  expect(mutants.map(({ replacement }) => replacement)).not.toContain('""')
})

test("a mutant is noticed by the tests that run its code, in a process of their own too", async () => {
  const path = "packages/p/src/a.ts"
  const text = "export const sum = (a: number, b: number) => a + b\nif (process.argv[2]) console.log(sum(2, 3))\n"
  const { mutants, instrumented } = await listMutants([{ path, text }])
  const write = async (code: string) => await Bun.write(join(sandbox, path), code)
  const ids = new Set(mutants.map(({ id }) => id))
  await write(countedSources(sandbox, instrumented, ids)[0]?.text ?? "")
  const importing = 'import { expect, test } from "bun:test"\nimport { sum } from "../src/a.ts"\n'
  await Bun.write(join(sandbox, "packages/p/test/in.test.ts"), `${importing}test("s", () => expect(sum(2, 0)).toBe(2))`)
  await Bun.write(
    join(sandbox, "packages/p/test/out.test.ts"),
    `import { expect, test } from "bun:test"
     const run = () => Bun.spawnSync([process.execPath, "${path}", "x"]).stdout.toString()
     test("s", () => expect(run()).toBe("5\\n"))`,
  )
  const tests = await measureTests(sandbox, "p")
  const minus = mutants.find(({ replacement }) => replacement === "a - b")
  expect(tests.map(({ mutants: ids }) => ids.has(minus?.id ?? ""))).toEqual([true, true])
  const swap = async (isMutated: boolean) => await write(isMutated ? (minus?.text ?? "") : text)
  expect(await isNoticed(sandbox, tests, minus?.id ?? "", swap)).toBe(true)
  const same = async () => await write(text)
  expect(await isNoticed(sandbox, tests, minus?.id ?? "", same)).toBe(false)
})

test("the quickest tests of the changed code come first, and no others come at all", () => {
  const file = (path: string, seconds: number, ...mutants: string[]) => ({ path, seconds, mutants: new Set(mutants) })
  const files = [
    file("slow", 9, "1"),
    file("quick", 1, "1"),
    file("other", 1, "2"),
    file("next", 1, "1"),
    file("third", 3, "1"),
  ]
  const paths = testGroups(files, "1").map((group) => group.map(({ path }) => path))
  expect(paths).toEqual([["quick", "next"], ["third"], ["slow"]])
  expect(testGroups([file("slow", 9, "1")], "1")).toHaveLength(1)
})

test("a sample is spread over the list, and the same for the same seed", () => {
  const list = Array.from({ length: 200 }, (_, index) => index)
  const some = sample(list, 5, 1)
  expect(some.map((item) => Math.floor(item / 40))).toEqual([0, 1, 2, 3, 4])
  expect(sample(list, 5, 1)).toEqual(some)
  expect(sample(list, 5, 2)).not.toEqual(some)
  expect(sample([1, 2], 5, 1)).toEqual([1, 2])
})

test("an accepted survivor is that change of that file, with its bars escaped in the table", () => {
  const row = "| `src/a.ts` | `a \\|\\| b` → `a` | Same. |\n"
  const accepted = acceptedSurvivors(`| file | change | reason |\n| --- | --- | --- |\n${row}`)
  expect(accepted).toEqual([{ file: "src/a.ts", original: "a || b", replacement: "a" }])
  expect(isAccepted({ file: "src/a.ts", original: "a ||\n  b", replacement: "a" }, accepted)).toBe(true)
  expect(isAccepted({ file: "src/b.ts", original: "a || b", replacement: "a" }, accepted)).toBe(false)
})

test("the score is the part that tests noticed; what the compiler refuses and accepted survivors do not count", () => {
  expect(scoreOf(["killed", "killed", "killed", "survived", "accepted", "refused"])).toBe(75)
  expect(scoreOf(["accepted"])).toBe(100)
})
