import { expect, test } from "bun:test"
import { estimateTokens, ruleTokens } from "./tokens.ts"

test("a text has about as many tokens as models count", () => {
  expect(["", "Hello, world!", "Each unsafe block has a SAFETY comment."].map(estimateTokens)).toEqual([0, 4, 8])
})

test("a rule's tokens are those of its text without what is around it, and are counted once", () => {
  let reads = 0
  const rule = {
    get body() {
      reads += 1
      return `\n\n${"Each unsafe block has a SAFETY comment.\n".repeat(reads)}\n \n`
    },
  }
  expect([ruleTokens(rule), ruleTokens(rule)]).toEqual([8, 8])
  expect(ruleTokens({ body: "Hello, world!" })).toBe(4)
  expect([ruleTokens({ body: "" }), reads]).toEqual([0, 1])
})
