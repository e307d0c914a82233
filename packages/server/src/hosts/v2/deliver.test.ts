import { expect, test } from "bun:test"
import type { DurableDelivery } from "../../engine/port.ts"
import { deliveryMetadata } from "../shared/metadata.ts"
import { createPort } from "./deliver.ts"
import type { V2Context } from "./host.ts"
import { createMessageIDs } from "./ids.ts"

const DELIVERY: DurableDelivery = {
  id: "d1",
  rules: ["project:a.md", "project:b.md"] as never[],
  text: "Both.",
  parts: [],
}

function portOf(synthetic: (input: unknown) => Promise<unknown>) {
  const lines: string[] = []
  const log = (level: string, message: string) => void lines.push(`${level} ${message}`)
  return { port: createPort({ synthetic } as unknown as V2Context["session"], log, () => 1), lines }
}

test("a delivery is admitted whole, with an id that says which rules it holds, and wakes nobody", async () => {
  const inputs: unknown[] = []
  const { port } = portOf(async (input) => void inputs.push(input))
  const nextID = createMessageIDs(() => 1)
  const ids = [nextID(DELIVERY.rules), nextID(DELIVERY.rules)]
  expect(await port.persist("ses_1", DELIVERY)).toEqual({ kind: "stored", messageID: ids[0] })
  expect(await port.persist("ses_1", DELIVERY)).toEqual({ kind: "stored", messageID: ids[1] })
  const input = { sessionID: "ses_1", text: "Both.", description: "Rules delivered: 2", resume: false }
  expect(inputs).toEqual(ids.map((id) => ({ ...input, id, metadata: deliveryMetadata(DELIVERY) })))
})

test("an attempt without an answer stays open, under the id that a dispatch would show", async () => {
  const { port } = portOf(() => Promise.reject(new Error("the connection was lost")))
  const messageID = createMessageIDs(() => 1)(DELIVERY.rules)
  expect(await port.persist("ses_1", DELIVERY)).toEqual({ kind: "open", messageID, reason: "the connection was lost" })
})

test("a delivery holds twelve rules at most, and the log is the plugin's own", () => {
  const { port, lines } = portOf(async () => undefined)
  port.log("warn", "a warning")
  expect([port.mostRules, lines, port.storedDeliveries]).toEqual([12, ["warn a warning"], undefined])
})
