import { expect, test } from "bun:test"
import { followEvents, readEvent } from "./events.ts"

function seenOf(...events: readonly unknown[]): readonly unknown[] {
  const seen: unknown[] = []
  const dialogs = {
    expect: () => {},
    opened: (dialog: unknown) => void seen.push(dialog),
    answered: (id: string, reply: string) => void seen.push([id, reply]),
  }
  for (const event of events) readEvent(event, dialogs, (sessionID) => sessionID === "ses_1")
  return seen
}

const data = {
  id: "per_1",
  sessionID: "ses_1",
  action: "shell",
  resources: ["npm test"],
  save: ["npm *"],
  source: { type: "tool", messageID: "m", id: "call_1" },
}
const asked = (changed: object) => ({ type: "permission.asked", data: { ...data, ...changed } })

test("a dialog has the guard's names; what it saves and what it is for may be missing", () => {
  const dialog = {
    id: "per_1",
    sessionID: "ses_1",
    permission: "bash",
    patterns: ["npm test"],
    always: ["npm *"],
    callID: "call_1",
  }
  expect(seenOf(asked({}), asked({ action: "edit" }))).toEqual([dialog, { ...dialog, permission: "edit" }])
  for (const save of [undefined, "x", [3]]) expect(seenOf(asked({ save }))).toEqual([{ ...dialog, always: [] }])
  for (const source of [undefined, "x", { id: 3 }])
    expect(seenOf(asked({ source }))).toEqual([{ ...dialog, callID: undefined }])
})

test("an answer is passed on, of whatever session", () => {
  const replied = { type: "permission.replied", data: { sessionID: "ses_2", requestID: "per_1", reply: "always" } }
  expect(seenOf(replied)).toEqual([["per_1", "always"]])
  const { requestID: _, ...without } = replied.data
  expect(seenOf({ ...replied, data: without }, { ...replied, data: { ...replied.data, reply: 1 } })).toEqual([])
})

test("sessions of other folders, other events and other shapes are nothing", () => {
  const changes = [{ id: 1 }, { sessionID: undefined }, { sessionID: "ses_2" }, { action: 3 }, { resources: "x" }]
  expect(seenOf(...changes.map(asked))).toEqual([])
  expect(
    seenOf(
      undefined,
      "x",
      {},
      { type: "permission.asked" },
      { type: "other", data: { ...data, requestID: "x", reply: "once" } },
    ),
  ).toEqual([])
})

test("events are taken until they end or fail; a host without events has none", async () => {
  async function* stream(fails: boolean) {
    yield 1
    yield 2
    if (fails) throw new Error("gone")
  }
  for (const fails of [false, true]) {
    const taken: unknown[] = []
    followEvents({ event: { subscribe: () => stream(fails) } }, (event) => void taken.push(event))
    await Bun.sleep(0)
    expect(taken).toEqual([1, 2])
  }
  followEvents({}, () => {})()
})
