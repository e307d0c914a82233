import { expect, test } from "bun:test"
import { claimDirectory, claimEvent } from "./instance.ts"

test("the latest claim of a folder counts; one that was released leaves nothing behind, and takes no other's", () => {
  const folder = `/claimed/${crypto.randomUUID()}`
  const first = claimDirectory(folder)
  const second = claimDirectory(folder)
  expect([first.replacesAnother, second.replacesAnother]).toEqual([false, true])
  expect([first.isCurrent(), second.isCurrent()]).toEqual([false, true])
  first.release()
  expect([first.isCurrent(), second.isCurrent()]).toEqual([false, true])
  second.release()
  expect(claimDirectory(folder).replacesAnother).toBeFalse()
})

test("a copy whose successor has ended works again, also in another folder's presence", () => {
  const folder = `/claimed/${crypto.randomUUID()}`
  const first = claimDirectory(folder)
  claimDirectory(`${folder}/other`)
  claimDirectory(folder).release()
  expect(first.isCurrent()).toBeTrue()
})

test("an event belongs to the first copy that asks, each to its own", () => {
  const [one, other, event] = [{}, {}, {}]
  expect([claimEvent(event, one), claimEvent(event, other), claimEvent(event, one)]).toEqual([true, false, true])
  expect(claimEvent({}, other)).toBeTrue()
})
