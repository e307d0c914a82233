import { expect, jest, test } from "bun:test"
import { createRefresher } from "./refresher.ts"

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
