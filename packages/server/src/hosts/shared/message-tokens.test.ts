import { expect, test } from "bun:test"
import { estimateTokens } from "@opencode-rulebook/rule-schema"
import { createMessageTokens } from "./message-tokens.ts"

/** Estimates and says which messages were looked at for it. */
function counting() {
  const tokens = createMessageTokens()
  const looked: string[] = []
  const of = (id: string, text: string) =>
    tokens.tokensOf(id, text.length, () => {
      looked.push(id)
      return text
    })
  return { of, looked }
}

test("a message is estimated once, and again when its size has changed", () => {
  const { of, looked } = counting()
  const [short, long] = ["some words", "some words and some more of them"]
  expect([of("a", short), of("a", short), of("b", short), of("a", long), of("a", long)]).toEqual(
    [short, short, short, long, long].map(estimateTokens),
  )
  expect(looked).toEqual(["a", "b", "a"])
})

test("the 5,000 messages are remembered that were asked for last", () => {
  const { of, looked } = counting()
  for (const id of ["first", "second", "first"]) of(id, "x")
  for (let count = 0; count < 4_998; count += 1) of(`m${count}`, "x")
  looked.length = 0
  of("one more", "x")
  of("first", "x")
  expect(looked).toEqual(["one more"])
  of("second", "x")
  expect(looked).toEqual(["one more", "second"])
})
