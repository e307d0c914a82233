import { expect, test } from "bun:test"
import type { SessionHistory, Step } from "../receipts/history.ts"
import { createShown, MOST_SHOWN } from "./shown.ts"

type Happened = Partial<Record<"arrived" | "left" | "stopped" | "forbidden" | "followed", number>>

/** A session of so many requests and rules; with the first request so much happened. */
function session(id: string, requests: number, rules = 0, happened: Happened = {}): SessionHistory {
  const step = (own: Happened) =>
    Object.fromEntries(
      (["arrived", "left", "stopped", "forbidden", "followed"] as const).map((kind) => [
        kind,
        new Array(own[kind] ?? 0),
      ]),
    ) as unknown as Step
  const steps = Array.from({ length: requests }, (_, index) => step(index === 0 ? happened : {}))
  return { id, steps, rules: { size: rules } } as unknown as SessionHistory
}

function shown(...sessions: readonly SessionHistory[]): readonly string[] {
  const { sessions: kept, keep } = createShown()
  for (const each of sessions) keep(each)
  return kept.map(({ id }) => id)
}

test("fifty sessions are shown, the first ones", () => {
  const many = Array.from({ length: MOST_SHOWN + 1 }, (_, index) => session(`${index}`, 1))
  expect(shown(...many.slice(0, 50))).toHaveLength(50)
  expect(shown(...many)).toEqual(many.slice(0, 50).map(({ id }) => id))
})

test("as many as have 40,000 things in them, the newest in any case, and none after one that was left out", () => {
  expect(shown(session("a", 39_999), session("b", 1))).toEqual(["a", "b"])
  expect(shown(session("a", 39_999), session("b", 2), session("c", 0))).toEqual(["a"])
  expect(shown(session("a", 50_000), session("b", 1))).toEqual(["a"])
})

test("requests, rules and all that happened with them count", () => {
  for (const happened of [{}, { arrived: 1 }, { left: 1 }, { stopped: 1 }, { forbidden: 1 }, { followed: 1 }]) {
    const [own] = [Object.keys(happened).length]
    const exact = session("b", 1, 2, happened)
    expect(shown(session("a", 39_997 - own), exact)).toEqual(["a", "b"])
    expect(shown(session("a", 39_998 - own), exact)).toEqual(["a"])
  }
})
