import { expect, test } from "bun:test"
import { deliveryMetadata } from "../shared/metadata.ts"
import type { V2Context, V2Message } from "./host.ts"
import { createMessageIDs } from "./ids.ts"
import { createV2Session, explainMessages } from "./session.ts"

const own = createMessageIDs(() => 1)([])
const RULES = ["project:a.md"] as never[]
const STORED = [
  ...[
    { id: "user", type: "user", text: "deploy" },
    { id: "note", type: "synthetic", text: "a note" },
  ],
  ...[
    { id: "skill", type: "skill", text: "x" },
    { id: "shell", type: "shell", text: "x" },
  ],
  ...[
    { id: "other", type: "agent-switched" },
    { id: "untold", text: "x" },
  ],
  { id: "copy", type: "synthetic", text: "A rule.", metadata: deliveryMetadata({ id: "d1", rules: RULES }) },
]
const shown = (id: string | undefined, more: object = {}): V2Message => {
  return { role: "user", content: "x", ...(id === undefined ? {} : { id }), ...more }
}

/** A host that answers its questions for stored messages in turn. */
function hostOf(...answers: readonly unknown[]) {
  const asked: unknown[] = []
  const context = async (question: unknown) => {
    asked.push(question)
    return answers[asked.length - 1]
  }
  return { host: { context } as unknown as V2Context["session"], asked }
}

test("a message that nothing is known of has the host asked, once: its answer tells what is the user's and what delivers", async () => {
  const session = createV2Session()
  const { host, asked } = hostOf(STORED)
  const messages = STORED.map(({ id }) => shown(id))
  await explainMessages(session, host, "ses_1", messages)
  expect(asked).toEqual([{ sessionID: "ses_1" }])
  expect(session.deliveries).toEqual(new Map([["copy", RULES]]))
  expect(messages.filter(session.prompts.knows).map(({ id }) => id)).toEqual(["user", "note", "skill", "shell", "copy"])
  expect(session.prompts.read(messages)).toEqual({ prompt: "deploy", promptID: "user", command: undefined })
  await explainMessages(session, host, "ses_1", messages)
  expect(asked).toHaveLength(1)
})

test("nothing is asked where every message is known: the user's, the plugin's own, and those without an id", async () => {
  const { host, asked } = hostOf(STORED)
  const session = createV2Session()
  session.prompts.admitted({ id: "told", type: "shell" })
  const known = [
    shown("user", { metadata: {} }),
    shown(own),
    shown(undefined),
    shown("told"),
    shown("msg_a", { role: "assistant" }),
  ]
  await explainMessages(session, host, "ses_1", known)
  expect(asked).toEqual([])
  await explainMessages(session, host, "ses_1", [...known, shown("new")])
  expect(asked).toHaveLength(1)
})

test("a host that has no answer is asked three times, and one that has it at last is believed", async () => {
  const session = createV2Session()
  const { host, asked } = hostOf(undefined, undefined, STORED, undefined)
  for (let dispatch = 0; dispatch < 5; dispatch += 1) await explainMessages(session, host, "ses_1", [shown("new")])
  expect([asked.length, session.deliveries.size]).toEqual([3, 1])
  const silent = hostOf()
  const other = createV2Session()
  for (let dispatch = 0; dispatch < 5; dispatch += 1) await explainMessages(other, silent.host, "ses_1", [shown("new")])
  expect([silent.asked.length, other.deliveries.size]).toEqual([3, 0])
})
