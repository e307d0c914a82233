import { expect, test } from "bun:test"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { rulesOf } from "../../../test/support/rules.ts"
import { createRuleNews } from "./rule-news.ts"

const SESSION = { sessionID: "ses_1", directory: "/home/dev/app", host: "a host", plugin: "1.2.3" }
const [A, B, C] = rulesOf({
  "a.md": "---\nname: Always\n---\nText.",
  "b.md": "---\nagent: [build]\n---\nText.",
  "c.md": "---\nhooks: [{ type: PreToolUse, tool: bash }]\n---\nText.",
}) as unknown as [ReturnType<typeof rulesOf>[0], ReturnType<typeof rulesOf>[0], ReturnType<typeof rulesOf>[0]]
const BROKEN = ["project:x.md", "project:y.md"] as RuleId[]

function described({ id, name, digest, activation }: typeof A, lifetime: "durable" | "transient") {
  return { id, name, digest: digest.slice(0, 12), lifetime, activation }
}

test("a session begins with what it has, and each time has what is new of it", () => {
  const news = createRuleNews(SESSION)
  const own = { kind: "session", ...SESSION } as const
  expect(news.take([A, B], BROKEN.slice(0, 1))).toEqual([
    { ...own, begins: true, rules: [described(A, "durable"), described(B, "transient")], broken: BROKEN.slice(0, 1) },
  ])
  expect(A.digest.length).toBeGreaterThan(12)
  expect(news.take([A, B], BROKEN.slice(0, 1))).toEqual([])
  expect(news.take([A, B, C], BROKEN.slice(0, 1))).toEqual([
    { ...own, begins: false, rules: [described(C, "durable")], broken: [] },
  ])
  expect(news.take([A, B, C], BROKEN)).toEqual([{ ...own, begins: false, rules: [], broken: BROKEN.slice(1) }])
  expect(news.take([A, B, C], BROKEN)).toEqual([])
})

test("a session without rules begins too, once", () => {
  const news = createRuleNews(SESSION)
  expect(news.take([], [])).toEqual([{ kind: "session", begins: true, ...SESSION, rules: [], broken: [] }])
  expect(news.take([], [])).toEqual([])
})
