import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { shown } from "../../../test/support/engine.ts"
import { createStores } from "./stores.ts"

const [A, B, AGAIN] = ["project:a.md", "project:b.md", "again:2:project:a.md"] as RuleId[] as [RuleId, RuleId, RuleId]

test("each attempt is noted with its rules, once for a rule and its reminder", () => {
  const stores = createStores()
  expect(stores.ended([A, AGAIN, B], "stored")).toEqual([{ kind: "store", rules: [A, B], outcome: "stored" }])
  expect(stores.ended([B], "retry")).toEqual([{ kind: "store", rules: [B], outcome: "retry" }])
})

test("what was not confirmed and a request shows all the same is stored, once", () => {
  const stores = createStores()
  stores.ended([A, B, AGAIN], "retry")
  expect(stores.shown(shown(["m1"]))).toEqual([])
  expect(stores.shown(shown(["m1", "m2"], { m1: [AGAIN], m2: [B] }))).toEqual([
    { kind: "store", rules: [B, A], outcome: "stored" },
  ])
  expect(stores.shown(shown(["m1", "m2"], { m1: [AGAIN], m2: [B] }))).toEqual([])
  stores.ended([A], "stored")
  expect(stores.shown(shown(["m1"], { m1: [A] }))).toEqual([])
})

test("where nothing was retried, the history is not looked at", () => {
  const unread = {
    messages: [],
    get deliveries() {
      return expect.unreachable()
    },
  }
  expect(createStores().shown(unread)).toEqual([])
})
