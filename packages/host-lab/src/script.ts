import type { ProviderRequest } from "./request.ts"

/** Token usage that the answer's stream reports; the host decides auto compaction from it. */
export type Usage = { readonly input: number; readonly output: number }

export type ToolCall = { readonly tool: string; readonly args: Record<string, unknown>; readonly child?: Script }

/** One answer of the scripted provider. */
export type Answer =
  | { readonly kind: "say"; readonly text: string; readonly usage?: Usage }
  | { readonly kind: "calls"; readonly calls: readonly ToolCall[]; readonly text?: string; readonly usage?: Usage }
  | { readonly kind: "fail"; readonly status: number; readonly message: string }
  | { readonly kind: "held"; readonly until: Promise<unknown>; readonly answer: Answer }

/** Decides the answer when the request is there. */
export type Decide = (request: ProviderRequest) => Answer | Promise<Answer>

export type Step = Answer | Decide

/** The provider's answers in order, or one function for however many requests come. */
export type Script = readonly Step[] | Decide

/** The model ends the turn with this text. */
export function say(text: string, usage?: Usage): Answer {
  return { kind: "say", text, ...(usage ? { usage } : {}) }
}

/** The model calls one tool. */
export function call(tool: string, args: Record<string, unknown>, usage?: Usage): Answer & { kind: "calls" } {
  return { kind: "calls", calls: [{ tool, args }], ...(usage ? { usage } : {}) }
}

/** The model calls several tools in one answer: the host runs them in parallel. */
export function calls(...answers: readonly (Answer & { kind: "calls" })[]): Answer & { kind: "calls" } {
  return { kind: "calls", calls: answers.flatMap((answer) => answer.calls) }
}

/** The model starts a subagent; `child` answers the requests of its session. */
export function subagent(prompt: string, child: Script, type = "general"): Answer & { kind: "calls" } {
  const args = { description: prompt.slice(0, 40), prompt, subagent_type: type }
  return { kind: "calls", calls: [{ tool: "task", args, child }] }
}

/** The provider answers with an HTTP error. The host retries 429 and 5xx; 4xx ends the turn. */
export function fail(status: number, message: string): Answer {
  return { kind: "fail", status, message }
}

/** The answer comes when the promise has resolved: a gate that the test opens. */
export function held(until: Promise<unknown>, answer: Answer): Answer {
  return { kind: "held", until, answer }
}

/** The provider never answers; the turn ends by abort or by the end of the lab. */
export function hang(): Answer {
  return { kind: "held", until: new Promise<never>(() => {}), answer: say("") }
}
