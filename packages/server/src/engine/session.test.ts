import { expect, test } from "bun:test"
import { ROOT, rulebookOf } from "../../test/support/rules.ts"
import { createSession, type Turn, takePrompt, updateTurn } from "./session.ts"

const create = (rules: Readonly<Record<string, string>>) =>
  createSession(
    "ses_1",
    ROOT,
    async () => rulebookOf(rules),
    async () => [],
  )
const MODEL = { providerID: "anthropic", modelID: "claude" }

test("what is new of a turn makes another one of it; the rest of it stays", async () => {
  const session = await create({})
  const first = { prompt: "go", promptID: "msg_1", command: "deploy", agent: "build", model: MODEL }
  updateTurn(session, first)
  expect(session.turn).toEqual(first)
  const same = session.turn
  for (const news of [{}, first, { agent: "build" }, { model: { ...MODEL } }]) {
    updateTurn(session, news)
    expect(session.turn).toBe(same)
  }
  const changes: Partial<Turn>[] = [
    { prompt: "on" },
    { promptID: "msg_2" },
    { command: undefined },
    { agent: "plan" },
    { model: { ...MODEL, providerID: "openai" } },
    { model: { ...MODEL, modelID: "gpt" } },
    { model: undefined },
  ]
  for (const news of changes) {
    const before = session.turn
    updateTurn(session, news)
    expect(session.turn).toEqual({ ...before, ...news })
    expect(session.turn).not.toBe(before)
  }
})

test("a request answers another prompt than the one before when its text or its message is another", async () => {
  const session = await create({})
  const prompted = ([prompt, promptID]: readonly [string, string?]) =>
    takePrompt(session, { ...session.turn, prompt, promptID })
  const prompts = [["go"], ["go"], ["go", "msg_1"], ["go", "msg_1"], ["go", "msg_2"], ["on", "msg_2"]] as const
  expect(prompts.map(prompted)).toEqual([true, false, true, false, true, true])
})

test("a rule of a nested folder that the session has already is not added again", async () => {
  const files = { "a.md": "Rule a.", "ask.md": "---\nalwaysApply: false\ndescription: D\n---\nText." }
  const nested = (folder: string, ...names: (keyof typeof files)[]) => {
    const rules = rulebookOf(Object.fromEntries(names.map((name) => [name, files[name]])), "x").rules
    return { folder, rulebook: { ...rulebookOf({}), rules } }
  }
  const snapshot = { ...rulebookOf({}), nested: [nested("x", "a.md"), nested("y", "a.md", "ask.md")] }
  const session = await createSession(
    "ses_1",
    ROOT,
    async () => snapshot,
    async () => [],
  )
  expect(session.deliverable.map(({ id }): string => id)).toEqual(["project:x/a.md", "project:x/ask.md", "index:y"])
  expect(session.rules.map(({ id }): string => id)).toEqual(["project:x/a.md", "project:x/ask.md"])
  expect(session.nested).toEqual(["x", "y"])
})

test("of its rules a session knows which need what", async () => {
  const session = await create({
    "always.md": "Text.",
    "one.md": "---\nmatch: all\nkeywords: [a]\n---\nText.",
    "all.md": "---\nmatch: all\nkeywords: [a]\nagent: [build]\n---\nText.",
    "any.md": "---\nkeywords: [a]\nbranch: [main]\n---\nText.",
    "hook.md": "---\nhooks: [{ type: PreToolUse, tool: bash }]\n---\nText.",
  })
  const names = (rules: typeof session.rules) => rules.map(({ name }) => name)
  expect(names(session.rulesNeedingAll)).toEqual(["all"])
  expect(names(session.transientRules)).toEqual(["all", "any"])
  expect(names(session.hookedRules)).toEqual(["hook"])
  expect([...session.declared].toSorted()).toEqual(["agent", "branch", "keywords"])
})
