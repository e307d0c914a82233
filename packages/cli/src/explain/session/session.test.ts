import { expect, test } from "bun:test"
import { type CompiledRule, parseRule, type Receipt, type ReceiptVerdict } from "@opencode-rulebook/rule-schema"
import { historyOf } from "../../../test/support/history.ts"
import {
  delivered,
  matched,
  NOON,
  receiptRule,
  ruleId,
  type SessionScript,
  script,
} from "../../../test/support/receipts.ts"
import { story } from "../../../test/support/story.ts"
import type { Paint } from "../../io.ts"
import { notYet } from "../../receipts/not-yet.ts"
import { byId } from "../../receipts/on-disk.ts"
import { sessionJson } from "./json.ts"
import { formatSession } from "./text.ts"

/** The same session without the names that are a dash. */
function withoutDashes(session: SessionScript): SessionScript {
  const receipts = session.receipts.map((receipt): Receipt => {
    if (receipt.kind !== "request") return receipt
    const { agent, model, ...rest } = receipt
    return { ...rest, ...(agent !== "-" && agent && { agent }), ...(model !== "-" && model && { model }) }
  })
  return { ...session, receipts }
}

/** Shows which text has which style. */
const MARKED: Paint = (style, text) => `<${style}>${text}</>`

function told(session: SessionScript, skipped = 0) {
  const history = historyOf(session)
  const missing = notYet(history, new Map())
  return {
    text: formatSession({ history, missing, skipped }, 90, MARKED),
    json: sessionJson(history, missing, skipped),
  }
}

/** The time so many receipts after the first one. */
function timeOf(seconds: number): string {
  return new Date(NOON + seconds * 1000).toISOString()
}

test("a session of one process, as text", () => {
  const rules = [
    receiptRule("a.md", { name: "Stored" }),
    receiptRule("b.md", { name: "Pending \u001b[1m" }),
    receiptRule("c.md", { name: "Brief", lifetime: "transient" }),
    receiptRule("d.md", { name: "Found" }),
    receiptRule("e.md", { name: "Missing" }),
  ]
  const brief = { kind: "transient", rule: ruleId("c.md"), tokens: 1500 } as const
  const session = script({ directory: "/home/\u001b[2J", id: "ses_\u001b[2J" })
    .begin(rules, ["bad.md", "worse.md"])
    .request({ agent: "-", model: "-", prompted: true, tokens: 1000 })
    .add(
      { kind: "found", rules: [ruleId("d.md")] },
      matched("a.md", "agent", "\u001b[2J"),
      delivered("a.md", { tokens: 1000 }),
    )
    .request({ agent: "build", model: "-", tokens: 2500 })
    .add({ ...brief, isOn: true, reason: "matched" })
    .request({ agent: "build", model: "-", did: [{ tool: "bash", paths: [], stopped: true }] })
    .add(
      { kind: "gone", rule: ruleId("a.md"), reason: "compacted" },
      delivered("a.md", { reason: "compacted", tokens: 1000 }),
    )
    .add({ ...brief, isOn: false, reason: "ended" })
    .add(
      { kind: "store", rules: [ruleId("b.md")], outcome: "retry" },
      { kind: "store", rules: [ruleId("b.md")], outcome: "retry" },
    )
    .request({ agent: "plan", model: "-", tokens: 1_000_000 })
    .add(delivered("b.md", { how: "request", reason: "hook", tokens: 5 }))
    .request({ agent: "plan", model: "m" })
    .add({ kind: "stopped", rule: ruleId("unknown.md"), reason: "held", tool: "write", paths: ["a.ts", "b.ts"] })
    .add({ kind: "full" })
  expect(told(withoutDashes(session), 2).text).toBe(`<bold>Session ses_\\u001b[2J</>
2026-11-30 12:00 to 2026-11-30 12:00, OpenCode 1, /home/\\u001b[2J
5 requests, 4 of 5 rules came, about 0 tokens of rules in the newest request

<dim>request</>  <dim>what came before it</>  <dim>rules that came (+) and left (-)</>          <dim>there</>     <dim>tokens</>
      1  prompt               <green>+ Found  found</>                                2      1,000
                              <green>+ Stored  matched: agent \\u001b[2J</>
      2  <dim>build</>                <green>+ Brief  matched</>                              3      2,500
      3  <red>✗ bash</>               <dim>- Brief  ended</>                                2          0
                              <green>+ Stored  again: compacted</>
      4  <dim>plan</>                 <green>+ Pending \\u001b[1m  hook</>                     3  1,000,000
      5  <dim>plan · m</>                                                           3          0
   <dim>next</>                       <red>✗ project:unknown.md  held: write a.ts</>
                              <red>    b.ts</>

<dim>rule</>                 <dim>requests</>  <dim>tokens</>  <dim>kept</>                  <dim>request: why it came</>
✓ Stored             1–5        1,000  stored                1: matched: agent \\u001b[2J
                                                             3: again: compacted
✓ Pending \\u001b[1m  4–5            5  not stored yet, 2     4: hook
                                       failed attempts
- Brief              2          1,500  transient             2: matched
✓ Found              1–5               stored                1: found

<bold>Not there, and why</>
  • Brief (its file is not there now): ended: its conditions no longer match
  • Missing (its file is not there now): its conditions have not been looked at yet

Can't be understood: project:bad.md, project:worse.md (\`check\` says why).
The file of receipts reached its size: what happened later is not in it.
Skipped 2 lines that are torn or of another version.
`)
})

test("rules that are not there: what their conditions saw, whether their files are still the same, and their hooks", () => {
  const directory = { scope: "project", path: "/app/.opencode/rules", root: "/app", prefix: "" } as const
  const onDisk = ["same", "edited"].map((name) => {
    const conditions = "match: all\nkeywords: [deploy]\nbranch: main"
    const text = `---\n${conditions}\nhooks: { type: PreToolUse, tool: ${"bash".repeat(20)} }\n---\nText.`
    return parseRule({ directory, path: `${directory.path}/${name}.md`, text }).rule as CompiledRule
  })
  const [same] = onDisk
  const verdicts: readonly ReceiptVerdict[] = [
    { family: "keywords", met: false },
    { family: "branch", met: true, seen: "\u001b[2J".repeat(12) },
  ]
  const rules = ["same", "edited"].map((name) => receiptRule(`${name}.md`, { name: `${name} \u001b[1m`, digest: "0" }))
  const session = script()
    .begin(rules.map((rule) => (rule.id === same?.id ? { ...rule, digest: same.digest.slice(0, 12) } : rule)))
    .request()
    .add({ kind: "verdicts", rules: Object.fromEntries(rules.map(({ id }) => [id, verdicts])) })
  const history = historyOf(session)
  const missing = notYet(history, byId(onDisk))
  const text = formatSession({ history, missing, skipped: 0 }, 60, MARKED)
  expect(text.slice(text.indexOf("<bold>Not there"))).toBe(`<bold>Not there, and why</>
  • same \\u001b[1m: not all of its conditions are met
<dim>    not met  prompt "deploy"</>
<green>    met      branch main, saw</>
<green>             \\u001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u</>
<green>             001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u00</>
<green>             1b[2J\\u001b[2J</>
<dim>    hook: PreToolUse bashbashbashbashbashbashbashbashbashbas</>
<dim>      hbashbashbashbashbashbashbashbashbashbash</>
  • edited \\u001b[1m (its file was edited since): not all of
    its conditions are met
<dim>    not met  keywords</>
<green>    met      branch, saw</>
<green>             \\u001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u</>
<green>             001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u001b[2J\\u00</>
<green>             1b[2J\\u001b[2J</>
`)
})

test("a session in which nothing happened, as text and for programs", () => {
  const { text, json } = told(script().begin())
  expect(text).toBe(`<bold>Session ses_1</>
2026-11-30 12:00 to 2026-11-30 12:00, OpenCode 1, /home/dev/app
0 requests, 0 of 0 rules came, about 0 tokens of rules in the newest request
`)
  const [startedAt, endedAt, directory] = [timeOf(0), timeOf(0), "/home/dev/app"]
  expect(json).toEqual({
    version: 1,
    session: { id: "ses_1", directory, startedAt, endedAt, requests: 0, isFull: false, skipped: 0 },
    runs: [{ at: timeOf(0), host: "OpenCode 1", plugin: "0.1.0", firstRequest: 1 }],
    ...{ requests: [], rules: [], broken: [] },
  })
})

test("a session of two processes for programs", () => {
  const bySight = (family: string, seen: string) => [{ kind: "condition", family, seen }]
  const stored = { reason: "matched", lifetime: "durable", isStored: true }
  const style = { ...stored, request: 1, why: "matched: always", tokens: 100, by: [{ kind: "always" }] }
  const unsafe = {
    ...stored,
    request: 2,
    why: "matched: file src/a.rs",
    tokens: 44,
    by: bySight("file", "src/a.rs"),
    until: 4,
  }
  const build = {
    ...{ request: 1, reason: "matched", why: "matched: agent build", lifetime: "transient", isStored: false },
    ...{ tokens: 20, by: bySight("agent", "build"), until: 3 },
  }
  const force = {
    ...stored,
    request: 3,
    reason: "hook",
    why: "hook: a bash call",
    tokens: 10,
    by: [{ kind: "hook", tool: "bash" }],
  }
  const nothing = { prompted: false, did: [], arrived: [], left: [], stopped: [], forbidden: [], followed: [] }
  const sent = { ...nothing, isSent: true, agent: "build", model: "anthropic/claude" }
  const [styleID, unsafeID, buildID, forceID] = ["style.md", "unsafe.md", "build.md", "force.md"].map(ruleId)
  const missing = { conditions: [], hooks: [] }
  const absent = { isThere: false, retries: 0, arrivals: [] }
  expect(told(story("/app"), 3).json).toEqual({
    version: 1,
    session: {
      ...{ id: "ses_1", directory: "/app", startedAt: timeOf(0), endedAt: timeOf(22), requests: 4, isFull: false },
      skipped: 3,
    },
    runs: [
      { at: timeOf(0), host: "OpenCode 1", plugin: "0.1.0", firstRequest: 1 },
      { at: timeOf(18), host: "OpenCode 1", plugin: "0.1.0", firstRequest: 4 },
    ],
    requests: [
      {
        ...{ ...sent, number: 1, at: timeOf(3), prompted: true, tokens: 120, there: [styleID, buildID] },
        arrived: [
          { rule: styleID, ...style },
          { rule: buildID, ...build },
        ],
      },
      {
        ...{ ...sent, number: 2, at: timeOf(9), tokens: 164, there: [styleID, unsafeID, buildID] },
        did: [
          { tool: "read", paths: ["src/a.rs"] },
          { tool: "read", paths: ["src/b.rs"] },
        ],
        arrived: [{ rule: unsafeID, ...unsafe }],
      },
      {
        ...{ ...sent, number: 3, at: timeOf(13), agent: "plan", tokens: 154, there: [styleID, unsafeID, forceID] },
        did: [{ tool: "bash", paths: [], stopped: true }],
        arrived: [{ rule: forceID, ...force }],
        left: [{ rule: buildID, reason: "ended" }],
        stopped: [{ rule: forceID, reason: "blocked", tool: "bash", paths: [] }],
      },
      {
        ...{
          ...sent,
          number: 4,
          at: timeOf(19),
          agent: "plan",
          prompted: true,
          tokens: 110,
          there: [styleID, forceID],
        },
        did: [{ tool: "edit", paths: ["src/a.rs"] }],
        left: [{ rule: unsafeID, reason: "compacted" }],
        forbidden: [{ rule: unsafeID, path: "src/a.rs", line: 7, literal: 0 }],
      },
      {
        ...{ ...nothing, number: 5, at: timeOf(22), isSent: false, tokens: 0, there: [] },
        followed: [{ rule: unsafeID, path: "src/b.rs" }],
      },
    ],
    rules: [
      {
        ...{ id: styleID, name: "House style", lifetime: "durable", activation: "always", isThere: true, retries: 1 },
        arrivals: [style],
      },
      {
        ...{
          ...absent,
          id: unsafeID,
          name: "Unsafe Rust",
          lifetime: "durable",
          activation: "conditions",
          arrivals: [unsafe],
        },
        missing: {
          ...{ ...missing, why: "compacted: a compaction took it from the conversation" },
          conditions: [{ family: "file", met: true, seen: "src/a.rs" }],
        },
      },
      {
        ...{ ...absent, id: ruleId("release.md"), name: "Releases", lifetime: "transient", activation: "conditions" },
        missing: {
          ...{ ...missing, why: "not all of its conditions are met" },
          conditions: [
            { family: "keywords", met: false },
            { family: "branch", met: true, seen: "release/1" },
          ],
        },
      },
      {
        ...{ ...absent, id: buildID, name: "While building", lifetime: "transient", activation: "conditions" },
        ...{ arrivals: [build], missing: { ...missing, why: "ended: its conditions no longer match" } },
      },
      {
        ...{ id: forceID, name: "No force", lifetime: "durable", activation: "hooks", isThere: true, retries: 0 },
        arrivals: [force],
      },
      {
        ...{ ...absent, id: ruleId("read-me.md"), name: "Deploying", lifetime: "durable", activation: "onRequest" },
        missing: { ...missing, why: "on request: the index names it, and the model reads it if it needs it" },
      },
    ],
    broken: [ruleId("bad.md")],
  })
})
