import { expect, test } from "bun:test"
import type * as clack from "@clack/prompts"
import { askChoices } from "./ask.ts"
import type { Choices, InitFlags } from "./choices.ts"

const GIVEN: Choices = {
  isGlobal: false,
  major: 1,
  plugin: "opencode-rulebook",
  rulesOf: [],
  writesRule: true,
  installsSkill: true,
}
const FLAGS: InitFlags = { rule: true, skill: true }
const CANCEL = Symbol("cancel")
const QUESTIONS = [
  "Where should the plugin work?",
  "Which OpenCode do you use?",
  "There are rules of other tools here. Use them too? (space selects)",
  "Write a first rule?",
  "Install the skill with which the agent writes rules?",
]

/** What becomes of answers, in their order, and which questions were asked. */
async function ask(answers: readonly unknown[], given: Partial<Choices> = {}, flags: Partial<InitFlags> = {}) {
  const asked: { readonly message: string; readonly options?: readonly { readonly value: unknown }[] }[] = []
  const answer = async (question: (typeof asked)[number]) => {
    asked.push(question)
    return answers[asked.length - 1]
  }
  const prompts = {
    select: answer,
    multiselect: answer,
    confirm: answer,
    isCancel: (value: unknown) => value === CANCEL,
  }
  const found = flags.rulesOf === undefined ? (["cursor", "cline"] as const) : []
  const choices = await askChoices(
    { ...GIVEN, ...given },
    { ...FLAGS, ...flags },
    found,
    prompts as unknown as typeof clack,
  )
  return {
    choices,
    asked: asked.map(({ message }) => message),
    values: asked.map(({ options }) => options?.map(({ value }) => value)),
  }
}

test("each question's answer is a choice", async () => {
  const { choices, asked, values } = await ask([true, 2, ["cline"], false, true])
  expect(choices).toEqual({ ...GIVEN, isGlobal: true, major: 2, rulesOf: ["cline"], writesRule: false })
  expect(asked).toEqual(QUESTIONS)
  expect(values).toEqual([[false, true], [1, 2], ["cursor", "cline"], undefined, undefined])
  expect((await ask([false, 1, [], true, false])).choices).toEqual({ ...GIVEN, installsSkill: false })
})

test("what the options say is not asked", async () => {
  const given = { isGlobal: true, major: 2, rulesOf: ["kiro"], writesRule: false, installsSkill: false } as const
  const all = { global: true, opencode: "2", rulesOf: "kiro", rule: false, skill: false } as const
  expect(await ask([], given, all)).toEqual({ choices: { ...GIVEN, ...given }, asked: [], values: [] })
  expect((await ask([true, true, true], given, { ...all, rule: true, skill: true })).asked).toEqual(QUESTIONS.slice(3))
})

test("where there are no rules of other tools, none are offered", async () => {
  const prompts = { select: async () => 1, confirm: async () => true, isCancel: () => false }
  const choices = await askChoices(GIVEN, FLAGS, [], prompts as unknown as typeof clack)
  expect(choices?.rulesOf).toEqual([])
})

test.each([0, 1, 2, 3, 4])("giving up at question %d gives all up", async (index) => {
  const answers = [true, 2, ["cline"], true, true].map((answer, at) => (at === index ? CANCEL : answer))
  const { choices, asked } = await ask(answers)
  expect(choices).toBeUndefined()
  expect(asked).toEqual(QUESTIONS.slice(0, index + 1))
})
