import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, type Lab, type Project, say, startLab, subagent } from "../../src/index.ts"
import { counts, openPair, playIn } from "../rulebook/support.ts"

// GitHub Copilot bills the requests that the host marks as the user's, by the role of their last message.

setDefaultTimeout(180_000)

const RULES = {
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  "ts.md": '---\nglobs: "*.ts"\n---\nRule for TypeScript.',
  "build.md": "---\nagent: [build, general]\n---\nRule for builders.",
}

let lab: Lab
beforeAll(async () => {
  // Of providers that begin with "opencode" the host looks its own up in its own list of models.
  lab = await startLab({ env: { OPENCODE_MODELS_PATH: "" } })
  const auth = { "github-copilot": { type: "oauth", refresh: "scripted", access: "scripted", expires: 0 } }
  await writeFile(join(lab.root, "data", "opencode", "auth.json"), JSON.stringify(auth))
})
afterAll(() => lab.stop())

/** The lab's provider under the name that the host gives its own treatment. */
const copilot = (baseURL: string) => named("github-copilot", baseURL)

function named(name: string, baseURL: string): Record<string, unknown> {
  const model = { name: "Scripted", tool_call: true, limit: { context: 200_000, output: 4_000 } }
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL },
    models: { scripted: model },
  }
  const id = `${name}/scripted`
  return { model: id, small_model: id, provider: { [name]: provider } }
}

test("who initiated a request: the user once for each prompt, the agent ever after", async () => {
  const files = { "a.rs": "fn a() {}\n", "b.ts": "export {}\n" }
  const pair = await openPair(lab, { files, rules: RULES, config: copilot })
  const play = async (project: Project) => {
    const read = (file: string) => call("read", { filePath: project.path(file) })
    const session = await project.session()
    await session.prompt("go", [read("a.rs"), read("b.ts"), say("done")])
    await session.prompt("more", [subagent("look around", [read("a.rs"), say("looked")]), say("done")])
    const model = { providerID: "github-copilot", modelID: "scripted" }
    await project.client().session.summarize({ sessionID: session.id, ...model })
    await session.prompt("go on", [read("a.rs"), say("done")])
    return project.requests()
  }
  const runs = await playIn(pair, play, { rewrites: true })
  const initiators = runs.requests.map(({ headers }) => headers["x-initiator"])
  expect(initiators.slice(0, 3)).toEqual(["user", "agent", "agent"])
  expect(initiators).toEqual(runs.plainRequests.map(({ headers }) => headers["x-initiator"]))
  expect(counts(runs.requests.slice(0, 3), "Rule for Rust.")).toEqual([0, 1, 1])
})

test("what OpenCode's own service is told of a request: each of a turn belongs to its prompt", async () => {
  const files = { "a.rs": "fn a() {}\n", "b.ts": "export {}\n" }
  const config = (baseURL: string) => named("opencode-lab", baseURL)
  const play = async (project: Project) => {
    const read = (file: string) => call("read", { filePath: project.path(file) })
    const session = await project.session()
    await session.prompt("go", [read("a.rs"), read("b.ts"), say("done")])
    const [prompt] = await session.messages()
    const named = session.requests().map(({ headers }) => headers["x-opencode-request"])
    return named.map((id) => id === prompt?.info.id)
  }
  const runs = await playIn(await openPair(lab, { files, rules: RULES, config }), play)
  expect(runs.result).toEqual([true, true, true])
  expect(counts(runs.requests, "Rule for Rust.")).toEqual([0, 1, 1])
})
