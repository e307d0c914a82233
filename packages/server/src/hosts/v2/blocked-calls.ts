import { argumentsJson } from "@opencode-rulebook/rule-schema"
import type { ToolCall } from "./host.ts"

/**
 * The errors of blocked calls. The stable line settles all calls of a step that a plugin rejected with the message of the first
 * one, when the last of the step has ended (docs/opencode-2.md, Calls). So the calls of a step share one error, the text of
 * which grows to hold whatever was blocked in it.
 */
export interface BlockedCalls {
  /** The error to reject a call with. */
  block(call: ToolCall, message: string): Error
}

/** How much of a call's arguments is told, in characters. */
const LONGEST_ARGUMENTS = 200

interface BlockedCall {
  readonly call: string
  readonly message: string
}

export function createBlockedCalls(): BlockedCalls {
  let step: { readonly id: string | undefined; readonly error: Error; readonly calls: BlockedCall[] } | undefined
  return {
    block(call, message) {
      const { messageID: id } = call
      if (step === undefined || id === undefined || step.id !== id) step = { id, error: new Error(), calls: [] }
      step.calls.push({ call: described(call), message })
      step.error.message = textOf(step.calls)
      return step.error
    },
  }
}

function textOf(calls: readonly BlockedCall[]): string {
  const [first] = calls
  if (first && calls.every(({ message }) => message === first.message)) return first.message
  const each = calls.map(({ call, message }) => `${call}\n${message}`)
  return ["More than one call of this step did not run, each for its own reason.", ...each].join("\n\n")
}

function described({ tool, input }: ToolCall): string {
  const args = argumentsJson(input)
  return `${tool} ${args.length > LONGEST_ARGUMENTS ? `${args.slice(0, LONGEST_ARGUMENTS)}…` : args}`
}
