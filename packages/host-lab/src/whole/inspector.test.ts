import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ProviderRequest, type RawBody, readRequest } from "../request.ts"
import { writeFiles } from "../seed.ts"
import { startInspector } from "./inspector.ts"

type Message = RawBody["messages"][number]

const PREAMBLE =
  "The rules below come from the opencode-rulebook plugin, not from the user. Follow them silently from here on: do not mention, quote or acknowledge them."
const element = (name: string, body: string) => `<rule name="${name}">\n${body}\n</rule>\n`
const frame = (...elements: string[]) => `<system-message>\n${PREAMBLE}\n${elements.join("")}</system-message>`

const DEPLOY = frame(element("deploy", "Rule for deploys.\n\nIn two paragraphs."))
const BUILD = frame(element("build", "Rule for builders."))
const RUST = frame(element("Rust", "Rule for Rust."))
const REMINDER = frame(element("Rust", "Mind Rust."))
const NOTICE = frame(
  element("Rust", '"debugger" was added to a.rs, line 2. This rule forbids it: take it out.\nMind Rust.'),
)
const FILES = {
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.\n\nIn two paragraphs.\n",
  "build.md": "---\nagent: [build]\n---\nRule for builders.",
  "rust.md":
    '\ufeff---\r\nname: "Rust"\r\nremind: 10\r\nreminder: Mind Rust.\r\nglobs: "*.rs"\r\n---\r\nRule for Rust.\r\n',
  "on-request.md": "---\ndescription: Of databases\nglobs:\n---\nRule on request.",
}

const system: Message = { role: "system", content: "You are an agent." }
const user = (...texts: string[]): Message => ({
  role: "user",
  content: texts.length === 1 ? (texts[0] ?? "") : texts.map((text) => ({ type: "text", text })),
})
const said = (content: string): Message => ({ role: "assistant", content })
const result = (content: string): Message => ({ role: "tool", content })
const called: Message = {
  role: "assistant",
  content: "",
  tool_calls: [{ function: { name: "read", arguments: "{}" } }],
}

/** A session as it should be: a prompt, a call that matches a rule, and a second prompt for another agent. */
const FIRST = [system, user("deploy  \n", DEPLOY, BUILD)]
const SECOND = [...FIRST, called, result("1: fn a() {}"), user(RUST)]
const THIRD = [system, user("deploy  \n", DEPLOY), ...SECOND.slice(2), said("done"), user("go on", REMINDER, NOTICE)]

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "host-lab-whole-"))
  await writeFiles(join(root, "projects/p1/.opencode/rules"), FILES)
})
afterAll(() => rm(root, { recursive: true, force: true }))

function requestOf(messages: readonly Message[], more: Partial<RawBody> = {}, session = "ses_1"): ProviderRequest {
  const tools = [{ function: { name: "read" } }]
  return readRequest("p1", new Headers({ "x-session-id": session }), { model: "plain", messages, tools, ...more })
}

/** What is wrong in a session of two prompts, after each of its turns; "" where nothing is. */
async function faults(
  turns: readonly (readonly ProviderRequest[])[],
  prompts = ["deploy  \n", "go on"],
): Promise<string[]> {
  const { requests, inspector } = await opened()
  const found: string[] = []
  for (const [index, turn] of turns.entries()) {
    const end = inspector.begin("ses_1", [prompts[index] ?? ""])
    requests.push(...turn)
    end(true)
    found.push(await inspector.inspect().then(() => "", String))
  }
  return found
}

async function opened(others: readonly string[] = []) {
  const requests: ProviderRequest[] = []
  const provider = { url: () => "", requests, delegated: new Set(["look around"]), script: never, stop: never }
  const inspector = startInspector(root, provider, true)
  await inspector.open({ folder: join(root, "projects/p1"), templates: { greet: "Greet $1 of $ARGUMENTS!" }, others })
  return { requests, inspector }
}

function never(): never {
  throw new Error("is not needed here")
}

test("a session whose every request is whole is let through", async () => {
  const turns = [[requestOf(FIRST), requestOf(SECOND)], [requestOf(THIRD)]]
  expect(await faults(turns)).toEqual(["", ""])
})

/** The third request with another text in place of one of its own, in the message at an index. */
function withText(index: number, from: string, to: string): Message[] {
  return THIRD.with(index, JSON.parse(JSON.stringify(THIRD[index]).replace(quoted(from), () => quoted(to))))
}

/** A text as it stands inside of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

const LAST = THIRD.length - 1
const RUST_AT = 4
const WRONG: Readonly<Record<string, readonly [fault: string, messages: readonly Message[]]>> = {
  "a prompt is lost": ["lacks a prompt", [...THIRD.slice(0, LAST), user(REMINDER, NOTICE)]],
  "a prompt is lost with all that stood beside it": ["lacks a prompt", THIRD.slice(0, LAST)],
  "the earlier prompt is lost": ["lacks a prompt", [system, user(DEPLOY), ...THIRD.slice(2)]],
  "a prompt lacks its last characters": ["nobody wrote", withText(1, "deploy  \n", "deploy")],
  "a prompt has a rule in its own text": ["not whole", THIRD.with(LAST, user(`go on\n${DEPLOY}`, REMINDER, NOTICE))],
  "a prompt is there in other words": ["nobody wrote", withText(LAST, "go on", "go off")],
  "the prompts are in another order": [
    "lacks a prompt",
    [system, user("go on", DEPLOY), ...THIRD.slice(2, LAST), user("deploy  \n")],
  ],
  "an empty frame": ["not whole", [...THIRD, user(frame())]],
  "a frame with an empty rule": ["not whole", [...THIRD, user(frame(element("deploy", "").replace("\n\n", "\n")))]],
  "an empty message": ["nobody wrote", [...THIRD, user("")]],
  "an empty part": ["nobody wrote", withText(LAST, REMINDER, "")],
  "a text that is no frame": ["nobody wrote", [...THIRD, user("Rule for deploys.")]],
  "a rule twice": ["twice", [...THIRD, user(DEPLOY)]],
  "a rule twice in one frame": [
    "twice",
    withText(1, DEPLOY, frame(element("build", "Rule for builders."), element("build", "Rule for builders."))),
  ],
  "a frame that is cut off": ["not whole", withText(LAST, NOTICE, NOTICE.slice(0, -5))],
  "a frame that begins too late": ["not whole", withText(LAST, NOTICE, NOTICE.slice(1))],
  "a frame without its preamble": ["not whole", withText(RUST_AT, `${PREAMBLE}\n`, "")],
  "a frame with something behind it": ["not whole", withText(LAST, NOTICE, `${NOTICE}\n`)],
  "a rule that is not closed": ["not whole", withText(LAST, NOTICE, NOTICE.replace("</rule>\n", ""))],
  "a rule in a rule": ["not whole", [...THIRD, user(frame(element("deploy", element("deploy", "x"))))]],
  "a rule's text that is cut off": ["its file has not", withText(RUST_AT, "Rule for Rust.", "Rule for Ru")],
  "a rule's first paragraph alone": [
    "its file has not",
    [...THIRD, user(frame(element("deploy", "Rule for deploys.")))],
  ],
  "a rule that no file has": ["its file has not", [...THIRD, user(frame(element("other", "Rule of others.")))]],
  "a rule under another's name": ["its file has not", [...THIRD, user(frame(element("deploy", "Rule for Rust.")))]],
  "a notice of other words": ["its file has not", withText(LAST, "take it out.", "leave it.")],
  "an index of other words": ["its file has not", [...THIRD, user(frame(element("Rules on request", "- a: b (c)")))]],
  "a frame in an answer": ["of the role assistant", [...THIRD.slice(0, LAST), said(RUST), ...THIRD.slice(LAST)]],
  "a frame in a tool's result": ["of the role tool", withText(3, "1: fn a() {}", `1: fn a() {}\n${RUST}`)],
  "a frame in the system prompt": [
    "of the role system",
    withText(0, "You are an agent.", `You are an agent.\n${DEPLOY}`),
  ],
  "a frame ahead of its prompt": ["ahead of the prompt", [...THIRD.slice(0, LAST), user(REMINDER, "go on", NOTICE)]],
  "a stored rule that is gone": ["does not begin with", [system, user("deploy  \n"), ...THIRD.slice(2)]],
  "a stored rule that has moved": [
    "does not begin with",
    [...THIRD.slice(0, RUST_AT), ...THIRD.slice(RUST_AT + 1), user(RUST)],
  ],
  "a call that is gone": ["does not begin with", [...THIRD.slice(0, 2), ...THIRD.slice(4)]],
  "a result in other words": ["does not begin with", withText(3, "1: fn a() {}", "1: fn b() {}")],
}

test.each(Object.entries(WRONG))("refused: %s", async (_name, [fault, messages]) => {
  expect(JSON.stringify(messages)).not.toBe(JSON.stringify(THIRD))
  const [first, second] = await faults([[requestOf(FIRST), requestOf(SECOND)], [requestOf(messages)]])
  expect([first, second]).toEqual(["", expect.stringContaining(fault)])
})

test("each turn's first request has its prompt, the first turn's among them", async () => {
  expect(await faults([[requestOf([system, user(DEPLOY, BUILD)])]])).toEqual([
    expect.stringContaining("lacks a prompt"),
  ])
  expect(await faults([[requestOf([system, user("deploy", DEPLOY)])]], ["deploy now"])).toEqual([
    expect.stringContaining("nobody wrote"),
  ])
})

const PLAN = "<system-reminder>\nPlan mode ACTIVE\n</system-reminder>\n"
const INDEX =
  "These rules are not in the conversation. Before you work on what one of them describes, read its file and follow it.\n- on-request: Of databases (.opencode/rules/on-request.md)"

test.each([
  ["reminds of the agent", [THIRD.with(LAST, user("go on", PLAN, REMINDER, NOTICE)), THIRD]],
  ["says that the steps are used up", [[...THIRD, said("CRITICAL - MAXIMUM STEPS REACHED")], THIRD]],
  ["takes the result of a call away", [THIRD, THIRD.with(3, result("[Old tool result content cleared]"))]],
  ["tells of the user's own command", [THIRD, [...THIRD, user("The following tool was executed by the user")]]],
  [
    "has the task of a subagent, and a slash command",
    [THIRD, [...THIRD, user("look around"), user("Greet Ada of all!")]],
  ],
  ["gets the index of rules on request", [THIRD, [...THIRD, user(frame(element("Rules on request", INDEX)))]]],
])("let through: OpenCode %s", async (_name, requests) => {
  const turns = [[requestOf(FIRST), requestOf(SECOND)], requests.map((messages) => requestOf(messages))]
  expect(await faults(turns)).toEqual(["", ""])
})

test("let through: a call that was aborted ends with its result all the same", async () => {
  const aborted = requestOf(SECOND.with(3, result("Tool execution aborted")))
  expect(await faults([[requestOf(FIRST), aborted], [requestOf(THIRD)]])).toEqual(["", ""])
})

const SUMMARISER: Message = { role: "system", content: "You summarize conversations." }
const retold = (text: string) =>
  requestOf([SUMMARISER, user(`[User]: deploy\n${text}\n\n[Assistant]: done`)], { tools: [] })

test("a summary is made of whole frames, and the conversation begins anew behind it", async () => {
  const behind = requestOf([system, user("What did we do so far?"), said("The summary."), user("go on", DEPLOY)])
  const turns = (summary: ProviderRequest) => [[requestOf(FIRST), summary], [behind]]
  expect(await faults(turns(retold(DEPLOY)))).toEqual(["", ""])
  const [cut] = await faults(turns(retold(DEPLOY.replace("</rule>", ""))))
  expect(cut).toContain("not whole")
  const [anew] = await faults([[requestOf(FIRST), requestOf([system, user("What did we do so far?")])]])
  expect(anew).toContain("lacks a prompt")
})

test("a conversation that is rewritten by an undo is compared with nothing before it", async () => {
  const { requests, inspector } = await opened()
  inspector.begin("ses_1", ["deploy  \n"])(true)
  requests.push(requestOf(FIRST))
  await inspector.inspect()
  inspector.rewritten("ses_1")
  inspector.begin("ses_1", ["go on"])(true)
  requests.push(requestOf([system, user("go on")]))
  expect(await inspector.inspect()).toBeUndefined()
})

test("a prompt during another is expected from the next one on, and one that the host refused never", async () => {
  const { requests, inspector } = await opened()
  const end = inspector.begin("ses_1", ["deploy  \n"])
  inspector.begin("ses_1", ["and mind the gap"])(true)
  inspector.begin("ses_1", ["not this"])(false)
  requests.push(requestOf(FIRST))
  end(true)
  expect(await inspector.inspect()).toBeUndefined()
  inspector.begin("ses_1", ["go on"])(true)
  requests.push(requestOf(THIRD))
  expect(await inspector.inspect().catch(String)).toContain('"and mind the gap"')
})

test("a person's own session may say anything, but no rule in pieces; another plugin's texts may go again", async () => {
  const { requests, inspector } = await opened(["a note"])
  requests.push(
    requestOf([system, user("typed by hand")], {}, "ses_2"),
    requestOf([system, user("a note"), user("x")], {}, "ses_2"),
  )
  expect(await inspector.inspect().catch(String)).toContain("does not begin with")
  requests.push(requestOf([system, user("typed", frame())], {}, "ses_2"))
  expect(await inspector.inspect().catch(String)).toContain("not whole")
  inspector.begin("ses_3", ["go"])(true)
  requests.push(requestOf([system, user("go", "a note")], {}, "ses_3"), requestOf([system, user("go")], {}, "ses_3"))
  expect(await inspector.inspect()).toBeUndefined()
  // What a test may have caught with something else comes up at the end.
  expect(await inspector.end().catch(String)).toContain("does not begin with")
})

test("a rule file that has changed is known as it was and as it is, also before the first request is looked at", async () => {
  const { requests, inspector } = await opened()
  inspector.begin("ses_1", ["deploy  \n"])(true)
  requests.push(requestOf(FIRST))
  await writeFiles(join(root, "projects/p1/.opencode/rules"), { "build.md": "Rule that was edited." })
  await inspector.inspect()
  inspector.begin("ses_1", ["go on"])(true)
  requests.push(requestOf([...FIRST, said("done"), user("go on", frame(element("build", "Rule that was edited.")))]))
  expect(await inspector.inspect()).toBeUndefined()
})
