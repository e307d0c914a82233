import type { ProviderRequest } from "./request.ts"
import { type Answer, fail, type Script, type Step, say, type ToolCall } from "./script.ts"

export type ScriptTarget = { readonly sessionID: string } | { readonly project: string }

export type ScriptExtras = {
  /** The answer to summary requests; one plain text when left out. */
  readonly summary?: Step
  /** The answers to child sessions that no `subagent` step scripts, such as a subtask command's. */
  readonly children?: Script
}

/** A script at work. */
export type ScriptRun = {
  /** What went otherwise than the script has it, its child sessions included; undefined when nothing did. */
  fault(): Error | undefined
  /** Takes the script off its session. */
  end(): void
}

/** The scripts at work, by session, and what they answer. */
export type ScriptRuns = {
  start(target: ScriptTarget, script: Script, extras: ScriptExtras): ScriptRun
  answer(request: ProviderRequest): Promise<Answer>
}

type Run = ScriptExtras & {
  readonly script: Script
  /** Scripts of subagents that were called and have not sent a request. */
  readonly waiting: { readonly prompt: string; readonly script: Script }[]
  readonly childRuns: Run[]
  next: number
  surplus: number
  thrown: unknown
}

/** Scripts answer by session: the host names it in each request, so parallel sessions don't disturb each other. */
export function scriptRuns(): ScriptRuns {
  const runs = new Map<string, Run[]>()

  function add(key: string, script: Script, extras: ScriptExtras): Run {
    const run: Run = { ...extras, script, waiting: [], childRuns: [], next: 0, surplus: 0, thrown: undefined }
    runs.set(key, [...(runs.get(key) ?? []), run])
    return run
  }

  function find(request: ProviderRequest): Run | undefined {
    const own = runs.get(request.sessionID)?.at(-1)
    if (own) return own
    const parent = request.parentID === undefined ? undefined : runs.get(request.parentID)?.at(-1)
    const script = parent && childScript(parent, request)
    if (!script) return runs.get(projectKey(request.project))?.at(-1)
    const child = add(request.sessionID, script, {})
    parent.childRuns.push(child)
    return child
  }

  return {
    start(target, script, extras) {
      const key = "sessionID" in target ? target.sessionID : projectKey(target.project)
      const run = add(key, script, extras)
      return {
        fault: () => faultOf(run),
        end: () => {
          const others = (runs.get(key) ?? []).filter((other) => other !== run)
          runs.set(key, others)
        },
      }
    },
    async answer(request) {
      if (request.kind === "title") return say("Scripted session")
      const run = find(request)
      try {
        const answer = await decide(run, request)
        if (answer.kind === "calls" && run) run.waiting.push(...answer.calls.flatMap(childOf))
        return answer
      } catch (thrown) {
        if (run) run.thrown = thrown
        return fail(400, `the script threw: ${String(thrown)}`)
      }
    },
  }
}

function projectKey(project: string): string {
  return `project:${project}`
}

function childOf(call: ToolCall): Run["waiting"] {
  return call.child ? [{ prompt: String(call.args["prompt"]), script: call.child }] : []
}

function childScript(parent: Run, request: ProviderRequest): Script | undefined {
  const index = parent.waiting.findIndex((child) => request.conversation.includes(child.prompt))
  return index < 0 ? parent.children : parent.waiting.splice(index, 1)[0]?.script
}

async function decide(run: Run | undefined, request: ProviderRequest): Promise<Answer> {
  if (request.kind === "summary") return resolve(run?.summary ?? say("Scripted summary."), request)
  if (!run) return say("(no script)")
  if (typeof run.script === "function") return run.script(request)
  const step = run.script[run.next]
  run.next += 1
  if (step !== undefined) return resolve(step, request)
  run.surplus += 1
  return say("(script exhausted)")
}

function resolve(step: Step, request: ProviderRequest): Answer | Promise<Answer> {
  return typeof step === "function" ? step(request) : step
}

function faultOf(run: Run): Error | undefined {
  if (run.thrown instanceof Error) return run.thrown
  if (run.thrown !== undefined) return new Error(`the script threw ${String(run.thrown)}`)
  const left = typeof run.script === "function" ? 0 : run.script.length - run.next
  if (left > 0) return new Error(`the turn ended with ${left} step(s) of its script unused`)
  if (run.surplus > 0) return new Error(`the turn sent ${run.surplus} request(s) more than its script has steps`)
  return run.childRuns.map(faultOf).find((fault) => fault !== undefined)
}
