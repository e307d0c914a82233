import { describe, expect, setDefaultTimeout, test } from "bun:test"
import fc from "fast-check"
import { hosts, type TestHost, type TestSession, type Toolbox } from "../../server/test/support/host.ts"
import { runs } from "../../server/test/support/runs.ts"
import { createHistoryBuilder } from "../src/receipts/fold.ts"
import { isThere, newestRequest, type SessionHistory } from "../src/receipts/history.ts"

setDefaultTimeout(120_000)

const block = "hooks: [{ type: PreToolUse, tool: '*', match: secret, block: true }]"
const CONDITIONS = [
  "",
  "keywords: [deploy]",
  "globs: '*.rs'",
  "globs: '*.ts'",
  "globs: '*.rs'\nfileContains: unsafe",
  "agent: plan",
  "agent: build\nglobs: '*.ts'",
  "match: all\nagent: build\nglobs: '*.rs'",
  "globs: '*.sql'\nhold: true",
  block,
  `${block}\nagent: plan`,
]

const step = fc.constantFrom("a.rs", "unsafe.rs", "b.ts", "c.sql", "secret.md", "d.md")
const turn = fc.record({
  before: fc.constantFrom("nothing", "nothing", "compact", "revert", "restart"),
  prompt: fc.constantFrom("look around", "deploy it"),
  agent: fc.constantFrom("build", "plan"),
  writes: fc.array(step, { maxLength: 3 }),
})
const session = fc.record({
  conditions: fc.subarray(CONDITIONS, { minLength: 2 }),
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
})
type Told = typeof session extends fc.Arbitrary<infer Value> ? Value : never

async function play(host: TestHost, own: TestSession, tools: Toolbox, { turns }: Told): Promise<void> {
  for (const [index, { before, prompt, agent, writes }] of turns.entries()) {
    if (before === "compact" && index > 0) await own.compact()
    if (before === "revert" && index > 0) own.revert(index - 1)
    if (before === "restart") {
      // What a process has not written when it is killed is lost.
      await own.receipts()
      await host.restart()
    }
    await own.prompt(prompt, [...writes.map((file) => tools.write(file, `${file} {`)), "done"], { agent })
  }
}

describe("what a session's history says of each request is what the request carried", () => {
  for (const { name, start, tools } of hosts) {
    test(name, async () => {
      const holds = async (told: Told) => {
        const rules = told.conditions.map((condition, index) => `---\n${condition}\n---\nBody of ${index}.\n`)
        await using host = await start({
          rules: Object.fromEntries(rules.map((text, index) => [`r${index}.md`, text])),
        })
        const own = host.session()
        await play(host, own, tools, told)
        const builder = createHistoryBuilder()
        for (const receipt of (await own.receipts())?.receipts ?? []) builder.add(receipt)
        const history = builder.end()
        expect(newestRequest(history as SessionHistory)).toBe(own.dispatches.length)
        const carried = own.dispatches.map((messages) => {
          const text = messages.join("\n")
          return rules.flatMap((_, index) => (text.includes(`<rule name="r${index}">`) ? [`r${index}`] : []))
        })
        expect(history?.steps.filter(({ isSent }) => isSent).map(({ number }) => there(history, number))).toEqual(
          carried,
        )
      }
      await fc.assert(fc.asyncProperty(session, holds), { numRuns: runs(40) })
    })
  }
})

function there({ rules }: SessionHistory, request: number): readonly string[] {
  return Array.from(rules.values())
    .filter((rule) => isThere(rule, request))
    .map(({ name }) => name)
    .toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
}
