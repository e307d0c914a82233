import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { call, expectExtends, fail, type Lab, type ProviderRequest, say, startLab, subagent } from "../src/index.ts"
import { kindsOf, loggedProject, NOTE, transformsOf } from "./logging.ts"

setDefaultTimeout(180_000)

const files = { "a.txt": "alpha\n" }
const FULL = { input: 19_500, output: 20 }

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

describe("a no-reply prompt", () => {
  test.each(["tool.execute.before", "tool.execute.after"])("in %s is free and in the next dispatch", async (hook) => {
    const { project } = await loggedProject(lab, { [hook]: "note" }, { files })
    const session = await project.session()
    const turn = await session.prompt("go", [call("read", { filePath: project.path("a.txt") }), say("done")])
    expect(rolesOf(turn.requests[1])).toEqual(["user:go", "assistant:", "tool:<path>", `user:${NOTE}`])
    expectExtends(turn.requests)
  })

  test("with the same ids again is the same message in the same place", async () => {
    const { project } = await loggedProject(lab, { "tool.execute.after": "note-with-own-ids" }, { files })
    const session = await project.session()
    const read = call("read", { filePath: project.path("a.txt") })
    const turn = await session.prompt("go", [read, read, say("done")])
    const roles = ["user:go", "assistant:", "tool:<path>", `user:${NOTE}`, "assistant:", "tool:<path>"]
    expect(rolesOf(turn.requests[2])).toEqual(roles)
    expectExtends(turn.requests)
  })

  test("is stored also when the tool fails", async () => {
    const { project } = await loggedProject(lab, { "tool.execute.before": "note" })
    const session = await project.session()
    const turn = await session.prompt("go", [call("read", { filePath: project.path("none.txt") }), say("done")])
    expect(rolesOf(turn.requests[1]).at(-1)).toBe(`user:${NOTE}`)
  })

  test("outlives a restart with its metadata", async () => {
    const { project, lines } = await loggedProject(lab, { "chat.message": "part" })
    const first = await project.session()
    await first.prompt("go", [say("done")])
    await lab.restart()
    const turn = await (await project.session(first.id)).prompt("again", [say("done")])
    expect(turn.requests[0]?.conversation).toContain(`go\n${NOTE}`)
    const shown = (await lines()).findLast((line) => line.kind === "experimental.chat.messages.transform")
    expect(JSON.stringify(shown?.output)).toContain('"metadata":{"lab":{"seen":true}}')
  })
})

describe("the transform", () => {
  test("gets a fresh list each step, and what it pushes is sent as a message of its own", async () => {
    const { project, lines } = await loggedProject(lab, { "experimental.chat.messages.transform": "push" }, { files })
    const session = await project.session()
    const turn = await session.prompt("go", [call("read", { filePath: project.path("a.txt") }), say("done")])
    expect(turn.requests.map((request) => rolesOf(request).at(-1))).toEqual([`user:${NOTE}`, `user:${NOTE}`])
    expect(transformsOf(await lines())).toEqual([["user:go"], ["user:go", "assistant:tool"]])
  })

  test("is not called again when the host repeats a failed request", async () => {
    const { project, lines } = await loggedProject(lab)
    const session = await project.session()
    const turn = await session.prompt("go", [fail(500, "once"), say("done")])
    expect(turn.requests).toHaveLength(2)
    expect(transformsOf(await lines())).toHaveLength(1)
  })

  test("shows a prompt that came during a step after that step", async () => {
    const { project, lines } = await loggedProject(lab, {}, { files })
    const session = await project.session()
    const script = async (request: ProviderRequest) => {
      if (request.messages.some((message) => message.role === "tool")) return say("done")
      await session.prompt("steer", { noReply: true })
      return call("read", { filePath: project.path("a.txt") })
    }
    await session.prompt("go", script)
    expect(transformsOf(await lines()).at(-1)).toEqual(["user:go", "assistant:tool", "user:steer"])
  })
})

describe("compaction", () => {
  const interest = /^(chat\.message|experimental\..*|session\.(compacted|idle)|tool\.execute\.after)$/

  test("in mid-turn: the summary's transform follows the compacting hook, then the history is the summary", async () => {
    const { project, lines } = await loggedProject(lab, {}, { files })
    const session = await project.session()
    const script = [call("read", { filePath: project.path("a.txt") }, FULL), say("done")]
    const turn = await session.prompt("go", { script, model: "small", summary: say("the summary") })
    expect(turn.requests.map((request) => request.kind)).toEqual(["dispatch", "summary", "dispatch"])
    await project.event((event) => event.type === "session.idle")
    expect(kindsOf(await lines(), interest)).toEqual([
      "chat.message",
      "experimental.chat.messages.transform",
      "tool.execute.after",
      "experimental.session.compacting",
      "experimental.chat.messages.transform",
      "experimental.compaction.autocontinue",
      "session.compacted",
      "experimental.chat.messages.transform",
      "session.idle",
    ])
    const shown = transformsOf(await lines())
    expect(shown[1]).toEqual(["user:go", "assistant:tool"])
    expect(shown[2]?.slice(0, 2)).toEqual(["user:compaction", "assistant:the summary"])
    expect(shown[2]).toHaveLength(3)
  })

  test("on the provider's overflow error: the newest user message is stored again, without chat.message", async () => {
    const { project, lines } = await loggedProject(lab, { "chat.message": "part" })
    const session = await project.session()
    await session.prompt("first", { script: [say("done")], model: "small" })
    const overflow = fail(400, "context_length_exceeded: maximum context length is 20000 tokens")
    await session.prompt("second", { script: [overflow, say("done")], model: "small", summary: say("the summary") })
    expect(transformsOf(await lines()).at(-1)).toEqual([
      "user:compaction",
      "assistant:the summary",
      `user:second+${NOTE}`,
    ])
    expect(kindsOf(await lines(), /^chat\.message$/)).toHaveLength(2)
  })

  test("with a tail: old messages stand behind the summary", async () => {
    const { project, lines } = await loggedProject(lab, {}, { config: { compaction: { tail_turns: 1 } } })
    const session = await project.session()
    await session.prompt("first", [say("one")])
    await session.prompt("second", [say("two")])
    await session.summarize(say("the summary"))
    await session.prompt("third", [say("three")])
    expect(transformsOf(await lines()).slice(-2)).toEqual([
      ["user:first", "assistant:one"],
      ["user:compaction", "assistant:the summary", "user:second", "assistant:two", "user:third"],
    ])
  })
})

describe("revert, subagents, MCP", () => {
  test("a revert removes the messages when the next prompt comes, before its chat.message", async () => {
    const { project, lines } = await loggedProject(lab)
    const session = await project.session()
    await session.prompt("keep", [say("one")])
    await session.prompt("drop", [say("two")])
    const dropped = (await session.messages())[2]
    const before = (await lines()).length
    await session.revert(dropped?.info.id ?? "")
    await session.prompt("go on", [say("three")])
    const kinds = kindsOf((await lines()).slice(before), /^(message\.removed|chat\.message)$/)
    expect(kinds).toEqual(["message.removed", "message.removed", "chat.message"])
  })

  test("a subagent's session has its own chat.message with agent and model", async () => {
    const { project, lines } = await loggedProject(lab)
    const session = await project.session()
    await session.prompt("go", [subagent("look around", [say("looked")]), say("done")])
    const child = (await lines()).filter((line) => line.kind === "chat.message")[1]
    expect(child?.input["agent"]).toBe("general")
    expect(child?.input["model"]).toEqual({ providerID: "lab", modelID: "plain" })
  })

  test("an MCP tool is `<server>_<tool>`, and its result has another shape", async () => {
    const { project, lines } = await loggedProject(lab, {}, { mcp: ["docs-server"] })
    const session = await project.session()
    const turn = await session.prompt("go", [call("docs-server_echo", { text: "found" }), say("done")])
    expect(turn.requests[0]?.tools).toContain("docs-server_echo")
    const after = (await lines()).find((line) => line.kind === "tool.execute.after")
    expect(after?.output).toEqual({ content: [{ type: "text", text: "found" }] })
  })

  test("a throw in tool.execute.before is the tool's error", async () => {
    const { project } = await loggedProject(lab, { "tool.execute.before": "throw" }, { files })
    const session = await project.session()
    const turn = await session.prompt("go", [call("read", { filePath: project.path("a.txt") }), say("done")])
    expect(rolesOf(turn.requests[1]).at(-1)).toBe("tool:thrown by the plugin")
  })
})

/** `role:text` of the messages after the system prompt; a tool result by its first tag. */
function rolesOf(request: ProviderRequest | undefined): string[] {
  const messages = request?.messages.filter((message) => message.role !== "system") ?? []
  return messages.map((message) => `${message.role}:${message.text.replace(/(<path>)[\s\S]*/, "$1")}`)
}
