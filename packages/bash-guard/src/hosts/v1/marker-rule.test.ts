import { describe, expect, test } from "bun:test"
import { addMarkerRule } from "./marker-rule.ts"

const rule = { "bash-guard-ask-*": "ask" }

describe("the marker's rule comes last, and the user's rules keep their order", () => {
  const rows: readonly [name: string, before: unknown, after: unknown][] = [
    ["none", undefined, undefined],
    ["one word", "ask", { "*": "ask", bash: rule }],
    ["bash in a word", { bash: "ask" }, { bash: { "*": "ask", ...rule } }],
    ["bash patterns", { bash: { "*": "ask", ls: "allow" } }, { bash: { "*": "ask", ls: "allow", ...rule } }],
    ["no bash", { edit: "deny" }, { edit: "deny" }],
    ["a wildcard only", { "*": "ask", edit: "deny" }, { "*": "ask", edit: "deny", bash: rule }],
    ["wildcard before", { "*": "deny", bash: "ask" }, { "*": "deny", bash: { "*": "ask", ...rule } }],
    ["wildcard behind", { bash: "ask", "*": "allow" }, { bash: "ask", "*": "allow", "bash*": rule }],
    ["another wildcard behind", { bash: "ask", "ba?h": "allow" }, { bash: "ask", "ba?h": "allow", "bash*": rule }],
    [
      "a wildcard for others behind",
      { bash: "ask", "mcp_*": "deny" },
      { bash: { "*": "ask", ...rule }, "mcp_*": "deny" },
    ],
    ["denied in a word", "deny", "deny"],
    ["bash denied", { bash: "deny" }, { bash: "deny" }],
    ["bash denied at last", { bash: { ls: "ask", "*": "deny" } }, { bash: { ls: "ask", "*": "deny" } }],
    ["everything denied at last", { bash: "ask", "*": "deny" }, { bash: "ask", "*": "deny" }],
    ["bash denied but for some", { bash: { "*": "deny", ls: "ask" } }, { bash: { "*": "deny", ls: "ask", ...rule } }],
  ]
  for (const [name, before, after] of rows) {
    test(name, () => {
      const config: Record<string, unknown> = before === undefined ? {} : { permission: before }
      addMarkerRule(config)
      // The order of the keys is the order of the rules.
      expect(JSON.stringify(config)).toBe(JSON.stringify(after === undefined ? {} : { permission: after }))
    })
  }
})

test("agents with permissions of their own get it too, others are left alone", () => {
  const config = {
    agent: { a: { permission: { bash: "allow" } }, b: { mode: "primary" }, c: { permission: { edit: "ask" } } },
  }
  addMarkerRule(config)
  expect(config.agent as unknown).toEqual({
    a: { permission: { bash: { "*": "allow", ...rule } } },
    b: { mode: "primary" },
    c: { permission: { edit: "ask" } },
  })
})

test("a config of another shape is left alone", () => {
  for (const config of [undefined, null, "x", [], { permission: 3 }, { permission: [], agent: "x" }]) {
    const before = structuredClone(config)
    addMarkerRule(config)
    expect(config).toEqual(before)
  }
})
