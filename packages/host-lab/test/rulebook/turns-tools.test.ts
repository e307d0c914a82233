import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { call, type Lab, type Step, say, startLab } from "../../src/index.ts"
import { counts, openPair, playIn, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

const RULES = {
  "bash.md": "---\ntools: [bash]\n---\nRule with a shell.",
  "docs.md": "---\ntools: [mcp_docs]\n---\nRule with docs.",
}
const LIST = call("bash", { command: "true", description: "nothing" })

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

test("a step of a turn asks the host for one thing, its MCP servers; a prompt for what can have changed with it", async () => {
  const file = join(lab.root, "calls.txt")
  const counting = join(import.meta.dir, "../fixtures/counting-plugin")
  const plugin = join(RULEBOOK, "dist/server.js")
  const project = await lab.project({ rules: RULES, mcp: ["docs"], plugins: [[counting, { plugin, file }]] })
  const session = await project.session()
  // The host goes on loading parts of its own in the first turn, and says so in events.
  await session.prompt("go", [LIST, LIST, say("done")])
  const before = (await readFile(file, "utf8")).length
  const script: Step[] = [LIST, LIST, LIST, LIST, say("done")]
  const { requests } = await session.prompt("on", script)
  expect(counts(requests, "Rule with a shell.")).toEqual([1, 1, 1, 1, 1])
  const calls = (await readFile(file, "utf8")).slice(before).trim().split("\n")
  const asked = calls.filter((name) => /^(?:tool|mcp|app\.agents|session\.get$)/.test(name))
  const often = Object.fromEntries(
    Object.entries(Object.groupBy(asked, (name) => name)).map(([name, all = []]) => [name, all.length]),
  )
  expect(often).toEqual({ "session.get": 1, "mcp.status": requests.length })
})

test("never stale: a server that is turned off in a turn, permissions that change in one, another prompt's tools", async () => {
  const pair = await openPair(lab, { rules: RULES, mcp: ["docs"] })
  const runs = await playIn(
    pair,
    async (project) => {
      const session = await project.session()
      const client = project.client()
      const deny = [{ permission: "bash", pattern: "*", action: "deny" as const }]
      let step = 0
      const { requests } = await session.prompt("go", async () => {
        step += 1
        if (step === 2) await client.mcp.disconnect({ name: "docs" })
        if (step === 3) await client.mcp.connect({ name: "docs" })
        if (step === 4) await client.session.update({ sessionID: session.id, permission: deny })
        return step < 5 ? call("glob", { pattern: "*.none" }) : say("done")
      })
      const denied = await session.prompt("on", [say("done")])
      const fresh = await project.session()
      const without = await fresh.prompt("go", { script: [say("done")], tools: { bash: false } })
      const again = await fresh.prompt("on", { script: [say("done")], tools: { bash: true } })
      return [...requests, ...denied.requests, ...without.requests, ...again.requests]
    },
    { rewrites: true },
  )
  expect(counts(runs.result, "Rule with docs.")).toEqual([1, 1, 0, 1, 1, 1, 1, 1])
  // Permissions that change within a turn count for the host from the next prompt on, and so they do for rules.
  expect(counts(runs.result, "Rule with a shell.")).toEqual([1, 1, 1, 1, 1, 0, 0, 1])
  const offers = (name: string) => runs.result.map(({ tools }) => tools.includes(name))
  expect(offers("bash")).toEqual([true, true, true, true, true, false, false, true])
  expect(offers("docs_echo")).toEqual([true, true, false, true, true, true, true, true])
})
