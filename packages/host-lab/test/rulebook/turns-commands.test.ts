import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { counts, openPair, type Pair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

const RULES = {
  "slash.md": "---\ncommand: [/greet, /look]\n---\nRule with a slash.",
  "bare.md": "---\ncommand: [greet, look]\n---\nRule without a slash.",
  "other.md": "---\ncommand: [review, gree, greeting]\n---\nRule for other commands.",
  "both.md": "---\ncommand: [greet]\nkeywords: [later]\nmatch: all\n---\nRule for a later greeting.",
  "keyword.md": "---\nkeywords: [template]\n---\nRule for a keyword.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
}
const command = {
  greet: { template: "The template greets $ARGUMENTS.", agent: "plan", model: "lab/other" },
  look: { template: "The template looks at $ARGUMENTS.", subtask: true, agent: "general" },
  broken: { template: "Never sent.", model: "lab/nosuch" },
}

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, { files: { "a.rs": "fn a() {}\n" }, rules: RULES, config: { command } })
})
afterAll(() => lab.stop())

test("a slash command sets `command`, and its agent and model outlive a delivery", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.command("greet", "Ada", [call("read", { filePath: project.path("a.rs") }), say("hello")])
    return session.requests()
  })
  expect(runs.result.map(({ model }) => model)).toEqual(["other", "other"])
  for (const rule of ["Rule with a slash.", "Rule without a slash.", "Rule for a keyword."])
    expect(counts(runs.result, rule)).toEqual([1, 1])
  expect(counts(runs.result, "Rule for other commands.")).toEqual([0, 0])
  expect(counts(runs.result, "Rule for Rust.")).toEqual([0, 1])
})

test("a command is that of its own turn", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.command("greet", "Ada", [say("hello")])
    await session.prompt("later", [say("hello")])
    await session.command("greet", "Ada later", [say("hello")])
    return session.requests()
  }
  const runs = await playIn(pair, play, { rewrites: true })
  expect(counts(runs.result, "Rule with a slash.")).toEqual([1, 1, 1])
  expect(counts(runs.result, "Rule for a later greeting.")).toEqual([0, 0, 1])
})

test("text that looks like a command is none, nor is the prompt after a command that could not start", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("/greet Ada", [say("hello")])
    await expect(session.command("broken", "", [])).rejects.toThrow("OpenCode answered with an error")
    await session.prompt("hello", [say("hello")])
    return session.requests()
  })
  expect(counts(runs.result, "<system-message>")).toEqual([0, 0])
})

test("a subtask command is its turn's in the parent and in the child, which has the rules of its own prompt and files", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    const children = [call("read", { filePath: project.path("a.rs") }), say("looked")]
    const turn = await session.command("look", "it", { children, script: [say("done")] })
    await session.prompt("thanks", [say("welcome")])
    return { parent: session.requests(), child: turn.childRequests }
  })
  const { parent, child } = runs.result
  expect(counts(parent, "Rule with a slash.")).toEqual([1, 1])
  expect(counts(parent, "Rule for Rust.")).toEqual([0, 0])
  expect(counts(child, "Rule with a slash.")).toEqual([1, 1])
  expect(counts(child, "Rule for a keyword.")).toEqual([1, 1])
  expect(counts(child, "Rule for Rust.")).toEqual([0, 1])
})
