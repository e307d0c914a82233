import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, expectExtends, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { counts, openPair, type Pair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

const MANY = Array.from({ length: 30 }, (_, index) => `r${String(index).padStart(2, "0")}`)
const RULES = {
  "always.md": "Rule always.",
  "ci.md": "---\nci: true\n---\nRule ci.",
  "keyword.md": "---\nkeywords: [deploy]\n---\nRule keyword.",
  "os.md": `---\nos: [${process.platform}]\n---\nRule os.`,
  "project.md": "---\nproject: [node]\n---\nRule project.",
  "not-ci.md": "---\nci: false\n---\nRule not.",
  "not-keyword.md": "---\nkeywords: [ploy]\n---\nRule not.",
  "not-project.md": "---\nproject: [rust]\n---\nRule not.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  ...Object.fromEntries(MANY.map((name) => [`many/${name}.md`, `---\nglobs: "*.many"\n---\nRule ${name}.`])),
}
const files = {
  "package.json": "{}",
  "a.rs": "fn a() {}\n",
  "a.many": "",
  "b.many": "",
  "c.many": "",
  "notes.txt": "Deploy by hand.\n",
}

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab({ env: { CI: "true" } })
  pair = await openPair(lab, { files, rules: RULES })
})
afterAll(() => lab.stop())

test("what the prompt, the project, os, ci or nothing matches is one block in the user's own first message", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("Deploy it", [say("done")])
    await session.prompt("deploy once more", [say("done")])
    return { requests: session.requests(), stored: await session.messages() }
  })
  const { requests, stored } = runs.result
  const user = requests[0]?.messages.filter(({ role }) => role === "user") ?? []
  expect(user).toHaveLength(1)
  expect(user[0]?.text).toStartWith("Deploy it\n<system-message>\n")
  for (const name of ["always", "ci", "keyword", "os", "project"])
    expect(counts(requests, `Rule ${name}.`)).toEqual([1, 1])
  expect(counts(requests, "Rule not.")).toEqual([0, 0])
  expect(counts(requests, "Follow them silently")).toEqual([1, 1])
  expect(stored[0]?.parts.map((part) => part.type === "text" && part.synthetic)).toEqual([undefined, true])
})

test("keywords are looked for in what the user wrote, no-reply messages included, and in nothing that the host added", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    const file = { type: "file", mime: "text/plain", filename: "notes.txt" } as const
    const parts = [{ type: "text", text: "look" } as const, { ...file, url: `file://${project.path("notes.txt")}` }]
    await session.prompt("", { parts, script: [say("done")] })
    await session.prompt("then deploy", { noReply: true })
    await session.prompt("go on", [say("done")])
    return session.requests()
  })
  expect(counts(runs.result, "Deploy by hand.")).toEqual([1, 1])
  expect(counts(runs.result, "Rule keyword.")).toEqual([0, 1])
})

test("many rules that one step matches come as one block with one preamble", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    const reads = ["a", "b", "c"].map((name) => call("read", { filePath: project.path(`${name}.many`) }))
    return (await session.prompt("look", [calls(...reads), say("done")])).requests
  })
  const [, second] = runs.result
  const block = second?.messages.at(-1)?.text ?? ""
  expect(Array.from(block.matchAll(/Rule (r\d+)\./g), ([, name]) => name)).toEqual(MANY)
  expect(counts(runs.result, "Follow them silently")).toEqual([1, 2])
})

const FORMAT = {
  type: "json_schema",
  schema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
} as const
const answer = call("StructuredOutput", { a: "x" })

test.each([
  ["agent", { agent: "plan" }, say("done")],
  ["model", { model: "other" }, say("done")],
  ["variant", { variant: "high" }, say("done")],
  ["system", { system: "Be terse." }, say("done")],
  ["tools", { tools: { webfetch: false, task: false } }, say("done")],
  ["format", { format: FORMAT }, answer],
  ["everything", { model: "other", system: "Be terse.", tools: { webfetch: false }, format: FORMAT }, answer],
] as const)("%s of the turn outlives a delivery in it", async (_name, settings, last) => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    const read = call("read", { filePath: project.path("a.rs") })
    await session.prompt("look", { ...settings, script: [read, read, last] })
    return session.requests()
  })
  expect(counts(runs.result, "Rule for Rust.")).toEqual([0, 1, 1])
})

test("the host's reminder of the agent stays on the prompt when a delivery is newer", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const read = (name: string) => call("read", { filePath: project.path(name) })
    const planned = await session.prompt("plan", { agent: "plan", script: [read("a.rs"), read("a.rs"), say("done")] })
    const built = await session.prompt("build", [read("a.many"), read("a.many"), say("done")])
    for (const { requests } of [planned, built]) expectExtends(requests)
    return session.requests()
  }
  const runs = await playIn(pair, play, { rewrites: true })
  expect(counts(runs.result, "Rule for Rust.")).toEqual([0, 1, 1, 1, 1, 1])
  expect(counts(runs.result, "Plan mode ACTIVE")).toEqual([1, 1, 1, 0, 0, 0])
})
