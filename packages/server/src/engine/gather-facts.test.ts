import { expect, test } from "bun:test"
import { ROOT, rulebookOf } from "../../test/support/rules.ts"
import { dispatchFacts, durableFacts, type FactSources } from "./gather-facts.ts"
import { createSession, updateTurn } from "./session.ts"

const MODEL = { providerID: "anthropic", modelID: "claude" }
const TURN = { prompt: "go", promptID: "msg_1", command: "deploy", agent: "build", model: MODEL }

async function asking(rules: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const sources: FactSources = {
    os: "linux",
    ci: true,
    async project() {
      asked.push("project")
      return new Set([`tag ${asked.length}`])
    },
    async branch() {
      asked.push("branch")
      return "main"
    },
    async tools(sessionID) {
      asked.push(`tools of ${sessionID}`)
      return new Set(["bash"])
    },
  }
  const session = await createSession(
    "ses_1",
    ROOT,
    async () => rulebookOf(rules),
    async () => [],
  )
  updateTurn(session, TURN)
  return { session, sources, asked }
}
const DECLARED = {
  "project.md": "---\nproject: [node]\n---\nText.",
  "branch.md": "---\nbranch: [main]\n---\nText.",
  "tools.md": "---\ntools: [bash]\n---\nText.",
}
const own = { observed: new Map(), ...TURN, os: "linux", ci: true }

test("a request has all facts; a source is asked only where a rule declares its family, and each time", async () => {
  const { session, sources, asked } = await asking(DECLARED)
  expect(await dispatchFacts(session, sources)).toEqual({
    ...own,
    project: new Set(["tag 1"]),
    branch: "main",
    tools: new Set(["bash"]),
  })
  await dispatchFacts(session, sources)
  expect(asked).toEqual(["project", "branch", "tools of ses_1", "project", "branch", "tools of ses_1"])
  const none = await asking({ "a.md": "Text." })
  const missing = { project: undefined, branch: undefined, tools: undefined }
  expect(await dispatchFacts(none.session, none.sources)).toEqual({ ...own, ...missing })
  expect(await durableFacts(none.session, none.sources)).toEqual({ ...own, ...missing })
  expect(none.asked).toEqual([])
})

test("between requests the project is asked for once in a turn, and nothing else is", async () => {
  const { session, sources, asked } = await asking(DECLARED)
  const facts = { ...own, project: new Set(["tag 1"]), branch: undefined, tools: undefined }
  expect(await durableFacts(session, sources)).toEqual(facts)
  expect(await durableFacts(session, sources)).toEqual(facts)
  expect(asked).toEqual(["project"])
  updateTurn(session, { prompt: "on" })
  expect((await durableFacts(session, sources)).project).toEqual(new Set(["tag 2"]))
  // What a request has asked for is known after it.
  await dispatchFacts(session, sources)
  asked.length = 0
  expect((await durableFacts(session, sources)).project).toEqual(new Set(["tag 3"]))
  expect(asked).toEqual([])
})
