import { expect, jest, test } from "bun:test"
import { createRefresher } from "./refresher.ts"

test("after the end nothing begins: not what was triggered before it, nor by it, nor while the last run ended", async () => {
  jest.useFakeTimers()
  let runs = 0
  const held = Promise.withResolvers<void>()
  const refresher = createRefresher(() => {
    runs += 1
    return held.promise
  }, 40)
  refresher.begin()
  refresher.trigger()
  refresher.stop()
  held.resolve()
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  refresher.trigger()
  jest.advanceTimersByTime(400)
  expect(runs).toBe(1)
  expect(jest.getTimerCount()).toBe(0)
  jest.useRealTimers()
})

test("what begins runs once", async () => {
  jest.useFakeTimers()
  let runs = 0
  const refresher = createRefresher(async () => {
    runs += 1
  }, 40)
  refresher.begin()
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  expect([runs, jest.getTimerCount()]).toEqual([1, 0])
  jest.useRealTimers()
})

test("a burst is one run, and what comes during a run is one more", async () => {
  jest.useFakeTimers()
  let runs = 0
  let end = () => {}
  const refresher = createRefresher(async () => {
    runs += 1
    await new Promise<void>((resolve) => {
      end = resolve
    })
  }, 40)
  for (let index = 0; index < 5; index += 1) refresher.trigger()
  jest.advanceTimersByTime(39)
  expect(runs).toBe(0)
  jest.advanceTimersByTime(1)
  expect(runs).toBe(1)
  for (let index = 0; index < 5; index += 1) refresher.trigger()
  jest.advanceTimersByTime(400)
  expect(runs).toBe(1)
  end()
  await Promise.resolve()
  await Promise.resolve()
  jest.advanceTimersByTime(40)
  expect(runs).toBe(2)
  end()
  await Promise.resolve()
  await Promise.resolve()
  expect(jest.getTimerCount()).toBe(0)
  jest.useRealTimers()
})

test("nothing runs and no timer is left after the end", () => {
  jest.useFakeTimers()
  let runs = 0
  const refresher = createRefresher(async () => {
    runs += 1
  }, 40)
  refresher.trigger()
  refresher.stop()
  refresher.trigger()
  expect(jest.getTimerCount()).toBe(0)
  jest.advanceTimersByTime(400)
  expect(runs).toBe(0)
  jest.useRealTimers()
})
