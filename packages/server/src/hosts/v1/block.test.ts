import { expect, test } from "bun:test"
import { isHostsOwnCall, rejectCall } from "./block.ts"

const REASON = "No subagents."

/** The arguments behind a rejection, and the error that it was made with. */
function rejected(callID: string, args: unknown): readonly [unknown, string | undefined] {
  try {
    rejectCall(callID, args, REASON)
    return [args, undefined]
  } catch (error) {
    return [args, (error as Error).message]
  }
}

test("a model's call fails by a throw; one of the host's by the name of its subagent", () => {
  const task = () => ({ prompt: "look", subagent_type: "general" })
  expect(rejected("call_1", task())).toEqual([task(), REASON])
  expect(rejected("call_prt", task())).toEqual([task(), REASON])
  expect(rejected("prt_1", task())).toEqual([{ prompt: "look", subagent_type: REASON }, undefined])
})

test("a call of the host's that has no subagent, or can't be changed, fails by a throw", () => {
  expect(rejected("prt_1", { command: "ls" })).toEqual([{ command: "ls" }, REASON])
  expect(rejected("prt_1", undefined)).toEqual([undefined, REASON])
  const frozen = Object.freeze({ subagent_type: "general" })
  expect(rejected("prt_1", frozen)).toEqual([{ subagent_type: "general" }, REASON])
})

test("the host's own calls have the id of a part", () => {
  expect(["prt_1", "call_1", "call_prt_1", ""].map(isHostsOwnCall)).toEqual([true, false, false, false])
})
