import { describe, expect, test } from "bun:test"
import { addMarkerRule } from "./marker-rule.ts"

const rule = { "bash-guard-ask-*": "ask" }

describe("the marker's rule comes last, and the user's rules keep their order", () => {
  const rows: readonly [name: string, before: unknown, after: unknown][] = [
    ["none", undefined, { bash: rule }],
    ["one word", "ask", { "*": "ask", bash: rule }],
    ["bash in a word", { bash: "ask" }, { bash: { "*": "ask", ...rule } }],
    ["bash patterns", { bash: { "*": "ask", ls: "allow" } }, { bash: { "*": "ask", ls: "allow", ...rule } }],
    ["no bash", { edit: "deny" }, { edit: "deny", bash: rule }],
    ["wildcard before", { "*": "deny", bash: "ask" }, { "*": "deny", bash: { "*": "ask", ...rule } }],
    ["wildcard behind", { bash: "ask", "*": "allow" }, { bash: "ask", "*": "allow", "bash*": rule }],
  ]
  for (const [name, before, after] of rows) {
    test(name, () => {
      const config: Record<string, unknown> = before === undefined ? {} : { permission: before }
      addMarkerRule(config)
      expect(JSON.stringify(config["permission"])).toBe(JSON.stringify(after))
    })
  }
})

test("agents with permissions of their own get it too, others are left alone", () => {
  const config = { agent: { a: { permission: { bash: "allow" } }, b: { mode: "primary" } } }
  addMarkerRule(config)
  expect(config.agent as unknown).toEqual({
    a: { permission: { bash: { "*": "allow", ...rule } } },
    b: { mode: "primary" },
  })
})

test("a config of another shape is left alone", () => {
  for (const config of [undefined, null, "x", [], { permission: 3 }, { permission: [], agent: "x" }]) {
    expect(() => addMarkerRule(config)).not.toThrow()
  }
})
