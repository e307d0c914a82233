import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { counts, openPair, type Pair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

const RULES = {
  "agent.md": "---\nagent: [build]\n---\nRule for builders.",
  "model.md": "---\nmodel: [lab/other]\n---\nRule for the other model.",
  "model-id.md": "---\nmodel: [other]\n---\nRule for the same by its id.",
  "main.md": "---\nbranch: [main]\n---\nRule on main.",
  "feature.md": "---\nbranch: ['feature/*']\n---\nRule on features.",
  "mcp.md": "---\ntools: [mcp_docs-server]\n---\nRule with docs.",
  "no-mcp.md": "---\ntools: [mcp_off, mcp_nosuch, docs-server]\n---\nRule without a server.",
  "bash.md": "---\ntools: [bash]\n---\nRule with a shell.",
  "patch.md": "---\ntools: [apply_patch]\n---\nRule with patches.",
  "rust.md": "---\nglobs: '*.rs'\n---\nRule for Rust.",
  "both.md": "---\nagent: [plan]\nkeywords: [deploy]\nmatch: all\n---\nRule for planned deploys.",
  "either.md": "---\nagent: [plan]\nkeywords: [deploy]\n---\nRule for plans and deploys.",
}
const LIST = call("bash", { command: "true", description: "nothing" })

let lab: Lab
let pair: Pair
beforeAll(async () => {
  lab = await startLab()
  pair = await openPair(lab, {
    files: { "a.rs": "fn a() {}\n" },
    rules: RULES,
    git: "main",
    mcp: ["docs-server"],
    config: { agent: { quiet: { mode: "primary", permission: { bash: "deny" } } } },
  })
})
afterAll(() => lab.stop())

async function storedText(project: Project, id: string): Promise<string> {
  return JSON.stringify(await (await project.session(id)).messages())
}

test("agent, branch and tools: in every dispatch in which they hold, and in no stored message", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("go", [LIST, LIST, say("done")])
    await session.prompt("on", [LIST, say("done")])
    return { requests: session.requests(), stored: await storedText(project, session.id) }
  })
  const { requests, stored } = runs.result
  for (const rule of ["Rule for builders.", "Rule on main.", "Rule with docs.", "Rule with a shell."])
    expect(counts(requests, rule)).toEqual([1, 1, 1, 1, 1])
  for (const rule of ["Rule for the other model.", "Rule on features.", "Rule without a server.", "Rule with patches."])
    expect(counts(requests, rule)).toEqual([0, 0, 0, 0, 0])
  expect(stored).not.toContain("Rule ")
})

test("agent and model follow the turn", async () => {
  const runs = await playIn(
    pair,
    async (project) => {
      const session = await project.session()
      await session.prompt("go", [LIST, say("done")])
      await session.prompt("go", { model: "other", agent: "plan", script: [LIST, say("done")] })
      await session.prompt("go", { model: "plain", script: [LIST, say("done")] })
      return { requests: session.requests(), stored: await storedText(project, session.id) }
    },
    { rewrites: true },
  )
  const { requests, stored } = runs.result
  expect(counts(requests, "Rule for builders.")).toEqual([1, 1, 0, 0, 1, 1])
  for (const rule of ["Rule for the other model.", "Rule for the same by its id.", "Rule for plans and deploys."])
    expect(counts(requests, rule)).toEqual([0, 0, 1, 1, 0, 0])
  expect(stored).not.toContain("Rule ")
})

test("match: all with a transient family is transient; match: any is durable by its durable family", async () => {
  const runs = await playIn(
    pair,
    async (project) => {
      const session = await project.session()
      await session.prompt("deploy", { agent: "plan", script: [LIST, say("done")] })
      await session.prompt("go on", [say("done")])
      return { requests: session.requests(), stored: await storedText(project, session.id) }
    },
    { rewrites: true },
  )
  const { requests, stored } = runs.result
  expect(counts(requests, "Rule for planned deploys.")).toEqual([1, 1, 0])
  expect(counts(requests, "Rule for plans and deploys.")).toEqual([1, 1, 1])
  expect(stored).not.toContain("Rule for planned deploys.")
  expect(stored.split("Rule for plans and deploys.")).toHaveLength(2)
})

test("tools that the turn or its agent switches off, or that its model has not, are not available", async () => {
  const runs = await playIn(pair, async (project) => {
    const [session, quiet] = [await project.session(), await project.session()]
    const script = [call("read", { filePath: project.path("a.rs") }), say("done")]
    await session.prompt("go", { tools: { bash: false }, model: "gpt-5-lab", script })
    await session.prompt("on", { model: "gpt-5-lab", script: [say("done")] })
    await quiet.prompt("go", { agent: "quiet", script: [say("done")] })
    return [...session.requests(), ...quiet.requests()]
  })
  expect(runs.result.map(({ tools }) => tools.includes("bash"))).toEqual([false, false, false, false])
  expect(counts(runs.result, "Rule with a shell.")).toEqual([0, 0, 0, 0])
  expect(counts(runs.result, "Rule with patches.")).toEqual([1, 1, 1, 0])
})

test("a checkout in the middle of a turn changes the branch for its next dispatch", async () => {
  const checkout = (args: string) => call("bash", { command: `git checkout -q ${args}`, description: "checkout" })
  const runs = await playIn(
    pair,
    async (project) => {
      const session = await project.session()
      const script = [LIST, checkout("-b feature/x"), LIST, checkout("main"), say("done")]
      return (await session.prompt("go", script)).requests
    },
    { rewrites: true },
  )
  expect(counts(runs.result, "Rule on main.")).toEqual([1, 1, 0, 0, 1])
  expect(counts(runs.result, "Rule on features.")).toEqual([0, 0, 1, 1, 0])
})
