import type { V2Message } from "../../src/hosts/v2/host.ts"
import type { Step, ToolStep } from "./host.ts"
import type { V2Line } from "./v2-line.ts"

export interface V2ToolStep extends ToolStep {
  readonly callID?: string
  /** The model's own view of the result, where it differs from the hook's: the host cuts long ones behind the hook. */
  readonly shown?: unknown
  /** The call's place among those of its step as they end; as they were made when left out. */
  readonly ends?: number
  /** No such tool: the host answers itself, without `execute.after`. July's preview calls no hook at all. */
  readonly unavailable?: boolean
  /** Instructions that the host finds with this call, and admits of its own accord. */
  readonly instructions?: string
  /** Calls in Code Mode, which have this call's id. The model sees nothing of them. */
  readonly inside?: readonly (ToolStep & Pick<V2ToolStep, "unavailable">)[]
  /** What else happens while the call runs. */
  readonly during?: () => unknown
}

/**
 * `retry`: the provider fails, and the host repeats the step. `broken`: its stream breaks off behind some words, and the host has the
 * model go on. `interrupt`: the user stops the turn behind these calls. `fail`: the provider fails for good there. `answer`: the turn's last words, and what happens meanwhile.
 */
export type V2Step =
  | Step
  | V2ToolStep
  | readonly V2ToolStep[]
  | { readonly kind: "retry" | "broken" }
  | { readonly kind: "interrupt" | "fail"; readonly calls: readonly ToolStep[] }
  | { readonly kind: "answer"; readonly during: () => unknown }

export type ReadStep =
  | { readonly kind: "answer"; readonly text: string; readonly during?: () => unknown }
  | { readonly kind: "calls" | "interrupt" | "fail"; readonly calls: readonly V2ToolStep[] }
  | { readonly kind: "retry" | "broken" }

export function readStep(step: V2Step): ReadStep {
  if (typeof step === "string") return { kind: "answer", text: step }
  if (!("kind" in step)) return { kind: "calls", calls: [step].flat() as readonly V2ToolStep[] }
  return step.kind === "answer" ? { ...step, text: "done" } : step
}

/** One call that the model has made. */
export interface MadeCall {
  readonly step: V2ToolStep
  readonly callID: string
}

export function callPart({ step, callID }: MadeCall) {
  return { type: "tool-call", id: callID, name: step.tool, input: step.args, providerExecuted: false }
}

/** The message that shows a call's result. It has no id. */
export function resultMessage(line: V2Line, { step, callID }: MadeCall, error: string | undefined): V2Message {
  const result = step.shown ?? (error === undefined ? line.result(step) : errorResult(error))
  return {
    role: "tool",
    content: [{ type: "tool-result", id: callID, name: step.tool, result, providerExecuted: false }],
  }
}

function errorResult(message: string) {
  return { type: "error", value: { error: { type: "tool.execution", message }, content: [], structured: {} } }
}

/** A message as `role: text`. */
export function shown({ role, content }: V2Message): string {
  return `${role}: ${[content].flat().map(shownPart).join("\n")}`
}

interface ShownPart {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly result?: { readonly type: string; readonly value: unknown }
}

/** One part of a message, as text. */
export function shownPart(part: unknown): string {
  const { type, text, name, result } = part as ShownPart
  if (type === "text") return text ?? ""
  if (type !== "tool-result") return `[${type} ${name}]`
  if (result?.type === "error") {
    return `[${name}] failed: ${(result.value as { error: { message: string } }).error.message}`
  }
  return `[${name}] ${typeof result?.value === "string" ? result.value : JSON.stringify(result?.value)}`
}
