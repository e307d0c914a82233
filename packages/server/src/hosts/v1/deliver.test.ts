import { describe, expect, test } from "bun:test"
import type { UserMessage } from "@opencode-ai/sdk"
import type { DurableDelivery } from "../../engine/port.ts"
import { deliveryMetadata } from "../shared/metadata.ts"
import type { Client } from "./client.ts"
import { appendedParts, createPort } from "./deliver.ts"

const RULES = ["project:a.md", "project:b.md"] as never[]
const PLACE = { kind: "message", id: "msg_1" } as const
const DELIVERY: DurableDelivery = {
  id: "d1",
  rules: RULES,
  text: "Both.",
  parts: [
    { rules: RULES.slice(0, 1), text: "A.", place: undefined },
    { rules: RULES.slice(1), text: "B.", place: PLACE },
  ],
}
const PARTS = [
  { type: "text", text: "A.", synthetic: true, metadata: deliveryMetadata({ id: "d1", rules: RULES.slice(0, 1) }) },
  {
    type: "text",
    text: "B.",
    synthetic: true,
    metadata: deliveryMetadata({ id: "d1", rules: RULES.slice(1), place: PLACE }),
  },
]
const LAB = { providerID: "lab", modelID: "plain" }

function user(id: string, settings: object = {}): UserMessage {
  return {
    id,
    sessionID: "ses_1",
    role: "user",
    time: { created: 1 },
    agent: "build",
    model: LAB,
    ...settings,
  } as UserMessage
}

/** A host with these stored messages; whatever it is asked can be made to fail. */
function startHost(
  stored: readonly UserMessage[],
  faults: Partial<Record<"message" | "messages" | "prompt", object>> = {},
  noted = {},
) {
  const bodies: unknown[] = []
  const storing = new Set<string>()
  const storingThen: string[][] = []
  const session = {
    get: async () => ({ data: noted }),
    message: async ({ path }: { path: { messageID: string } }) => {
      const info = stored.find(({ id }) => id === path.messageID)
      return faults.message ?? (info ? { data: { info, parts: [] } } : { error: {}, response: { status: 404 } })
    },
    messages: async () => faults.messages ?? { data: stored.map((info) => ({ info, parts: [] })) },
    prompt: async ({ path, body }: { path: { id: string }; body: { messageID?: string } }) => {
      storingThen.push([...storing])
      bodies.push({ ...body, sessionID: path.id })
      if (faults.prompt instanceof Error) throw faults.prompt
      return faults.prompt ?? { data: { info: { id: body.messageID ?? "msg_made" } } }
    },
  }
  const client = { session } as unknown as Client
  const port = (newest?: UserMessage) => createPort(client, (id) => (id === "ses_1" ? newest : undefined), storing)
  return { port, bodies, storing, storingThen }
}

describe("a delivery is stored", () => {
  const BODY = { sessionID: "ses_1", noReply: true, agent: "build", model: LAB, parts: PARTS }

  test("with the newest prompt that is known, by the settings that the host has stored of it", async () => {
    const all = { variant: "high", system: "Be terse.", tools: { bash: false }, format: { type: "json_schema" } }
    const { model, ...settings } = { ...user("msg_1"), model: { ...LAB, variant: all.variant } }
    const { port, bodies } = startHost([user("msg_1", { ...settings, ...all, model }), user("msg_2")])
    expect(await port(user("msg_1")).persist("ses_1", DELIVERY)).toEqual({ kind: "stored", messageID: "msg_1" })
    expect(bodies).toStrictEqual([{ ...BODY, ...all, messageID: "msg_1" }])
  })

  test("with the one of the history's that is newest, when none is known or that is not there any more", async () => {
    for (const known of [undefined, user("msg_gone")]) {
      const { port, bodies } = startHost([user("msg_1"), user("msg_2", { agent: "plan" })])
      expect(await port(known).persist("ses_1", DELIVERY)).toEqual({ kind: "stored", messageID: "msg_2" })
      expect(bodies).toStrictEqual([{ ...BODY, agent: "plan", messageID: "msg_2" }])
    }
  })

  test("with the one that is known, when the host can't show it", async () => {
    const { port, bodies } = startHost([user("msg_2")], { message: { error: {}, response: { status: 500 } } })
    await port(user("msg_1", { agent: "plan" })).persist("ses_1", DELIVERY)
    expect(bodies).toStrictEqual([{ ...BODY, agent: "plan", messageID: "msg_1" }])
  })

  test("by itself in a session without a message of the user's", async () => {
    const { port, bodies } = startHost([])
    expect(await port().persist("ses_1", DELIVERY)).toEqual({ kind: "stored", messageID: "msg_made" })
    expect(bodies).toStrictEqual([{ sessionID: "ses_1", noReply: true, parts: PARTS }])
  })

  test("without a model that its message does not name in full", async () => {
    for (const model of [undefined, { providerID: "lab" }, { modelID: "plain" }]) {
      const { port, bodies } = startHost([user("msg_1", { model })])
      await port().persist("ses_1", DELIVERY)
      expect(bodies).toStrictEqual([
        { sessionID: "ses_1", noReply: true, agent: "build", messageID: "msg_1", parts: PARTS },
      ])
    }
  })

  test("with the agent and model that the session has noted, which a prompt notes anew", async () => {
    const noted = { agent: "plan", model: { providerID: "other", id: "big", variant: "default" } }
    const { port, bodies } = startHost([user("msg_1", { model: { ...LAB, variant: "high" } })], {}, noted)
    await port().persist("ses_1", DELIVERY)
    const model = { providerID: "other", modelID: "big" }
    expect(bodies).toStrictEqual([{ ...BODY, agent: "plan", model, variant: undefined, messageID: "msg_1" }])
  })
})

test("a delivery is known to be on its way as long as it is, and no longer", async () => {
  for (const prompt of [undefined, { error: {} }, new Error("the connection was lost")]) {
    const { port, storing, storingThen } = startHost([user("msg_1")], prompt ? { prompt } : {})
    await port().persist("ses_1", DELIVERY)
    expect([storingThen, [...storing]]).toEqual([[["d1"]], []])
  }
})

test.each<[what: string, faults: Parameters<typeof startHost>[1], reason: string]>([
  [
    "the host refuses it",
    { prompt: { error: { name: "X", data: { message: "the disk is full" } } } },
    "the disk is full",
  ],
  ["the host gives no answer", { prompt: new Error("the connection was lost") }, "the connection was lost"],
  ["the history can't be read", { messages: { error: { name: "X", data: { message: "locked" } } } }, "locked"],
])("storing fails when %s", async (_what, faults, reason) => {
  const { port } = startHost([user("msg_1")], faults)
  expect(await port().persist("ses_1", DELIVERY)).toEqual({ kind: "failed", reason })
})

test.each([undefined, {}])("an answer without a message is one that it is stored: %j", async (data) => {
  const { port } = startHost([user("msg_1")], { prompt: { data } })
  expect(await port().persist("ses_1", DELIVERY)).toEqual({ kind: "stored", messageID: undefined })
})

describe("what is stored already", () => {
  const message = (id: string, role: string, ...parts: object[]) => ({ info: { id, role, summary: true }, parts })

  test("are the deliveries in the user's messages that a compaction has not hidden", async () => {
    const data = [
      message("msg_1", "user", { type: "text", text: "x" }, ...PARTS),
      message("msg_2", "user", { type: "compaction" }),
      message("msg_3", "assistant", ...PARTS),
      message("msg_4", "user", { type: "text", text: "x" }, PARTS[1] ?? {}),
    ]
    const { port } = startHost([], { messages: { data } })
    expect(await port().storedDeliveries?.("ses_1")).toEqual({
      kind: "read",
      deliveries: [{ messageID: "msg_4", part: 1, id: "d1", rules: RULES.slice(1), place: PLACE } as never],
    })
  })

  test("is not known where the history can't be read", async () => {
    const { port } = startHost([], { messages: { error: { name: "X", data: { message: "locked" } } } })
    expect(await port().storedDeliveries?.("ses_1")).toEqual({ kind: "unreadable", reason: "locked" })
  })
})

test("a delivery that goes with the user's message is parts of it, each with an id of its own, in order", () => {
  const own = { sessionID: "ses_1", messageID: "msg_1" }
  expect(appendedParts(DELIVERY, user("msg_1"), "prt_9")).toEqual([
    { ...PARTS[0], ...own, id: "prt_9" },
    { ...PARTS[1], ...own, id: "prt_91" },
  ] as never)
})
