import { describe, expect, test } from "bun:test"
import type { Part, UserMessage } from "@opencode-ai/sdk"
import { deliveryMetadata } from "../shared/metadata.ts"
import type { Client } from "./client.ts"
import { isOwnMessage, keepAlone } from "./own-message.ts"

const WRITTEN = { type: "text", text: "deploy" } as Part
const NOTE = { type: "text", text: "From another plugin.", synthetic: true } as Part
const FILE = { type: "file", filename: "a.ts" } as Part
const delivered = (id: string | undefined, text = "A rule.") =>
  ({ type: "text", text, synthetic: true, metadata: deliveryMetadata({ id, rules: [] }) }) as unknown as Part

test.each<[what: string, parts: Part[], isOwn: boolean]>([
  ["a delivery on its way", [delivered("on its way")], true],
  ["one behind what another plugin has put first", [NOTE, delivered("on its way")], true],
  ["one with a text that another plugin did not mark as its own", [WRITTEN, delivered("on its way")], true],
  ["one beside an older one", [delivered("older"), delivered("on its way"), WRITTEN], true],
  ["one of another copy of the plugin", [NOTE, delivered("another's")], true],
  ["a user's message", [WRITTEN], false],
  ["a user's message with a copy of a delivered part", [WRITTEN, delivered("older")], false],
  ["a user's file with a copy of a delivered part", [FILE, delivered("older")], false],
  ["a message of the host's own", [NOTE], false],
  ["a message without parts", [], false],
])("%s", (_what, parts, isOwn) => {
  expect(isOwnMessage(parts, new Set(["on its way"]))).toBe(isOwn)
})

describe("what the host stores of a delivery", () => {
  const info = (settings: object = {}) =>
    ({
      id: "msg_1",
      sessionID: "ses_1",
      role: "user",
      time: { created: 1 },
      agent: "build",
      ...settings,
    }) as UserMessage
  const announcedWith = (settings: object = {}) => ({
    message: info({ time: { created: 9 }, agent: "plan", added: "by another plugin", ...settings }),
    parts: [NOTE, delivered("1"), WRITTEN, delivered("2", "B rule.")],
  })

  async function kept(answer: unknown, known: UserMessage | undefined, settings: object = {}) {
    const asked: unknown[] = []
    const client = {
      session: {
        message: async (question: unknown) => {
          asked.push(question)
          return answer
        },
      },
    } as unknown as Client
    const output = announcedWith(settings)
    const { message, parts } = output
    await keepAlone(client, output, known)
    expect(asked).toEqual([{ path: { id: "ses_1", messageID: "msg_1" } }])
    // The host stores what it has announced; plugins behind this one get copies, so that nothing of theirs is stored.
    expect([output.message === message, output.parts === parts]).toEqual([false, false])
    expect([output.message, output.parts]).toEqual([message, parts])
    return { message, parts }
  }

  const OURS = [delivered("1"), delivered("2", "B rule.")]

  test("is its parts alone, on a message as it is stored", async () => {
    const stored = info({ summary: { title: "x" } })
    expect(await kept({ data: { info: stored } }, info({ agent: "other" }))).toStrictEqual({
      message: stored,
      parts: OURS,
    })
  })

  test("is on the message as it is known, where the host can't show it", async () => {
    expect(await kept({ error: {}, response: { status: 500 } }, info())).toStrictEqual({ message: info(), parts: OURS })
  })

  test("is on the message as it was announced, where nothing else is known of that one", async () => {
    const announced = announcedWith().message
    for (const known of [undefined, info({ id: "msg_0" })])
      expect(await kept({ error: {}, response: { status: 500 } }, known)).toStrictEqual({
        message: announced,
        parts: OURS,
      })
  })

  test("keeps the output format in the form that the host has just made of it", async () => {
    const format = { type: "json_schema", made: true }
    const stored = info({ format: { type: "json_schema" } })
    const { message } = await kept({ data: { info: stored } }, undefined, { format })
    expect(message).toStrictEqual(info({ format }))
  })

  test("has the stored output format, where the announced message has none", async () => {
    const stored = info({ format: { type: "json_schema" } })
    expect((await kept({ data: { info: stored } }, undefined)).message).toStrictEqual(stored)
  })
})
