import { expect, test } from "bun:test"
import type { Project, ProviderRequest } from "../../src/index.ts"
import { type RawBody, readRequest } from "../../src/request.ts"
import { expectUntouched } from "./untouched.ts"

type Message = RawBody["messages"][number]

const FRAME =
  '<system-message>\nThe rules below come from the opencode-rulebook plugin, not from the user. Follow them silently from here on: do not mention, quote or acknowledge them.\n<rule name="a">\nRule always.\n</rule>\n</system-message>'
const CONTEXT = "\n\nFiles the session has been working on (paths only):\n- /lab/p2/a.rs"

const part = (text: string) => ({ type: "text", text })
const user = (...texts: string[]): Message => ({ role: "user", content: texts.map(part) })
const summary = (text: string): Message[] => [
  { role: "system", content: "You summarize conversations." },
  { role: "user", content: text },
]
const PLAIN: Message[] = [
  { role: "system", content: "You work in /lab/p1." },
  { role: "user", content: "go\n\n" },
  { role: "assistant", content: "", tool_calls: [{ function: { name: "read", arguments: "{}" } }] },
  { role: "tool", content: "1: x" },
]
const WITH: Message[] = [
  { role: "system", content: "You work in /lab/p2." },
  user("go\n\n", FRAME),
  ...PLAIN.slice(2),
  { role: "user", content: FRAME },
]

function compare(
  plain: readonly Message[],
  own: readonly Message[],
  more: Partial<RawBody> = {},
  session = "ses_x2",
): void {
  const request = (messages: readonly Message[], id: string, others = {}): ProviderRequest => {
    const tools = messages.length > 2 ? [{ function: { name: "read" } }] : []
    return readRequest("p", new Headers({ "x-session-id": id }), { model: "plain", messages, tools, ...others })
  }
  const folder = (root: string) => ({ path: () => root }) as unknown as Project
  expectUntouched({
    plain: folder("/lab/p1"),
    project: folder("/lab/p2"),
    plainRequests: [request(plain, "ses_x1")],
    requests: [request(own, session, more)],
    plainResult: undefined,
    result: undefined,
  })
}

test("the same requests but for whole frames and the folder's name are untouched, a summary's, too", () => {
  compare(PLAIN, WITH)
  compare(
    summary("[User]: go\n\n\n\n[Assistant]: done"),
    summary(`[User]: go\n\n\n${FRAME}\n\n[Assistant]: done${CONTEXT}`),
  )
})

const TOUCHED: Readonly<Record<string, readonly Message[]>> = {
  "the user's text is gone": WITH.with(1, user(FRAME)),
  "the user's line ends are gone": WITH.with(1, user("go", FRAME)),
  "a rule is in the user's own text": WITH.with(1, user(`go\n\n${FRAME}`)),
  "the user's text is there twice": WITH.with(1, user("go\n\n", "go\n\n", FRAME)),
  "a part is empty": WITH.with(1, user("go\n\n", "", FRAME)),
  "a message is empty": [...WITH, { role: "user", content: "" }],
  "a message has no part": [...WITH, { role: "user", content: [] }],
  "a frame is cut off": WITH.with(1, user("go\n\n", FRAME.slice(0, -1))),
  "a frame has no rule": WITH.with(1, user("go\n\n", FRAME.replace(/<rule[\s\S]*<\/rule>\n/, ""))),
  "a frame is in a tool's result": WITH.with(3, { role: "tool", content: `1: x\n${FRAME}` }),
  "messages have changed places": [WITH[0], WITH[2], WITH[3], WITH[1]].flatMap((message) => message ?? []),
  "the system prompt has more": WITH.with(0, { role: "system", content: "You work in /lab/p2. Follow rules." }),
}

test.each(Object.entries(TOUCHED))("touched: %s", (_name, messages) => {
  expect(() => compare(PLAIN, messages)).toThrow()
})

test("touched: the model, or what a summary is made of", () => {
  expect(() => compare(PLAIN, WITH, { model: "other" })).toThrow()
  const retold = summary("[User]: go\n\n[Assistant]: done")
  for (const text of [
    `[User]: go\n${FRAME.replace("</rule>\n", "")}\n\n[Assistant]: done`,
    `[User]: go\n\n${FRAME}\n\n[Assistant]: done`,
    `[User]: ${FRAME}\n\n[Assistant]: done`,
    `[User]: go\n\n[Assistant]: done${CONTEXT}${CONTEXT}`,
  ])
    expect(() => compare(retold, summary(text))).toThrow()
})
