import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import {
  call,
  fail,
  type Lab,
  type Project,
  type ProviderRequest,
  say,
  startLab,
  subagent,
  type Usage,
} from "../../src/index.ts"
import { counts, openPair, type Pair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."
const BUILD = "Rule for builders."
const HOOK = "Rule of a hook."
const RULES = {
  "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`,
  "deploy.md": `---\nkeywords: [deploy]\n---\n${DEPLOY}`,
  "build.md": `---\nagent: [build]\n---\n${BUILD}`,
  "hook.md": `---\nagent: [nobody]\nhooks:\n  - type: PostToolUse\n    tool: bash\n    match: wake\n---\n${HOOK}`,
}
const FULL = { input: 19_500, output: 20 }
const options = { files: { "a.rs": "fn a() {}\n" }, rules: RULES }
const rewrites = { rewrites: true }

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, options)
})
afterAll(() => lab.stop())

const read = (project: Project, usage?: Usage) => call("read", { filePath: project.path("a.rs") }, usage)
const bash = (command = "true", usage?: Usage) => call("bash", { command, description: "a command" }, usage)

function dispatches(requests: readonly ProviderRequest[]): ProviderRequest[] {
  return requests.filter(({ kind }) => kind === "dispatch")
}

function summaries(requests: readonly ProviderRequest[]): ProviderRequest[] {
  return requests.filter(({ kind }) => kind === "summary")
}

test("manual: durable rules come back once, in the first dispatch after it, and stay", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [read(project), say("done")])
    await session.summarize(say("the summary"))
    await session.prompt("go on", [bash(), bash(), say("done")])
    await session.prompt("and on", [bash(), say("done")])
    return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
  }
  const runs = await playIn(pair, play, rewrites)
  const { requests, stored } = runs.result
  expect(counts(dispatches(requests), DEPLOY)).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(counts(dispatches(requests), RUST)).toEqual([0, 1, 1, 1, 1, 1, 1])
  expect(counts(dispatches(requests), BUILD)).toEqual([1, 1, 1, 1, 1, 1, 1])
  expect(summaries(requests)[0]?.conversation).toEndWith(`(paths only):\n- ${pair.project.path("a.rs")}`)
  for (const rule of [DEPLOY, RUST]) expect(stored.split(rule)).toHaveLength(3)
  expect(stored).not.toContain(BUILD)
})

test("in mid-turn, twice: the same", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const script = [read(project), bash("true", FULL), bash(), bash("true", FULL), bash(), bash(), say("done")]
    await session.prompt("deploy", { script, model: "small", summary: say("the summary") })
    await session.prompt("go on", { script: [say("done")], model: "small" })
    return session.requests()
  }
  const runs = await playIn(pair, play, rewrites)
  expect(summaries(runs.result)).toHaveLength(2)
  expect(counts(dispatches(runs.result), DEPLOY)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  expect(counts(dispatches(runs.result), RUST)).toEqual([0, 1, 1, 1, 1, 1, 1, 1])
  expect(counts(summaries(runs.result), BUILD)).toEqual([0, 0])
})

test("at a turn's end: in the dispatch that the host adds", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const script = [read(project), say("over the limit", FULL), say("done")]
    await session.prompt("deploy", { script, model: "small", summary: say("the summary") })
    await session.prompt("go on", { script: [say("done")], model: "small" })
    return session.requests()
  }
  const runs = await playIn(pair, play, rewrites)
  expect(counts(dispatches(runs.result), RUST)).toEqual([0, 1, 1, 1])
  expect(counts(dispatches(runs.result), DEPLOY)).toEqual([1, 1, 1, 1])
})

test("two in a row: once", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("deploy", [read(project), say("done")])
    await session.summarize(say("the summary"))
    await session.summarize(say("the second summary"))
    await session.prompt("go on", [say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play, rewrites)
  for (const rule of [DEPLOY, RUST, BUILD]) expect(counts(dispatches(runs.result).slice(2), rule)).toEqual([1])
})

test("of a session without messages: the next dispatch is none of its", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.summarize(say("nothing yet"))
    await session.prompt("deploy", [say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play, rewrites)
  for (const rule of [DEPLOY, BUILD]) expect(counts(runs.result, rule)).toEqual([0, 1])
})

test("a summary that fails is no compaction: nothing is delivered again", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const script = [read(project), bash("true", FULL)]
    const summary = fail(400, "no summary today")
    await session.prompt("deploy", { script, model: "small", summary, loose: true })
    await session.prompt("go on", { script: [bash(), say("done")], summary, loose: true })
    return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
  }
  const runs = await playIn(pair, play, rewrites)
  const { requests, stored } = runs.result
  expect(summaries(requests).length).toBeGreaterThan(0)
  expect(counts(dispatches(requests), DEPLOY)).toEqual(dispatches(requests).map(() => 1))
  for (const rule of [DEPLOY, RUST]) expect(stored.split(rule)).toHaveLength(2)
})

test("in a subagent's session: its rules, and not its parent's", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const child = [read(project), bash("true", FULL), bash(), say("looked")]
    const script = [subagent("deploy the reader", child), say("done")]
    return await session.prompt("go", { script, model: "small" })
  }
  const runs = await playIn(pair, play, rewrites)
  const { requests, childRequests } = runs.result
  expect(counts(dispatches(childRequests), DEPLOY)).toEqual([1, 1, 1, 1])
  expect(counts(dispatches(childRequests), RUST)).toEqual([0, 1, 1, 1])
  for (const rule of [DEPLOY, RUST]) expect(counts(requests, rule)).toEqual([0, 0])
})

test("a hook's content waits for the dispatch behind the summary", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const script = [bash("echo wake", FULL), bash(), say("done")]
    await session.prompt("go", { script, model: "small", summary: say("the summary") })
    return session.requests()
  }
  const runs = await playIn(pair, play, rewrites)
  expect(counts(runs.result, HOOK)).toEqual([0, 0, 1, 0])
})

describe("when the provider finds a request too long", () => {
  const overflow = fail(400, "context_length_exceeded: maximum context length is 20000 tokens")

  test("the host repeats the prompt: its rules, and those of the session, once", async () => {
    const play = async (project: Project) => {
      const session = await project.session()
      await session.prompt("hello", { script: [read(project), say("done")], model: "small" })
      const script = [overflow, bash(), say("done")]
      await session.prompt("deploy", { script, model: "small", summary: say("the summary") })
      return session.requests()
    }
    const runs = await playIn(pair, play, rewrites)
    expect(counts(dispatches(runs.result), RUST)).toEqual([0, 1, 1, 1, 1])
    expect(counts(dispatches(runs.result), DEPLOY)).toEqual([0, 0, 1, 1, 1])
  })

  test("at the first prompt: the same", async () => {
    const play = async (project: Project) => {
      const session = await project.session()
      const script = [overflow, bash(), say("done")]
      await session.prompt("deploy", { script, model: "small", summary: say("the summary") })
      return session.requests()
    }
    const runs = await playIn(pair, play, rewrites)
    for (const rule of [DEPLOY, BUILD]) expect(counts(dispatches(runs.result), rule)).toEqual([1, 1, 1])
  })

  test("right behind a delivery: each rule is there once all the same", async () => {
    const play = async (project: Project) => {
      const session = await project.session()
      const script = [read(project), overflow, bash(), say("done")]
      await session.prompt("deploy", { script, model: "small", summary: say("the summary") })
      return session.requests()
    }
    const runs = await playIn(pair, play, rewrites)
    expect(counts(dispatches(runs.result), RUST)).toEqual([0, 1, 1, 1])
    expect(counts(dispatches(runs.result), DEPLOY)).toEqual([1, 1, 1, 1])
  })
})

test("the prompt right after a turn keeps its own agent, model and system prompt", async () => {
  const settings = { agent: "plan", model: "other", system: "Be terse." }
  const play = async (project: Project) => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => project.session()))
    await Promise.all(
      sessions.map(async (session) => {
        await session.prompt("deploy", [say("done")])
        await session.summarize(say("the summary"))
        await session.prompt("go on", [say("done")])
        await session.prompt("plan it", { ...settings, script: [say("done")] })
      }),
    )
    return sessions.map((session) => session.requests().at(-1))
  }
  const runs = await playIn(pair, play, rewrites)
  for (const request of runs.result) {
    expect(request?.model).toBe("other")
    expect(request?.text).toContain("Be terse.")
    expect(request?.text).toContain("Plan mode ACTIVE")
    expect(counts(request ? [request] : [], DEPLOY)).toEqual([1])
  }
})

describe("with a tail", () => {
  let tailed: Pair
  beforeAll(async () => {
    tailed = await openPair(lab, { ...options, config: { compaction: { tail_turns: 1 } } })
  })

  test("what the tail still shows is not delivered again, what the summary took is", async () => {
    const play = async (project: Project) => {
      const session = await project.session()
      await session.prompt("hello", [read(project), say("done")])
      await session.prompt("deploy", [say("done")])
      await session.summarize(say("the summary"))
      await session.prompt("go on", [bash(), say("done")])
      return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
    }
    const runs = await playIn(tailed, play, rewrites)
    const { requests, stored } = runs.result
    for (const rule of [DEPLOY, RUST, BUILD]) expect(counts(dispatches(requests).slice(3), rule)).toEqual([1, 1])
    expect(stored.split(DEPLOY)).toHaveLength(2)
    expect(stored.split(RUST)).toHaveLength(3)
  })

  test("a delivery that the tail begins with is one too", async () => {
    const play = async (project: Project) => {
      const session = await project.session()
      await session.prompt("hello", [say("done")])
      await session.prompt("look", [read(project), say("done")])
      await session.summarize(say("the summary"))
      await session.prompt("go on", [say("done")])
      await session.summarize(say("the second summary"))
      await session.prompt("and on", [say("done")])
      return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
    }
    const runs = await playIn(tailed, play, rewrites)
    expect(counts(dispatches(runs.result.requests), RUST)).toEqual([0, 0, 1, 1, 1])
    expect(runs.result.stored.split(RUST)).toHaveLength(3)
  })
})
