import { expect, test } from "bun:test"
import { join } from "node:path"
import { appendReceipts } from "@opencode-rulebook/rule-schema"
import { rule, testProject } from "./project.ts"
import { type ExportedSession, exportOf, NOON, readOf } from "./support/exports.ts"
import { delivered, matched, receiptRule, ruleId, script } from "./support/receipts.ts"

const SESSION: ExportedSession = {
  parentID: "ses_0",
  title: "Fix the parser",
  turns: [
    {
      prompt: "look around",
      steps: [
        [readOf("/home/dev/app/src/a.rs")],
        [{ tool: "write", input: { filePath: "/home/dev/app/src/b.ts", content: "a\ndebugger" } }],
      ],
    },
    { prompt: "deploy it", agent: "plan" },
  ],
}

const file = (seen: string) => ({ kind: "condition", family: "file", seen })

const RUST = {
  ...{ rule: ruleId("rust.md"), request: 2, reason: "matched", why: "matched: file src/a.rs", lifetime: "durable" },
  ...{ isStored: true, tokens: 3, by: [file("src/a.rs")] },
}
const DEBUG = {
  ...{ rule: ruleId("debug.md"), request: 3, reason: "matched", why: "matched: file src/b.ts", lifetime: "durable" },
  ...{ isStored: true, tokens: 3, by: [file("src/b.ts")] },
}
const DEPLOY = {
  ...{ rule: ruleId("deploy.md"), request: 4, reason: "matched", why: "matched: keywords", lifetime: "durable" },
  ...{ isStored: true, tokens: 3, by: [{ kind: "condition", family: "keywords" }] },
}
const PLAN = {
  ...{ rule: ruleId("plan.md"), request: 4, reason: "matched", why: "matched: agent plan", lifetime: "transient" },
  ...{ isStored: false, tokens: 3, by: [{ kind: "condition", family: "agent", seen: "plan" }] },
}

/** The sums of a rule that comes once. */
function sums(rule: string, name: string, { why, request }: Pick<typeof RUST, "why" | "request">, requests: number) {
  const moments = [{ why, sessions: 1, from: request, to: request }]
  const counts = { sessions: 1, deliveries: 1, requests, carriedTokens: 3 * requests, tokens: 3, stopped: 0 }
  return { id: ruleId(rule), name, ...counts, moments }
}

test("a session for programs: what comes, what is stopped, and how both differ from its receipts", async () => {
  await using project = await testProject({
    "rules/rust.md": rule('name: Rust\nglobs: "*.rs"'),
    "rules/debug.md": rule('globs: "*.ts"\nforbid: debugger\nhold: true'),
    "rules/deploy.md": rule("keywords: [deploy]"),
    "rules/plan.md": rule("agent: [plan]"),
    "rules/branch.md": rule("branch: [topic]"),
    "rules/bad.md": rule("ci: maybe"),
  })
  const { info, messages } = exportOf(SESSION)
  await project.write("s.json", JSON.stringify({ info, messages: [...messages, {}] }))
  await project.write("empty.json", "")
  const receipts = script({ directory: project.directory })
    .begin(["rust.md", "deploy.md", "old.md"].map((path) => receiptRule(path)))
    .request({ prompted: true })
    .add(matched("rust.md"), delivered("rust.md"), matched("old.md", "agent", "build"), delivered("old.md"))
    .request()
    .request()
    .request({ prompted: true })
    .add(matched("deploy.md", "keywords"), delivered("deploy.md")).receipts
  await appendReceipts(project.stateFolder, "ses_1", receipts)
  const { code, out, err } = await project.run(["replay", "s.json", "empty.json", "--diff", "--json"])
  expect({ code, err }).toEqual({ code: 1, err: "" })
  const bad = join(project.directory, ".opencode/rules/bad.md")
  const isWrong = { reason: "is neither true nor false", remedy: "Write `ci: true` or `ci: false`" }
  const problem = { severity: "error", code: "wrong-type", file: bad, line: 2, column: 5, field: "ci", ...isWrong }
  const before = { request: 1, reason: "matched", lifetime: "durable" }
  expect(JSON.parse(out)).toEqual({
    version: 1,
    sessions: [
      {
        ...{ id: "ses_1", parent: "ses_0", title: "Fix the parser", host: "OpenCode 1", directory: project.directory },
        ...{ updated: new Date(NOON + 10_000).toISOString(), requests: 4, assumed: ["branch"], unread: 1 },
        isRedacted: false,
        deliveries: [RUST, DEBUG, DEPLOY, PLAN],
        stopped: [
          {
            ...{ rule: ruleId("debug.md"), request: 3, reason: "refused", tool: "write", paths: ["src/b.ts"] },
            ...{ literal: 0, line: 2 },
          },
        ],
        difference: {
          against: "receipts",
          knowsWhen: true,
          gained: [DEBUG, PLAN],
          lost: [{ ...before, rule: ruleId("old.md"), why: "matched: agent build" }],
          moved: [{ now: RUST, before: { ...before, rule: ruleId("rust.md"), why: "matched: file" } }],
        },
      },
    ],
    rules: [
      { ...sums("debug.md", "debug", DEBUG, 2), stopped: 1 },
      sums("deploy.md", "deploy", DEPLOY, 1),
      sums("plan.md", "plan", PLAN, 1),
      sums("rust.md", "Rust", RUST, 3),
      {
        ...{ id: ruleId("branch.md"), name: "branch", sessions: 0, deliveries: 0, requests: 0, carriedTokens: 0 },
        ...{ tokens: 0, stopped: 0, moments: [] },
      },
    ],
    broken: [
      {
        id: ruleId("bad.md"),
        name: "bad",
        scope: "project",
        file: bad,
        digest: expect.any(String),
        problems: [problem],
      },
    ],
    failures: [
      `${join(project.directory, "empty.json")}: empty; expected is what \`opencode export SESSION > FILE\` writes`,
    ],
  })
})

test("without receipts, what messages deliver has a request and no reason; a session of nothing has no requests", async () => {
  await using project = await testProject({ "rules/deploy.md": rule("keywords: [deploy]") })
  const delivering = [
    { prompt: "deploy", delivers: ["project:deploy.md"] },
    { prompt: "x", delivers: ["project:old.md"] },
  ]
  await project.write("exports/a.json", JSON.stringify(exportOf({ ...SESSION, turns: delivering })))
  await project.write("exports/b.json", JSON.stringify(exportOf({ id: "ses_2", at: 0, turns: [] })))
  const read = async (...args: readonly string[]) =>
    JSON.parse((await project.run(["replay", "exports", "--json", ...args])).out).sessions
  const [stored, nothing] = await read("--diff")
  const none = { gained: [], lost: [], moved: [] }
  expect(stored.difference).toEqual({
    ...{ ...none, against: "metadata", knowsWhen: false, lost: [{ rule: ruleId("old.md"), request: 2 }] },
  })
  expect(nothing).toEqual({
    ...{ id: "ses_2", title: "A session", host: "OpenCode 1", directory: project.directory },
    ...{ updated: "1970-01-01T00:00:00.000Z", requests: 0, assumed: [], unread: 0, isRedacted: false },
    ...{ deliveries: [], stopped: [], difference: { ...none, against: "metadata", knowsWhen: false } },
  })
  expect((await read()).map((session: object) => "difference" in session)).toEqual([false, false])
})
