import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import {
  type Answer,
  call,
  calls,
  expectExtends,
  type Lab,
  type Project,
  type ProviderRequest,
  say,
  startLab,
} from "../../src/index.ts"
import { counts, openPair, playIn, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

const BODY = "Use the logger."
const REFUSING = "Never any."
const RULES = {
  "log.md": `---\nname: No logging\nglobs: "src/**/*.ts"\nforbid: ["console.log(", debugger]\n---\n${BODY}`,
  "any.md": `---\nname: No any\nglobs: "strict/**"\nhold: true\nforbid: ": any"\n---\n${REFUSING}`,
}

let lab: Lab
let project: Project
beforeAll(async () => {
  lab = await startLab()
  project = await lab.project({ rules: RULES, plugins: [RULEBOOK] })
})
afterAll(() => lab.stop())

type Call = Answer & { kind: "calls" }
const path = (file: string) => project.path(file)
const write = (file: string, content: string): Call => call("write", { filePath: path(file), content })
const read = (file: string): Call => call("read", { filePath: path(file) })
const edit = (file: string, oldString: string, newString: string, more = {}): Call =>
  call("edit", { filePath: path(file), oldString, newString, ...more })
const patch = (...lines: string[]): Call =>
  call("apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })
const onDisk = (file: string) => (existsSync(path(file)) ? readFileSync(path(file), "utf8") : undefined)

/** `file:line literal` of each notice that a request has. */
function notices({ conversation }: ProviderRequest): string[] {
  return Array.from(
    conversation.matchAll(/^"(.+)" was added to (\S+?)(?:, line (\d+))?\. This rule forbids it: take it out\.$/gm),
    ([, literal, file, line]) => `${file}:${line ?? "?"} ${literal}`,
  )
}

/** A file of ten indented lines, so that the host cuts their indentation from what it shows of a change. */
const LINES = Array.from({ length: 10 }, (_, at) => `    line${at}()\n`)
const FILE = `{\n${LINES.join("")}}\n`

test("scripted violators of every kind: each is named with its line, and nobody else", async () => {
  const files = ["src/write.ts", "src/edit.ts", "src/all.ts", "src/keep.ts", "src/edge.ts"]
  for (const file of files)
    await Bun.write(path(file), file === "src/keep.ts" ? FILE.replace("line2", "debugger") : FILE)
  await Bun.write(path("src/all.ts"), FILE.replaceAll(/line(?=[357])/g, "log.line"))
  await Bun.write(path("src/edge.ts"), FILE.replace("line4()", "console.debug(4)"))
  const session = await project.session()
  const script = [
    calls(...files.map(read)),
    // Violators, each with what is to be said of it.
    write("src/write.ts", FILE.replace("line6()", "debugger")),
    edit("src/edit.ts", "line8()", "console.log(8)\n    more()"),
    edit("src/all.ts", "log.line", "debugger.line", { replaceAll: true }),
    edit("src/edge.ts", "debug", "log"),
    write("src/new.ts", "a\nb\nconsole.log(1)\n"),
    edit("src/made.ts", "", "debugger\n"),
    // Nobody who breaks the rule.
    write("src/write.ts", FILE.replace("line6()", "debugger").replace("line1", "one")),
    edit("src/keep.ts", "debugger()\n    line3()", "line3()\n    debugger()"),
    edit("src/keep.ts", "debugger()", "debugger() // kept"),
    edit("src/keep.ts", "debugger() // kept", "gone()"),
    write("src/notes.md", "debugger"),
    call("bash", { command: "echo debugger > src/shell.ts", description: "a command" }),
    edit("src/write.ts", "nowhere", "debugger"),
    say("done"),
  ]
  const turn = await session.prompt("go", script)
  const last = turn.requests.at(-1)
  expect(last && notices(last).toSorted()).toEqual(
    [
      "src/write.ts:8 debugger",
      "src/edit.ts:10 console.log(",
      "src/all.ts:5 debugger",
      "src/edge.ts:6 console.log(",
      "src/new.ts:3 console.log(",
      "src/made.ts:1 debugger",
    ].toSorted(),
  )
  // Each in the very next request.
  expect(turn.requests.map((request) => notices(request).length)).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6])
  expect(turn.requests).toHaveLength(script.length)
  expect(counts(turn.requests.slice(1), BODY)).toEqual(Array.from({ length: script.length - 1 }, () => 1))
  expectExtends(turn.requests)
})

test("patches: file by file, with their lines; what moves, stays or goes is not new", async () => {
  for (const file of ["src/p1.ts", "src/p2.ts", "src/p3.ts"])
    await Bun.write(path(file), FILE.replace("line5()", "debugger"))
  const session = await project.session()
  const script = [
    patch(
      "*** Update File: src/p1.ts",
      "@@",
      "     line6()",
      "-    line7()",
      "+    console.log(7)",
      "*** Add File: src/p4.ts",
      "+x",
      "+debugger",
    ),
    patch("*** Update File: src/p2.ts", "@@", "     debugger", "-    line6()", "+    six()"),
    patch("*** Update File: src/p2.ts", "*** Move to: src/p5.ts", "@@", "-    debugger", "+    five()"),
    patch("*** Delete File: src/p3.ts"),
    say("done"),
  ]
  const turn = await session.prompt("go", { script, model: "gpt-5-lab" })
  expect(turn.requests.map(notices).at(-1)).toEqual(["src/p1.ts:9 console.log(", "src/p4.ts:2 debugger"])
  expect(turn.requests).toHaveLength(script.length)
  expectExtends(turn.requests)
})

test("with `hold` the call is refused, each time, before anything is written", async () => {
  const session = await project.session()
  const bad = write("strict/a.ts", "let a: any\n")
  const seen: unknown[] = []
  const step = (answer: Answer) => () => {
    seen.push(onDisk("strict/a.ts"))
    return answer
  }
  const script = [
    step(bad),
    step(bad),
    step(write("strict/a.ts", "let a: string\n")),
    step(edit("strict/a.ts", "string", "any")),
    step(edit("strict/a.ts", ": string", ": any")),
    step(say("done")),
  ]
  const turn = await session.prompt("go", script)
  const good = "let a: string\n"
  expect(seen).toEqual([undefined, undefined, undefined, good, "let a: any\n", "let a: any\n"])
  const told = turn.requests
    .at(-1)
    ?.messages.flatMap(({ role, text }) => (role === "tool" && text.startsWith("Refused") ? [text] : []))
  const refused = 'Refused: *No any* forbids ": any" in strict/a.ts. Leave it out and repeat the call'
  expect(told).toEqual([`${refused}; the rule comes with the next message.`, `${refused}.`, `${refused}.`])
  // What the call itself does not show is seen when it is done.
  expect(turn.requests.map(notices).at(-1)).toEqual(["strict/a.ts:1 : any"])
  expect(counts(turn.requests, REFUSING)).toEqual([0, 1, 1, 1, 1, 1])
  expectExtends(turn.requests)
})

test("after a compaction the notice is gone and the rule is there; after a restart a notice is where it was", async () => {
  const session = await project.session()
  await session.prompt("go", [write("src/c1.ts", "debugger\n"), say("done")])
  await session.summarize(say("the summary"))
  const second = await session.prompt("on", [write("src/c2.ts", "debugger\n"), say("done")])
  expect(second.requests.map(notices)).toEqual([[], ["src/c2.ts:1 debugger"]])
  expect(counts(second.requests, BODY)).toEqual([1, 1])
  await lab.restart()
  const third = await session.prompt("and on", [write("src/c3.ts", "debugger\n"), say("done")])
  expect(third.requests.map(notices)).toEqual([
    ["src/c2.ts:1 debugger"],
    ["src/c2.ts:1 debugger", "src/c3.ts:1 debugger"],
  ])
  expect(counts(third.requests, BODY)).toEqual([1, 1])
  expectExtends([...second.requests, ...third.requests])
})

test("where nothing is broken, every request is as it is without the plugin", async () => {
  const pair = await openPair(lab, { rules: RULES, files: { "src/a.ts": "debugger\n" } })
  const runs = await playIn(pair, async (own) => {
    writeFileSync(own.path("src/a.ts"), "debugger\n")
    const session = await own.session()
    const file = { filePath: own.path("src/a.ts") }
    const turn = await session.prompt("go", [
      call("read", file),
      call("edit", { ...file, oldString: "debugger", newString: "debugger // x" }),
      call("write", { ...file, content: "one()\ndebugger\n" }),
      say("done"),
    ])
    return turn.requests
  })
  expect(runs.result.flatMap(notices)).toEqual([])
})
