import { expect, test } from "bun:test"
import { createTurns } from "./turns.ts"

/** Of each call, whether its turn is over and whether it is of an earlier prompt. */
function told(turns: ReturnType<typeof createTurns>, ...calls: readonly string[]) {
  return calls.map((call) => [turns.isOver(call), turns.isEarlier(call)])
}

test("a call belongs to the turn and to the prompt in which it began; one whose start was not seen to those that run", () => {
  const turns = createTurns()
  turns.callStarted("a")
  expect(told(turns, "a", "unseen")).toEqual([
    [false, false],
    [false, false],
  ])
  turns.prompted()
  turns.callStarted("b")
  expect(told(turns, "a", "b", "unseen")).toEqual([
    [false, true],
    [false, false],
    [false, false],
  ])
  turns.ended()
  turns.callStarted("c")
  expect(told(turns, "a", "b", "c", "unseen")).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [false, false],
  ])
})

test("a call id that comes again is the newest call's", () => {
  const turns = createTurns()
  turns.callStarted("a")
  turns.ended()
  turns.prompted()
  turns.callStarted("a")
  expect(told(turns, "a")).toEqual([[false, false]])
})

test("no turn runs from its end to the next request", () => {
  const turns = createTurns()
  const seen = [turns.isIdle()]
  for (const step of ["ended", "prompted", "dispatching", "ended"] as const) {
    turns[step]()
    seen.push(turns.isIdle())
  }
  expect(seen).toEqual([false, true, true, false, true])
})

test("the 500 calls that began last are remembered", () => {
  const turns = createTurns()
  for (const call of ["first", "second", "first"]) turns.callStarted(call)
  for (let count = 0; count < 499; count += 1) turns.callStarted(`c${count}`)
  turns.ended()
  expect(["first", "second", "c0"].map(turns.isOver)).toEqual([true, false, true])
})
