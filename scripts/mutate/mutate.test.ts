import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { cp, mkdtemp, readdir, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../install.ts"
import { freshRuns } from "./fresh.ts"
import { runJob } from "./job.ts"
import { collectTests, measure, testFilesOf } from "./measure.ts"
import { listMutants, type Mutant } from "./mutants.ts"
import { playMutants } from "./play-mutants.ts"
import { sample } from "./sample.ts"
import { acceptedSurvivors, isAccepted, scoreOf } from "./score.ts"
import { switchedSources } from "./switched.ts"
import { refusedMutants } from "./types.ts"

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

describe("a package whose tests look at some of it", () => {
  const source = "packages/p/src/a.ts"
  const text = `
export const FIRST = [1]
export const sum = (a: number, b: number) => a + b
export const count = (most: number) => { let n = 0; while (n < most) n += 1; return n }
let kept: number | undefined
export const keep = (most: number) => (kept ??= most * 2)
export const unseen = (a: number) => a * 3
if (process.argv[2]) console.log(sum(2, 3))
`
  const tests = {
    "packages/p/src/a.test.ts": `
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { count, FIRST, keep, sum } from "./a.ts"
let isReady = false
let each = 0
beforeAll(() => { isReady = true })
afterAll(() => { isReady = false })
describe("group", () => {
  beforeEach(() => { each += 1 })
  test.each([[2, 2], [0, 0]])("counts to %d", (most, n) => expect(count(most)).toBe(n))
  test("is prepared", () => expect([isReady, each > 0]).toEqual([true, true]))
})
test("sums nothing", () => expect(sum(2, 0)).toBe(2))
test("keeps", () => expect(keep(2)).toBe(4))
test("first", () => expect(FIRST).toEqual([1]))
test.if(false)("is left out", () => expect(1).toBe(2))
test.if(false).each([1])("are left out", () => expect(1).toBe(2))
test.if(true).each([1])("is there", (one) => expect(one).toBe(1))
`,
    "packages/p/test/out.test.ts": `
import { expect, test } from "bun:test"
const run = () => Bun.spawnSync([process.execPath, "${source}", "x"]).stdout.toString()
test("sums in a process of its own", () => expect(run()).toBe("5\\n"))
test("is red by itself", () => expect(1).toBe(2))
`,
  }
  let mutants: readonly Mutant[] = []
  const idOf = (replacement: string) => mutants.find((mutant) => mutant.replacement === replacement)?.id ?? ""

  beforeAll(async () => {
    for (const file of ["collect.ts", "job.ts", "play.ts", "switched.ts"]) {
      await Bun.write(join(sandbox, "scripts/mutate", file), await Bun.file(join(import.meta.dir, file)).text())
    }
    for (const [path, code] of Object.entries(tests)) await Bun.write(join(sandbox, path), code)
    const listed = await listMutants([{ path: source, text }])
    mutants = listed.mutants
    for (const { path, text: code } of switchedSources(listed.instrumented)) await Bun.write(join(sandbox, path), code)
  })

  test("tests notice a mutant in the process that plays all of them, in one that a test starts, and in one of their own", async () => {
    const undo = await collectTests(sandbox, "p")
    const measurement = await measure(sandbox, testFilesOf(sandbox, "p"))
    expect(measurement.tests.map(({ name }) => name.split(" > ").slice(1).join(" > "))).toEqual([
      "group > counts to %d",
      "group > counts to %d (2)",
      "group > is prepared",
      "sums nothing",
      "keeps",
      "first",
      "is there",
      "sums in a process of its own",
    ])
    const running = measurement.tests.filter(({ hits }) => hits.has(idOf("a - b"))).map(({ file }) => file)
    expect(running).toEqual([join(sandbox, "packages/p/src/a.test.ts"), join(sandbox, "packages/p/test/out.test.ts")])
    expect([...measurement.loading]).toContain(idOf("[]"))
    const noticed = await playMutants(sandbox, measurement, mutants, "worker")
    const isNoticed = (replacement: string) => noticed.has(idOf(replacement))
    expect(["a - b", "n -= 1", "n >= most", "most / 2", "a / 3", "[]"].map(isNoticed)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    await undo()
    const file = join(sandbox, "packages/p/src/a.test.ts")
    expect(await Bun.file(file).text()).toBe(tests["packages/p/src/a.test.ts"])
    const noticesFresh = freshRuns(sandbox)
    expect(await noticesFresh([file], idOf("most / 2"))).toBe(true)
    expect(await noticesFresh([file], idOf("[]"))).toBe(true)
    expect(await noticesFresh([file, join(sandbox, "packages/p/test/out.test.ts")], idOf("a / 3"))).toBe(false)
  })

  test("a job without tests that load says why", async () => {
    const testFiles = [join(sandbox, "packages/p/none.test.ts")]
    expect(await runJob(sandbox, "none", { testFiles })).toMatchObject([
      { kind: "loaded", failed: [expect.any(String)] },
    ])
  })
})

test("the compiler refuses a mutant by itself, and nothing is left of that", async () => {
  const copy = await mkdtemp(join(tmpdir(), "mutate-types-"))
  try {
    await symlink(join(root, "node_modules"), join(copy, "node_modules"), "junction")
    await cp(join(root, "tsconfig.json"), join(copy, "tsconfig.json"))
    const path = "src/a.ts"
    const text = "export const list: [number] = [1]\nexport const sum = (a: number, b: number): number => a + b\n"
    await Bun.write(join(copy, path), text)
    const { mutants } = await listMutants([{ path, text }])
    const refused = await refusedMutants(copy, mutants)
    const isRefused = (replacement: string) =>
      refused.has(mutants.find((mutant) => mutant.replacement === replacement)?.id ?? "")
    expect(["[]", "() => undefined", "a - b"].map(isRefused)).toEqual([true, false, false])
    expect(await readdir(join(copy, "src"))).toEqual(["a.ts"])
  } finally {
    await rm(copy, { recursive: true })
  }
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
