import { expect, test } from "bun:test"
import { parseRule, type Receipt, type Rulebook } from "@opencode-rulebook/rule-schema"
import { readExport, type StoredSession } from "@opencode-rulebook/server/dry-run"
import { ruleId } from "../../test/support/receipts.ts"
import { play } from "./play.ts"
import { eventsOfTurn, writeOf } from "./turn.ts"

const SOURCES = {
  os: "linux",
  ci: false,
  project: async () => undefined,
  branch: async () => undefined,
  tools: async () => undefined,
}
const AROUND = { directory: "/app", sources: SOURCES, findNested: async () => [] }

function rulebookOf(rules: Readonly<Record<string, string>>): Rulebook {
  const directory = { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" } as const
  const parsed = Object.entries(rules).map(([name, text]) => {
    const one = parseRule({ directory, path: `${directory.path}/${name}.md`, text })
    if (one.kind === "broken") throw new Error(JSON.stringify(one.rule.problems))
    return one.rule
  })
  return { rules: parsed, broken: [], problems: [], folders: [] }
}

let clock = 1_000
const at = () => ({ created: clock++ })
const user = (text: string) => ({ id: `msg_${clock}`, type: "user", text, time: at() })
const answer = (...calls: readonly (() => object)[]) => {
  const own = {
    id: `msg_${clock}`,
    type: "assistant",
    agent: "build",
    model: { id: "m1", providerID: "lab" },
    time: at(),
  }
  return { ...own, content: calls.map((make) => make()) }
}
const idle = () => ({ id: `msg_${clock}`, type: "idle", outcome: "succeeded", time: at() })
const compaction = () => ({ id: `msg_${clock}`, type: "compaction", status: "completed", summary: "s", time: at() })
const call = (name: string, input: object, shown: string) => () => ({
  ...{ type: "tool", id: `call_${clock}`, name },
  state: { status: "completed", input, content: [{ type: "text", text: shown }] },
  time: { created: clock, ran: clock++, completed: clock++ },
})

/** A session that OpenCode 2 exported. */
function v2Session(...messages: readonly object[]): StoredSession {
  const info = { id: "ses_1", title: "x", location: { directory: "/app" }, time: { created: 1, updated: 9 } }
  const session = readExport({ info, messages })
  if (session === undefined) throw new Error("not an export")
  return session
}

/** What the receipts of a played session say of its rules, in short, request by request. */
async function receiptsOf(rules: Readonly<Record<string, string>>, session: StoredSession) {
  const notes: string[] = []
  const note = (_id: string, receipt: Receipt) => {
    const { kind, request } = receipt
    if (kind === "session" || kind === "request" || kind === "verdicts") return
    const named = "rules" in receipt ? receipt.rules : "rule" in receipt ? [receipt.rule] : []
    const how = "how" in receipt ? ` ${receipt.how} ${receipt.reason}` : "reason" in receipt ? ` ${receipt.reason}` : ""
    notes.push(`${request} ${kind} ${named.join("+").replaceAll("project:", "")}${how}`)
  }
  await play(rulebookOf(rules), AROUND, session, { receipts: { host: "h", plugin: "p", note } }, "ses_1")
  return notes
}

test("a session of OpenCode 2: rules are stored at safe points, as messages, and a compaction takes them away", async () => {
  const rules = {
    always: "Text.",
    rust: "---\nglobs: '*.rs'\n---\nText.",
    deploy: "---\nkeywords: [deploy]\n---\nText.",
    late: "---\nfileContains: line 250\n---\nText.",
  }
  const lines = Array.from({ length: 300 }, (_, index) => `${index + 1}: line ${index + 1}`)
  const session = v2Session(
    user("look"),
    answer(call("read", { path: "/app/a.rs" }, "Read file /app/a.rs, lines 1-1\n1: fn a() {}")),
    answer(call("read", { path: "/app/b.txt" }, ["Read file /app/b.txt, lines 1-300", ...lines].join("\n"))),
    answer(),
    idle(),
    user("deploy it"),
    answer(),
    idle(),
    compaction(),
    user("go on"),
    answer(),
  )
  expect(await receiptsOf(rules, session)).toEqual([
    ...[
      "1 matched always.md",
      "1 delivered always.md request matched",
      "1 matched rust.md",
      "1 store always.md+rust.md",
    ],
    "2 delivered rust.md stored matched",
    // A long Read shows its text with the next request.
    ...["3 matched late.md", "3 delivered late.md request matched", "3 store late.md"],
    // What is pending is stored ahead of the next prompt, which is behind the compaction.
    ...["4 matched deploy.md", "4 delivered deploy.md request matched", "4 store deploy.md"],
    ...["5 gone always.md compacted", "5 delivered always.md request compacted"],
    ...["5 gone rust.md compacted", "5 delivered rust.md request compacted"],
    ...["5 gone deploy.md compacted", "5 delivered deploy.md stored compacted"],
    ...["5 gone late.md compacted", "5 delivered late.md request compacted"],
  ])
})

test("OpenCode 2 stores at most twelve rules in one message", async () => {
  const names = Array.from({ length: 13 }, (_, index) => `r${String(index + 1).padStart(2, "0")}`)
  const rules = Object.fromEntries(names.map((name) => [name, "Text."]))
  const session = v2Session(user("look"), answer(call("shell", { command: "ls" }, "ok")), answer())
  const stores = (await receiptsOf(rules, session)).filter((note) => note.includes(" store "))
  const files = names.map((name) => `${name}.md`)
  expect(stores.map((note) => note.split(" ").at(-1))).toEqual([
    ...[files.slice(0, 12).join("+"), files.slice(12).join("+")],
  ])
})

test("a held call is made again after the next request, with that one behind it; one that is refused is not", async () => {
  const rulebook = rulebookOf({
    held: "---\nglobs: '*.rs'\nhold: true\n---\nText.",
    refusing: "---\nglobs: '*.ts'\nforbid: [debugger]\nhold: true\n---\nText.",
    log: "---\nglobs: '*.rs'\nforbid: ['log(', x]\n---\nText.",
  })
  const turn = { prompt: "x", command: undefined, agent: "build", model: undefined }
  const calls = [
    writeOf("/app/a.rs", "a\nlog("),
    writeOf("/app/b.ts", "debugger"),
    { tool: "bash", args: { command: "ls" } },
  ]
  const seen: number[] = []
  const played = await play(rulebook, AROUND, eventsOfTurn({ turn, files: [], calls }), {
    traces: true,
    clock: (at) => seen.push(at),
  })
  const [held, refused, shell] = calls.map((one) => ({ ...one, file: undefined, stops: [], breaks: [] }))
  const observed = (path: string, content: string) => ({ observations: [{ path, tool: "write", content }] })
  const [wroteA, wroteB] = [observed("/app/a.rs", "a\nlog("), observed("/app/b.ts", "debugger")]
  const [heldFor, refusedFor] = [["a.rs"], ["b.ts"]].map((paths) => ({ paths }))
  // Stops and breaks are the receipts of them, which have more.
  const picked = played.calls.map((step) =>
    step.map(({ stops, breaks, ...call }) => ({
      ...call,
      stops: stops.map(({ rule, reason, literal, line, paths }) => ({ rule, reason, literal, line, paths })),
      breaks: breaks.map(({ rule, literal, path, line }) => ({ rule, literal, path, line })),
    })),
  )
  expect(picked).toEqual([
    [],
    [{ ...held, ...wroteA, stops: [{ rule: ruleId("held.md"), reason: "held", ...heldFor }] }],
    [{ ...held, ...wroteA, breaks: [{ rule: ruleId("log.md"), literal: 0, path: "a.rs", line: 2 }] }],
    [
      {
        ...refused,
        ...wroteB,
        stops: [{ rule: ruleId("refusing.md"), reason: "refused", literal: 0, line: 1, ...refusedFor }],
      },
    ],
    [{ ...shell, observations: [] }],
    [],
  ] as never)
  const inRequests = played.requests.map(({ rules }) =>
    rules.flatMap(({ rule, appliesAs }) => (appliesAs ? rule.name : [])),
  )
  expect(inRequests).toEqual([
    ...[[], ["held"], ["held", "log"], ["held", "refusing", "log"], ["held", "refusing", "log"]],
  ])
  expect(seen).toHaveLength(1 + 4 * 4 + 1)
})

test("without repetition, a held call is made once; requests are not traced where nobody asks", async () => {
  const rulebook = rulebookOf({ held: "---\nglobs: '*.rs'\nhold: true\n---\nText." })
  const turn = { prompt: "x", command: undefined, agent: "build", model: undefined }
  const { events, keeps } = eventsOfTurn({ turn, files: [], calls: [writeOf("/app/a.rs", "x")] })
  const played = await play(rulebook, AROUND, { events, keeps }, {})
  expect(played.calls.map((calls) => calls.map(({ stops }) => stops.length))).toEqual([[], [1], []])
  expect(played.requests).toEqual([])
})
