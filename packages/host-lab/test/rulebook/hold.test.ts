import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
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
  subagent,
} from "../../src/index.ts"
import { counts, openPair, type Pair, playIn, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

const UNSAFE = "Justify every unsafe block."
const RUST = "Rule for Rust."
const PUSH = "Think before you push."
const RULES = {
  "unsafe.md": `---\nname: Unsafe Rust\nglobs: "**/*.rs"\nfileContains: "unsafe {"\nhold: true\n---\n${UNSAFE}`,
  "rust.md": `---\nname: Rust\nglobs: "src/**/*.rs"\nhold: true\n---\n${RUST}`,
  "push.md": `---\nname: Push\nhooks:\n  - type: PreToolUse\n    tool: bash\n    match: push\n    block: once\n---\n${PUSH}`,
}
const HELD = "and comes with the next message. Read it and repeat the call."

let lab: Lab
let project: Project
beforeAll(async () => {
  lab = await startLab()
  project = await lab.project({ rules: RULES, plugins: [RULEBOOK], files: { "lib/old.rs": "fn old() {}\n" } })
})
afterAll(() => lab.stop())

type Call = Answer & { kind: "calls" }
const write = (file: string, content: string): Call => call("write", { filePath: project.path(file), content })
const bash = (command: string): Call => call("bash", { command, description: "a command" })
const patch = (...lines: string[]): Call =>
  call("apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") })
const onDisk = (file: string) => (existsSync(project.path(file)) ? readFileSync(project.path(file), "utf8") : undefined)

/** The results of the calls in the newest step that a request shows. */
function results({ messages }: ProviderRequest): string[] {
  const last = messages.findLastIndex(({ calls: made }) => made.length > 0)
  return messages.slice(last + 1).flatMap(({ role, text }) => (role === "tool" ? [text] : []))
}

/** A model that makes calls in their order, and repeats those that were held. */
function repeating(steps: readonly Call[], watch: (request: ProviderRequest) => void = () => undefined) {
  const left = [...steps]
  let latest: Call | undefined
  return (request: ProviderRequest): Answer => {
    watch(request)
    const held = results(request).flatMap((text, at) => (text.startsWith("Held: ") ? [at] : []))
    const again = held.flatMap((at) => latest?.calls[at] ?? [])
    latest = again.length > 0 ? { kind: "calls", calls: again } : left.shift()
    return latest ?? say("done")
  }
}

test("a held write leaves nothing on disk; the next request has the rule, and the repeated call passes", async () => {
  const session = await project.session()
  const seen: unknown[] = []
  const step = write("lib/one.rs", "unsafe { one() }\n")
  const watch = ({ conversation }: ProviderRequest) => seen.push([conversation.includes(UNSAFE), onDisk("lib/one.rs")])
  const turn = await session.prompt("go", { script: repeating([step, bash("true")], watch) })
  expect(seen).toEqual([
    [false, undefined],
    [true, undefined],
    [true, "unsafe { one() }\n"],
    [true, "unsafe { one() }\n"],
  ])
  const [, second] = turn.requests
  expect(second && results(second)).toEqual([`Held: *Unsafe Rust* applies to lib/one.rs ${HELD}`])
  expectExtends(turn.requests)
  expect(JSON.stringify(await session.messages()).split(UNSAFE)).toHaveLength(2)
})

test("several rules hold one call; parallel calls are held together, and what is beside them runs", async () => {
  const session = await project.session()
  const step = calls(write("src/two.rs", "unsafe { two() }\n"), write("two.txt", "x"), write("src/three.rs", "x"))
  const turn = await session.prompt("go", { script: repeating([step]) })
  expect(turn.requests).toHaveLength(3)
  const [, second] = turn.requests
  expect(second && results(second)).toEqual([
    "Held: *Rust* and *Unsafe Rust* apply to src/two.rs and come with the next message. Read them and repeat the call.",
    "Wrote file successfully.",
    `Held: *Rust* applies to src/three.rs ${HELD}`,
  ])
  expect(counts(turn.requests, RUST)).toEqual([0, 1, 1])
  expect(counts(turn.requests, UNSAFE)).toEqual([0, 1, 1])
  expect([onDisk("src/two.rs"), onDisk("two.txt"), onDisk("src/three.rs")]).toEqual(["unsafe { two() }\n", "x", "x"])
  expectExtends(turn.requests)
})

test("an edit is held before it changes the file; a patch of several files changes none of them", async () => {
  const before = onDisk("lib/old.rs")
  const edited = await project.session()
  const seen: unknown[] = []
  const script = repeating(
    [
      call("read", { filePath: project.path("lib/old.rs") }),
      call("edit", { filePath: project.path("lib/old.rs"), oldString: "fn old() {}", newString: "unsafe { old() }" }),
    ],
    () => seen.push(onDisk("lib/old.rs")),
  )
  const turn = await edited.prompt("go", { script })
  expect(seen).toEqual([before, before, before, "unsafe { old() }\n"])
  expect(counts(turn.requests, UNSAFE)).toEqual([0, 0, 1, 1])

  const patched = await project.session()
  const files: unknown[] = []
  const step = patch("*** Add File: four.txt", "+x", "*** Add File: lib/four.rs", "+unsafe { four() }")
  const watch = () => files.push([onDisk("four.txt"), onDisk("lib/four.rs")])
  await patched.prompt("go", { script: repeating([step], watch), model: "gpt-5-lab" })
  expect(files).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ["x\n", "unsafe { four() }\n"],
  ])
})

test("once in a session: a compaction brings the rule back by itself, and after a restart behind one it is held again", async () => {
  const session = await project.session()
  const first = await session.prompt("go", { script: repeating([write("src/five.rs", "x"), write("src/six.rs", "x")]) })
  expect(counts(first.requests, "Held: ")).toEqual([0, 1, 1, 1])
  await session.summarize(say("the summary"))
  const second = await session.prompt("on", { script: repeating([write("src/seven.rs", "x")]) })
  expect(counts(second.requests, "Held: ")).toEqual([0, 0])
  expect(counts(second.requests, RUST)).toEqual([1, 1])
  await session.summarize(say("the summary"))
  await lab.restart()
  const third = await session.prompt("and on", { script: repeating([write("src/eight.rs", "x")]) })
  expect(counts(third.requests, "Held: ")).toEqual([0, 1, 1])
  expect(counts(third.requests, RUST)).toEqual([0, 1, 1])
  expect(onDisk("src/eight.rs")).toBe("x")
})

test("block: once holds a call of any tool", async () => {
  const session = await project.session()
  const seen: unknown[] = []
  const step = bash("echo push > pushed.txt")
  const turn = await session.prompt("go", { script: repeating([step], () => seen.push(onDisk("pushed.txt"))) })
  expect(seen).toEqual([undefined, undefined, "push\n"])
  const [, second] = turn.requests
  expect(second && results(second)).toEqual([`Held: *Push* applies to this call ${HELD}`])
  expectExtends(turn.requests)
})

test("a subagent's calls are held in its own session", async () => {
  const session = await project.session()
  const child = repeating([write("src/nine.rs", "x")])
  const turn = await session.prompt("go", [subagent("write it", child), say("done")])
  expect(counts(turn.childRequests, "Held: ")).toEqual([0, 1, 1])
  expect(counts(turn.requests, RUST)).toEqual([0, 0])
})

test("where the rule is read first nothing is held, and every request is as it is without the plugin", async () => {
  const pair: Pair = await openPair(lab, { rules: RULES, files: { "src/a.rs": "unsafe { a() }\n" } })
  const runs = await playIn(pair, async (own) => {
    const session = await own.session()
    const file = { filePath: own.path("src/a.rs") }
    const edit = call("edit", { ...file, oldString: "a()", newString: "b()" })
    const turn = await session.prompt("go", [
      call("read", file),
      edit,
      call("write", { ...file, content: "x" }),
      say("done"),
    ])
    return turn.requests
  })
  expect(counts(runs.result, "Held: ")).toEqual([0, 0, 0, 0])
  expect(counts(runs.result, RUST)).toEqual([0, 1, 1, 1])
})

test("in a long turn no matching file is ever written without its rule in the request", async () => {
  const session = await project.session()
  const files = Array.from({ length: 24 }, (_, at) => (at % 3 === 0 ? `src/long${at}.rs` : `lib/long${at}.rs`))
  const unread: string[] = []
  const steps = files.map((file, at) => write(file, at % 4 === 3 ? "unsafe { x() }" : "x"))
  const watch = ({ conversation }: ProviderRequest) => {
    for (const file of files) {
      const text = onDisk(file)
      if (text === undefined) continue
      if (file.startsWith("src/") && !conversation.includes(RUST)) unread.push(file)
      if (text.includes("unsafe {") && !conversation.includes(UNSAFE)) unread.push(file)
    }
  }
  const turn = await session.prompt("go", { script: repeating(steps, watch) })
  expect(unread).toEqual([])
  // One for each write, one for each rule's hold, and the last words.
  expect(turn.requests).toHaveLength(files.length + 2 + 1)
  expect(files.filter((file) => onDisk(file) === undefined)).toEqual([])
  expectExtends(turn.requests)
})
