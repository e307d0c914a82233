import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { estimateTokenCount } from "tokenx"
import {
  type Answer,
  call,
  expectExtends,
  type Lab,
  type Project,
  type ProviderRequest,
  say,
  startLab,
  withoutFrames,
} from "../../src/index.ts"
import { counts, RULEBOOK } from "./support.ts"

setDefaultTimeout(300_000)

const BODY = "The whole rule for Rust."
const SHORT = "Mind the rule for Rust."
const RULES = { "rust.md": `---\nname: Rust\nglobs: "**/*.rs"\nremind: 2000\nreminder: ${SHORT}\n---\n${BODY}` }

let lab: Lab
let project: Project
beforeAll(async () => {
  lab = await startLab()
  project = await lab.project({ rules: RULES, plugins: [RULEBOOK], files: { "long.txt": "some words ".repeat(1_300) } })
})
afterAll(() => lab.stop())

const write = (file: string, content = "x") => call("write", { filePath: project.path(file), content })
const NOTHING = call("bash", { command: "true", description: "nothing" })
const talk = (words: number) =>
  call("bash", { command: `yes some words | head -${words} | tr '\\n' ' '`, description: "talk" })

/** The tokens of conversation behind the newest text of the rule in a request. */
function distance({ messages }: ProviderRequest): number {
  let tokens = 0
  for (const { text, calls } of messages.toReversed()) {
    const at = Math.max(text.lastIndexOf(BODY), text.lastIndexOf(SHORT))
    const behind = at < 0 ? text : text.slice(text.indexOf("</system-message>", at) + "</system-message>".length)
    tokens += estimateTokenCount(withoutFrames(behind))
    if (at >= 0) return tokens
    for (const { tool, args } of calls) tokens += estimateTokenCount(`${tool} ${args}`)
  }
  throw new Error("the rule is not there")
}

test("a rule comes again, in short, when a file is handled and enough conversation lies behind it", async () => {
  const session = await project.session()
  const turn = await session.prompt("go", [
    write("1.rs"),
    talk(1_100),
    write("2.rs"),
    write("3.rs"),
    talk(1_100),
    call("bash", { command: "true", description: "nothing" }),
    say("done"),
  ])
  expect(counts(turn.requests, SHORT)).toEqual([0, 0, 0, 1, 1, 1, 1])
  expect(counts(turn.requests, BODY)).toEqual([0, 1, 1, 1, 1, 1, 1])
  const next = await session.prompt("on", [write("4.rs"), NOTHING, say("done")])
  expect(counts(next.requests, SHORT)).toEqual([1, 2, 2])
  expectExtends([...turn.requests, ...next.requests])
  expect(JSON.stringify(await session.messages()).split(SHORT)).toHaveLength(3)
})

test("a restart keeps it where it was, and the distance goes on from there; a fork has it, too", async () => {
  const session = await project.session()
  await session.prompt("go", [write("a.rs"), talk(1_100), write("b.rs"), NOTHING, say("done")])
  await lab.restart()
  const turn = await session.prompt("on", [write("c.rs"), talk(1_100), write("d.rs"), NOTHING, say("done")])
  expect(counts(turn.requests, SHORT)).toEqual([1, 1, 1, 2, 2])
  expect(counts(turn.requests, BODY)).toEqual([1, 1, 1, 1, 1])
  expectExtends(session.requests())
  const { data: fork } = await project.client().session.fork({ sessionID: session.id })
  const forked = await project.session(fork?.id ?? "")
  const again = await forked.prompt("go on", [say("done")])
  expect(counts(again.requests, SHORT)).toEqual([2])
  expect(counts(again.requests, BODY)).toEqual([1])
})

test("a compaction takes the reminders for good, and the rule is there again", async () => {
  const session = await project.session()
  await session.prompt("go", [write("f.rs"), talk(1_100), write("g.rs"), say("done")])
  await session.summarize(say("the summary"))
  const turn = await session.prompt("on", [write("h.rs"), talk(1_100), write("i.rs"), say("done")])
  expect(counts(turn.requests, SHORT)).toEqual([0, 0, 0, 1])
  expect(counts(turn.requests, BODY)).toEqual([1, 1, 1, 1])
})

test("in 300 steps no edit is made with more conversation behind its rule than `remind`, and no request is added", async () => {
  const session = await project.session()
  const steps = Array.from({ length: 299 }, (_, at): Answer => {
    if (at % 3 === 0) return talk((at * 53) % 350)
    return at % 3 === 1
      ? call("read", { filePath: project.path("1.rs") })
      : write("1.rs", "some words ".repeat((at * 91) % 150))
  })
  const turn = await session.prompt("go", [...steps, say("done")])
  expect(turn.requests).toHaveLength(300)
  const distances = turn.requests.flatMap((request, at) => (at > 2 && at % 3 === 2 ? [distance(request)] : []))
  expect(distances.length).toBeGreaterThan(90)
  expect(Math.max(...distances)).toBeLessThanOrEqual(2000)
  expect(counts(turn.requests, SHORT).at(-1)).toBeGreaterThan(5)
  expectExtends(turn.requests)
})
