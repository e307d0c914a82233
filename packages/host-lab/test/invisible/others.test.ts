import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { linesOf, loggingPlugin, NOTE } from "../logging.ts"
import { counts, openPair, playIn } from "../rulebook/support.ts"
import { expectSameHistory } from "../rulebook/untouched.ts"
import { until } from "./gate.ts"

// Plugins that add to each user message, or take their time over it, see deliveries as user messages, too.

setDefaultTimeout(180_000)

const RUST = "Rule for Rust."
const TS = "Rule for TypeScript."
const RULES = { "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}`, "ts.md": `---\nglobs: "*.ts"\n---\n${TS}` }
const FILES = { "a.rs": "fn a() {}\n", "b.ts": "export {}\n" }

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const read = (project: Project, file: string) => call("read", { filePath: project.path(file) })

describe.each(["part", "first-part"] as const)("a plugin that adds a %s", (act) => {
  test.each(["plugins", "behind"] as const)(
    "%s: adds it to the prompt only, and nothing waits for it",
    async (where) => {
      const file = join(lab.root, `hooks-${crypto.randomUUID()}.jsonl`)
      const other = loggingPlugin(file, { "chat.message": act })
      const pair = await openPair(lab, { files: FILES, rules: RULES, others: [NOTE], [where]: [other] })
      const play = async (project: Project) => {
        const session = await project.session()
        await session.prompt("go", [read(project, "a.rs"), read(project, "b.ts"), say("done")])
        return { requests: session.requests(), stored: await session.messages() }
      }
      const runs = await playIn(pair, play)
      const { requests, stored } = runs.result
      expect(counts(requests, RUST)).toEqual([0, 1, 1])
      expect(counts(requests, TS)).toEqual([0, 0, 1])
      expect(counts(requests, NOTE)).toEqual([1, 1, 1])
      for (const text of [RUST, TS, NOTE]) expect(JSON.stringify(stored).split(text)).toHaveLength(2)
      expectSameHistory(runs, runs.plainResult.stored, stored)
    },
  )
})

test("a plugin that needs six seconds for each user message costs no request, whenever the delivery lands", async () => {
  const file = join(lab.root, `hooks-${crypto.randomUUID()}.jsonl`)
  const behind = [loggingPlugin(file, { "chat.message": "slow" })]
  const pair = await openPair(lab, { files: FILES, rules: RULES, behind })
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("go", [read(project, "a.rs"), say("done")])
    const heard = async (kind: string) =>
      (await linesOf(file)).filter((line) => line.kind === kind && line.input["sessionID"] === session.id).length
    const begun = await heard("chat.message")
    await until(async () => (await heard("chat.message done")) === begun)
    await session.prompt("go on", [say("done")])
    return { requests: session.requests(), stored: await session.messages() }
  }
  const runs = await playIn(pair, play)
  expect(counts(runs.result.requests, RUST)).toEqual([0, 1, 1])
  expect(JSON.stringify(runs.result.stored).split(RUST)).toHaveLength(2)
  expectSameHistory(runs, runs.plainResult.stored, runs.result.stored)
})
