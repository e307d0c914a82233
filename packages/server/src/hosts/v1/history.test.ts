import { expect, test } from "bun:test"
import type { Client } from "./client.ts"
import { notedSettings } from "./client.ts"
import { afterCompaction, type V1Message } from "./history.ts"
import { createInitiator } from "./initiator.ts"

/** A history of messages with these ids; `c…` is a compaction, `s…` its summary. */
function history(ids: string, { tail, error }: { readonly tail?: string; readonly error?: object } = {}): V1Message[] {
  return ids.split(" ").map((id) => {
    const isSummary = id.startsWith("s")
    const info = { id, role: isSummary || id.startsWith("a") ? "assistant" : "user", summary: isSummary, error }
    const parts = id.startsWith("c") ? [{ type: "compaction", tail_start_id: tail }] : [{ type: "text", text: id }]
    return { info, parts } as unknown as V1Message
  })
}

const WHOLE = "u1 a1 u2 a2 c1 s1 u3"

test.each([
  ["without a compaction all of it", "u1 a1", {}, "u1 a1"],
  ["from the compaction on", WHOLE, {}, "c1 s1 u3"],
  ["from the newest one on", "u1 c1 s1 u2 c2 s2", {}, "c2 s2"],
  ["with the tail that was kept", WHOLE, { tail: "u2" }, "u2 a2 c1 s1 u3"],
  ["with a tail that is not there any more", WHOLE, { tail: "gone" }, "c1 s1 u3"],
  ["with a tail behind the compaction", WHOLE, { tail: "u3" }, "c1 s1 u3"],
  ["all of it, when the summary failed", WHOLE, { error: {} }, WHOLE],
  ["all of it, when there is no summary yet", "u1 a1 c1", {}, "u1 a1 c1"],
])("dispatches show %s", (_what, ids, settings, shown) => {
  const seen = afterCompaction(history(ids, settings))
  expect(seen.map(({ info }) => info.id).join(" ")).toBe(shown)
})

test("what stands beside the compaction in its message does not hide the tail that was kept", () => {
  const messages = history(WHOLE, { tail: "u2" }).map(({ info, parts }) => {
    return { info, parts: info.id === "c1" ? [{ type: "text", text: "x" }, ...parts] : parts } as V1Message
  })
  expect(afterCompaction(messages)[0]?.info.id).toBe("u2")
})

test.each([
  [{ agent: "plan", model: { providerID: "lab", id: "big", variant: "high" } }, "high"],
  [{ agent: "plan", model: { providerID: "lab", id: "big", variant: "default" } }, undefined],
])("the settings that a session has noted: %j", async (session, variant) => {
  const client = { session: { get: async () => ({ data: session }) } } as unknown as Client
  expect(await notedSettings(client, "ses_1")).toEqual({
    agent: "plan",
    model: { providerID: "lab", modelID: "big" },
    variant,
  })
})

test("only the turn's own request to GitHub Copilot is marked, and only behind a tool's result", () => {
  const [user, assistant] = [{ info: { role: "user" } }, { info: { role: "assistant" } }] as const
  const request = { agent: "build", model: { providerID: "github-copilot" }, message: { agent: "build" } }
  const initiator = createInitiator()
  function marked(one: typeof request): string | undefined {
    const headers: Record<string, string> = {}
    initiator.mark(one, headers)
    return headers["x-initiator"]
  }
  initiator.dispatched(assistant, user)
  expect(marked(request)).toBe("agent")
  expect(marked({ ...request, agent: "title" })).toBeUndefined()
  expect(marked({ ...request, model: { providerID: "lab" } })).toBeUndefined()
  initiator.dispatched(user, user)
  expect(marked(request)).toBeUndefined()
  initiator.dispatched(assistant, assistant)
  expect(marked(request)).toBeUndefined()
})
