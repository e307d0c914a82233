import { expect, test } from "bun:test"
import { createSteps } from "./steps.ts"

test("the last call of a step is a safe point, if one of the step succeeded", () => {
  const steps = createSteps()
  steps.dispatching()
  for (const id of ["a", "b", "c"]) steps.callStarting(id)
  expect(steps.callEnded("b", true)).toBe(false)
  expect(steps.callEnded("a", false)).toBe(false)
  expect(steps.callEnded("c", false)).toBe(true)

  steps.dispatching()
  steps.callStarting("d")
  expect(steps.callEnded("d", false)).toBe(false)
})

test("an execution's end is a safe point until the next begins", () => {
  const steps = createSteps()
  steps.executionStarted()
  steps.dispatching()
  expect(steps.isIdle()).toBe(false)
  expect(steps.executionEnded()).toBe(true)
  expect(steps.isIdle()).toBe(true)
  steps.executionStarted()
  expect(steps.isIdle()).toBe(false)
})

test("a dispatch ends it too, whatever the events say later", () => {
  const steps = createSteps()
  steps.dispatching()
  steps.executionEnded()
  steps.dispatching()
  steps.executionStarted()
  expect(steps.isIdle()).toBe(false)
  expect(steps.executionEnded()).toBe(true)
})

test("an execution without a dispatch that was seen is another instance's affair", () => {
  const steps = createSteps()
  expect(steps.executionEnded()).toBe(false)
  steps.dispatching()
  expect(steps.executionEnded()).toBe(true)
  expect(steps.executionEnded()).toBe(false)
  steps.executionStarted()
  expect(steps.executionEnded()).toBe(false)
  expect(steps.isIdle()).toBe(false)
})

test("a call that ends behind its execution is followed by no step", () => {
  const steps = createSteps()
  steps.dispatching()
  steps.callStarting("a")
  expect(steps.executionEnded()).toBeTrue()
  expect(steps.callEnded("a", true)).toBeFalse()
})

test("calls in Code Mode share the id of their `execute`, and end with it, ends of their own or not", () => {
  const steps = createSteps()
  steps.dispatching()
  for (const id of ["outer", "outer", "outer", "other"]) steps.callStarting(id)
  expect([steps.callEnded("outer", true), steps.outerCallEnded("outer", true)]).toEqual([false, false])
  expect(steps.callEnded("other", false)).toBe(true)
  steps.dispatching()
  for (const id of ["outer", "outer"]) steps.callStarting(id)
  expect([steps.callEnded("outer", true), steps.callEnded("outer", false)]).toEqual([false, true])
})

test("calls that fail make no safe point, nor does one whose start was not seen; one that was is awaited", () => {
  const steps = createSteps()
  steps.dispatching()
  steps.callStarting("a")
  expect([steps.callEnded("unseen", true), steps.outerCallEnded("a", false)]).toEqual([false, true])
  steps.dispatching()
  expect([steps.callEnded("unseen", false), steps.callEnded("unseen", true)]).toEqual([false, true])
})

test("a request forgets the calls of the step before, which was cut off", () => {
  const steps = createSteps()
  steps.dispatching()
  steps.callStarting("cut")
  steps.callEnded("done", true)
  steps.dispatching()
  steps.callStarting("a")
  expect(steps.callEnded("a", false)).toBe(false)
  expect(steps.callEnded("b", true)).toBe(true)
})

test("a step is over where no request of it was seen, as after a reload", () => {
  const steps = createSteps()
  steps.callStarting("a")
  expect([steps.callEnded("a", false), steps.callEnded("b", true), steps.isIdle()]).toEqual([false, true, false])
})
