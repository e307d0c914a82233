import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { type Answer, call, calls, expectExtends, hang, held, type Lab, say, startLab, subagent } from "../src/index.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

test("a turn with one read asks the provider twice", async () => {
  const project = await lab.project({ files: { "src/main.rs": "fn main() {}\n" } })
  const session = await project.session()
  const turn = await session.prompt("look", [call("read", { filePath: project.path("src/main.rs") }), say("done")])
  expect(turn.requests).toHaveLength(2)
  expect(turn.requests[1]?.text).toContain("1: fn main() {}")
  expectExtends(turn.requests)
})

test("parallel calls come back in one next request", async () => {
  const project = await lab.project({ files: { "a.txt": "alpha\n", "b.txt": "beta\n" } })
  const session = await project.session()
  const read = (name: string) => call("read", { filePath: project.path(name) })
  const turn = await session.prompt("look", [calls(read("a.txt"), read("b.txt")), say("done")])
  expect(turn.requests[1]?.messages.slice(-2).map((message) => message.role)).toEqual(["tool", "tool"])
  expect(turn.requests[1]?.text).toContain("alpha")
  expect(turn.requests[1]?.text).toContain("beta")
})

test("a gpt-5 model patches files", async () => {
  const project = await lab.project()
  const session = await project.session()
  const patchText = "*** Begin Patch\n*** Add File: src/new.rs\n+unsafe {}\n*** End Patch"
  const script = [call("apply_patch", { patchText }), say("done")]
  const turn = await session.prompt("patch", { script, model: "gpt-5-lab" })
  expect(turn.requests[0]?.tools).toContain("apply_patch")
  expect(turn.requests[0]?.tools).not.toContain("edit")
  expect(await Bun.file(project.path("src/new.rs")).text()).toBe("unsafe {}\n")
})

test("a subagent answers from its own script", async () => {
  const project = await lab.project({ files: { "a.txt": "alpha\n" } })
  const session = await project.session()
  const child = [call("read", { filePath: project.path("a.txt") }), say("it says alpha")]
  const turn = await session.prompt("delegate", [subagent("read a.txt", child), say("done")])
  expect(turn.childRequests).toHaveLength(2)
  expect(turn.requests[1]?.text).toContain("it says alpha")
  expect(await session.children()).toHaveLength(1)
})

test("a slash command sends its template", async () => {
  const project = await lab.project({ config: { command: { greet: { template: "Say hello to $ARGUMENTS." } } } })
  const session = await project.session()
  const turn = await session.command("greet", "Ada", [say("hello")])
  expect(turn.requests[0]?.messages.at(-1)?.text).toContain("Say hello to Ada.")
})

test("a subtask command runs in a child session", async () => {
  const command = { look: { template: "Look at $ARGUMENTS.", subtask: true, agent: "general" } }
  const project = await lab.project({ config: { command } })
  const session = await project.session()
  const turn = await session.command("look", "it", { children: [say("looked")], script: [say("done")] })
  expect(turn.childRequests).toHaveLength(1)
  expect(turn.requests[0]?.conversation).toContain("looked")
})

test("summarise leaves the summary as the history", async () => {
  const project = await lab.project()
  const session = await project.session()
  await session.prompt("the first prompt", [say("one")])
  const summary = await session.summarize(say("All about the first."))
  expect(summary.requests.map((request) => request.kind)).toEqual(["summary"])
  const turn = await session.prompt("the second prompt", [say("two")])
  expect(turn.requests[0]?.conversation).toContain("All about the first.")
})

test("revert takes a prompt out of the next request", async () => {
  const project = await lab.project()
  const session = await project.session()
  await session.prompt("keep this", [say("one")])
  await session.prompt("forget this", [say("two")])
  const second = (await session.messages()).filter((message) => message.info.role === "user")[1]
  await session.revert(second?.info.id ?? "")
  const turn = await session.prompt("go on", [say("three")])
  expect(turn.requests[0]?.conversation).toContain("keep this")
  expect(turn.requests[0]?.conversation).not.toContain("forget this")
})

test("the lsp tool answers", async () => {
  const source = "export const alpha: number = 1\nexport const beta = alpha\n"
  const project = await lab.project({ files: { "a.ts": source, "tsconfig.json": "{}" }, lsp: true })
  const session = await project.session()
  const query = { operation: "hover", filePath: project.path("a.ts"), line: 2, character: 21 }
  const turn = await session.prompt("what is it", [call("lsp", query), say("done")])
  expect(turn.requests[1]?.messages.at(-1)?.text).toContain("const alpha: number")
})

test("a killed and restarted server keeps the history", async () => {
  await using own = await startLab()
  const project = await own.project()
  const first = await project.session()
  await first.prompt("remember me", [say("one")])
  await own.kill()
  await own.restart()
  const again = await project.session(first.id)
  const turn = await again.prompt("still there?", [say("two")])
  expect(turn.requests[0]?.conversation).toContain("remember me")
})

test("a turn that asks for more than its script has is an error", async () => {
  const project = await lab.project()
  const session = await project.session()
  const short = session.prompt("look", [call("glob", { pattern: "*" })])
  await expect(short).rejects.toThrow("1 request(s) more than its script has steps")
})

test("a failed expectation in a script fails the prompt", async () => {
  const project = await lab.project()
  const session = await project.session()
  const turn = session.prompt("look", (request) => {
    expect(request.tools).toContain("no such tool")
    return say("done")
  })
  await expect(turn).rejects.toThrow("no such tool")
})

test("glob and grep answer", async () => {
  const project = await lab.project({ files: { "a.txt": "alpha\n" } })
  const session = await project.session()
  const steps = [call("glob", { pattern: "*.txt" }), call("grep", { pattern: "alph" }), say("done")]
  const turn = await session.prompt("search", steps)
  expect(turn.requests[1]?.messages.at(-1)?.text).toContain("a.txt")
  expect(turn.requests[2]?.messages.at(-1)?.text).toContain("Line 1: alpha")
})

test("a held answer waits for its gate, and sessions run side by side", async () => {
  const project = await lab.project()
  const [slow, fast] = [await project.session(), await project.session()]
  const gate = Promise.withResolvers<void>()
  const waiting = slow.prompt("slow", [held(gate.promise, say("late"))])
  const quick = await fast.prompt("fast", [say("early")])
  expect(quick.requests).toHaveLength(1)
  gate.resolve()
  expect((await waiting).requests).toHaveLength(1)
})

test("a hanging turn ends by abort", async () => {
  const project = await lab.project()
  const session = await project.session()
  const arrived = Promise.withResolvers<void>()
  const hanging = (): Answer => {
    arrived.resolve()
    return hang()
  }
  const turn = session.prompt("wait", hanging)
  await arrived.promise
  await session.abort()
  expect((await turn).reply.info).toMatchObject({ error: { name: "MessageAbortedError" } })
})

test("`opencode run` works in a project's folder", async () => {
  const project = await lab.project()
  const script = lab.provider.script({ project: project.key }, [say("from the script")])
  const { stdout, code } = await lab.run(project.directory, ["run", "hello"])
  script.end()
  expect(stdout).toContain("from the script")
  expect(code).toBe(0)
})
