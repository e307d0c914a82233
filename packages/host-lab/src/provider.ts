import { type ProviderRequest, type RawBody, readRequest } from "./request.ts"
import { type ScriptExtras, type ScriptRun, type ScriptTarget, scriptRuns } from "./runs.ts"
import type { Answer, Script, Usage } from "./script.ts"

export type ScriptedProvider = {
  /** Base URL for one project's provider config. */
  url(project: string): string
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ProviderRequest[]
  /** The prompts that its answers have given to subagents so far. */
  readonly delegated: ReadonlySet<string>
  /**
   * Sets the answers of one session's next requests, or of those sessions of a project that have no script themselves
   * (as `opencode run` starts them). The latest script of a session goes first.
   */
  script(target: ScriptTarget, script: Script, extras?: ScriptExtras): ScriptRun
  stop(): Promise<void>
}

/** Starts the scripted OpenAI-compatible provider on a free loopback port. */
export function startProvider(): ScriptedProvider {
  const requests: ProviderRequest[] = []
  const delegated = new Set<string>()
  const runs = scriptRuns()
  let answered = 0

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(incoming) {
      const project = new URL(incoming.url).pathname.split("/")[1] ?? ""
      const request = readRequest(project, incoming.headers, (await incoming.json()) as RawBody)
      requests.push(request)
      const answer = await runs.answer(request)
      answered += 1
      for (const { args } of answer.kind === "calls" ? answer.calls : []) {
        if (typeof args["prompt"] === "string") delegated.add(args["prompt"])
      }
      return respond(answer, request, answered)
    },
  })

  return {
    url: (project) => `http://127.0.0.1:${server.port}/${project}/v1`,
    requests,
    delegated,
    script: (target, script, extras = {}) => runs.start(target, script, extras),
    stop: () => server.stop(true),
  }
}

async function respond(answer: Answer, request: ProviderRequest, serial: number): Promise<Response> {
  switch (answer.kind) {
    case "held":
      await answer.until
      return respond(answer.answer, request, serial)
    case "fail":
      return Response.json({ error: { message: answer.message, type: "scripted" } }, { status: answer.status })
    case "say":
      return stream(request, serial, { content: answer.text }, "stop", answer.usage)
    case "calls": {
      const tool_calls = answer.calls.map((tool, index) => ({
        index,
        id: `call_${serial}_${index}`,
        type: "function",
        function: { name: tool.tool, arguments: JSON.stringify(tool.args) },
      }))
      return stream(request, serial, { content: answer.text ?? null, tool_calls }, "tool_calls", answer.usage)
    }
    default:
      return answer satisfies never
  }
}

function stream(
  request: ProviderRequest,
  serial: number,
  delta: Record<string, unknown>,
  finish: string,
  usage: Usage = { input: 100, output: 10 },
): Response {
  const base = { id: `scripted-${serial}`, object: "chat.completion.chunk", created: 0, model: request.model }
  const chunks = [
    { ...base, choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: usageOf(usage) },
  ]
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("")
  return new Response(body, { headers: { "content-type": "text/event-stream" } })
}

function usageOf(usage: Usage): Record<string, number> {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  }
}
