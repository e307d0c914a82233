import { expect, test } from "bun:test"
import { type Facts, NO_FACTS, type ReceiptVerdict } from "@opencode-rulebook/rule-schema"
import { rulesOf } from "../../../test/support/rules.ts"
import { createVerdicts } from "./verdicts.ts"

const RULES = rulesOf({
  "always.md": "Text.",
  "both.md": "---\nagent: [build]\nbranch: [main]\n---\nText.",
  "file.md": '---\nglobs: "*.rs"\n---\nText.',
})

test("a rule's verdicts are noted when one of them, or what it saw, is another than before", () => {
  const verdicts = createVerdicts((path) => `noted ${path}`)
  const changed = (facts: Partial<Facts>, rules = RULES): Readonly<Record<string, readonly ReceiptVerdict[]>> =>
    verdicts.changed(rules, { ...NO_FACTS, ...facts })
  const agent = (met: boolean, seen: string) => ({ family: "agent", met, seen }) as const
  const branch = (met: boolean, seen: string) => ({ family: "branch", met, seen }) as const
  const file = (met: boolean) => ({ family: "file", met, ...(met && { seen: "noted a.rs" }) }) as const
  expect(changed({ agent: "build", branch: "main" })).toEqual({
    "project:both.md": [agent(true, "build"), branch(true, "main")],
    "project:file.md": [file(false)],
  })
  expect(changed({ agent: "build", branch: "main" })).toEqual({})
  expect(changed({ agent: "build", branch: "next" })).toEqual({
    "project:both.md": [agent(true, "build"), branch(false, "next")],
  })
  expect(changed({ agent: "build", branch: "other" })).toEqual({
    "project:both.md": [agent(true, "build"), branch(false, "other")],
  })
  const [, , last] = RULES
  const observed = new Map(last ? [[last.id, "a.rs"]] : [])
  expect(changed({ agent: "build", branch: "other", observed })).toEqual({ "project:file.md": [file(true)] })
  const more = [...RULES, ...rulesOf({ "new.md": "---\nci: true\n---\nText." })]
  expect(changed({ agent: "build", branch: "other", observed }, more)).toEqual({
    "project:new.md": [{ family: "ci", met: false }],
  })
})

test("what one condition saw is not taken for another's", () => {
  const verdicts = createVerdicts((path) => path)
  const changed = (agent: string, branch: string) =>
    Object.keys(verdicts.changed(RULES.slice(1, 2), { ...NO_FACTS, agent, branch }))
  expect([changed("a", "b+c"), changed("a+b", "c"), changed("a+b", "c")]).toEqual([
    ["project:both.md"],
    ["project:both.md"],
    [],
  ])
})
