import { describe, expect, test } from "bun:test"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { appendReceipts, type Receipt } from "@opencode-rulebook/rule-schema"
import { rule, testProject } from "./project.ts"
import { type ExportedSession, exportOf, NOON, readOf } from "./support/exports.ts"
import { delivered, matched, receiptRule, ruleId, script } from "./support/receipts.ts"

const RULES = {
  "rules/rust.md": rule('name: Rust\nglobs: "*.rs"'),
  "rules/deploy.md": rule("keywords: [deploy]"),
  "rules/plan.md": rule("agent: [plan]"),
  "rules/css.md": rule('globs: "*.css"'),
}
const SESSION: ExportedSession = {
  title: "Fix the parser",
  turns: [
    { prompt: "look around", steps: [[readOf("/home/dev/app/src/a.rs")]] },
    { prompt: "deploy it", agent: "plan" },
  ],
}

/** Runs `replay` in a project with the rules, exports in `exports/` and what else is given. */
async function replay(
  sessions: readonly ExportedSession[],
  args: readonly string[] = ["exports"],
  files: Record<string, string> = {},
) {
  await using project = await testProject({ ...RULES, ...exportsOf(sessions), ...files })
  return await project.run(["replay", ...args])
}

function exportsOf(sessions: readonly ExportedSession[]): Record<string, string> {
  return Object.fromEntries(
    sessions.map((session, index) => [`exports/${session.id ?? index}.json`, JSON.stringify(exportOf(session))]),
  )
}

interface ReplayJson {
  readonly sessions: readonly {
    readonly id: string
    readonly requests: number
    readonly assumed: readonly string[]
    readonly deliveries: readonly { readonly rule: string; readonly request: number; readonly why: string }[]
    readonly difference?: {
      readonly against: string
      readonly knowsWhen: boolean
      readonly gained: readonly { readonly rule: string }[]
      readonly lost: readonly { readonly rule: string }[]
      readonly moved: readonly { readonly now: { readonly rule: string; readonly request: number } }[]
    }
  }[]
  readonly failures: readonly string[]
}

async function replayJson(...given: Parameters<typeof replay>): Promise<ReplayJson> {
  const [sessions, args = ["exports"], files] = given
  const { out } = await replay(sessions, [...args, "--json"], files)
  return JSON.parse(out) as ReplayJson
}

function deliveriesIn({ sessions }: ReplayJson): readonly string[] {
  return sessions.flatMap(({ deliveries }) => deliveries.map(({ rule: id, request, why }) => `${id} ${request} ${why}`))
}

test("each rule says in how many sessions it comes, at which request, what brings it, and what it costs", async () => {
  const again = { ...SESSION, id: "ses_2", turns: [{ prompt: "deploy it" }, { prompt: "go on" }] }
  expect(await replay([SESSION, again])).toEqual({
    code: 0,
    err: "",
    out: `2 sessions, 5 requests, with the rules as they are now.

rule      sessions  comes first                                   tokens  in all
deploy      2 of 2  requests 1–3, matched: keywords (2 sessions)       3       9
plan        1 of 2  request 3, matched: agent plan                     3       3
Rust        1 of 2  request 2, matched: file src/a.rs                  3       6

Never delivered: css.
`,
  })
})

test("a session of another machine is played with the paths of this one", async () => {
  const files = { "rules/rust.md": rule('globs: "/src/*.rs"') }
  expect(deliveriesIn(await replayJson([SESSION], ["exports"], files))).toContain(
    "project:rust.md 2 matched: file src/a.rs",
  )
})

test("a session of a folder that is here is played with that folder's rules", async () => {
  await using project = await testProject({ ...RULES, "sub/.opencode/rules/own.md": rule("keywords: [look]") })
  const session = { ...SESSION, directory: join(project.directory, "sub") }
  await project.write("s.json", JSON.stringify(exportOf(session)))
  const { out } = await project.run(["replay", "s.json", "--json"])
  expect(deliveriesIn(JSON.parse(out))).toEqual(["project:own.md 1 matched: keywords"])
})

describe("--rules", () => {
  test("a folder of drafts stands in for the project's rules; the user's stay", async () => {
    const files = {
      "drafts/look.md": rule("keywords: [look]"),
      "global/mine.md": rule("keywords: [deploy]"),
    }
    const read = await replayJson([SESSION], ["exports", "--rules", "drafts"], files)
    expect(deliveriesIn(read)).toEqual(["project:look.md 1 matched: keywords", "global:mine.md 3 matched: keywords"])
    const { out } = await replay([SESSION], ["exports", "--rules", "drafts"], files)
    expect(out).toStartWith("1 session, 3 requests, with the rules of drafts.\n")
  })

  test("another checkout of the project, with its nested folders", async () => {
    const files = {
      "other/.opencode/rules/rust.md": rule('globs: "/src/*.rs"'),
      "other/src/.opencode/rules/deep.md": rule('globs: "*.rs"'),
    }
    const read = await replayJson([SESSION], ["exports", "--rules", "other"], files)
    expect(deliveriesIn(read)).toEqual([
      "project:rust.md 2 matched: file src/a.rs",
      "project:src/deep.md 2 matched: file src/a.rs",
    ])
  })

  test("what is no folder is an error", async () => {
    const { code, err } = await replay([SESSION], ["exports", "--rules", "nowhere"])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^error: --rules .*nowhere: not a folder\n$/) })
  })
})

describe("--diff", () => {
  const delivering: ExportedSession = {
    ...SESSION,
    turns: [
      { prompt: "look around", delivers: ["project:old.md"] },
      { prompt: "deploy it", delivers: ["project:deploy.md"] },
    ],
  }

  test("without receipts, the rules that messages deliver are compared, and only they", async () => {
    const { code, out } = await replay(
      [{ ...delivering, turns: [...delivering.turns, ...SESSION.turns] }],
      ["exports", "--diff"],
    )
    expect(code).toBe(1)
    expect(out).toEndWith(`
ses_1  2026-11-30  Fix the parser
  + project:rust.md  request 4, matched: file src/a.rs
  - project:old.md  request 1

Against what was delivered then: 1 gained, 1 lost, 0 at another request or for another reason. 1
session without receipts: only what was stored is compared.
`)
  })

  test("with receipts, transient rules and the request count too", async () => {
    await using project = await testProject({ ...RULES, ...exportsOf([SESSION]) })
    const rules = ["rust.md", "deploy.md", "plan.md"].map((path) => receiptRule(path))
    const receipts = script({ directory: project.directory })
      .begin(rules)
      .request({ prompted: true })
      .add(matched("rust.md"), delivered("rust.md"), matched("deploy.md", "keywords"), delivered("deploy.md"))
      .request()
      .request({ prompted: true }).receipts
    await appendReceipts(project.stateFolder, "ses_1", receipts)
    const { out, code } = await project.run(["replay", "exports", "--diff", "--json"])
    const { difference } = (JSON.parse(out) as ReplayJson).sessions[0] ?? {}
    expect(code).toBe(1)
    expect(difference).toMatchObject({ against: "receipts", knowsWhen: true, lost: [] })
    expect(difference?.gained.map(({ rule: id }) => id)).toEqual(["project:plan.md"])
    expect(difference?.moved.map(({ now }) => [now.rule, now.request])).toEqual([
      ["project:rust.md", 2],
      ["project:deploy.md", 3],
    ])
  })

  test("receipts of other requests say which rules came, not when", async () => {
    await using project = await testProject({ ...RULES, ...exportsOf([SESSION]) })
    const receipts = script()
      .begin([receiptRule("rust.md")])
      .request()
      .add(delivered("rust.md")).receipts
    await appendReceipts(project.stateFolder, "ses_1", receipts)
    const { out } = await project.run(["replay", "exports", "--diff", "--json"])
    const { difference } = (JSON.parse(out) as ReplayJson).sessions[0] ?? {}
    expect(difference).toMatchObject({ against: "receipts", knowsWhen: false, lost: [], moved: [] })
    expect(difference?.gained.map(({ rule: id }) => id)).toEqual(["project:deploy.md", "project:plan.md"])
  })
})

describe("facts that an export does not tell", () => {
  const files = {
    "rules/topic.md": rule("branch: [topic]"),
    "rules/greet.md": rule("command: [greet]"),
    "opencode.json": JSON.stringify({ command: { greet: { template: "Please greet $ARGUMENTS, warmly." } } }),
    ".opencode/command/part/leave.md": "---\ndescription: x\n---\nSay goodbye to them",
    "rules/leave.md": rule("command: [part/leave]"),
  }
  const session: ExportedSession = {
    turns: [
      { prompt: "Please greet Ada, warmly." },
      { prompt: "Say goodbye to them\n\nat once" },
      { prompt: "Please greet" },
    ],
  }

  test("are as now: commands are recognised by their templates", async () => {
    const read = await replayJson([session], ["exports"], files)
    expect(deliveriesIn(read)).toEqual([
      "project:greet.md 1 matched: command greet",
      "project:leave.md 2 matched: command part/leave",
    ])
    expect(read.sessions[0]?.assumed).toEqual(["branch", "command"])
    const { out } = await replay([session], ["exports"], files)
    expect(out).toContain(
      "As they are now, because sessions do not store them: the git branch, slash commands (recognised by\n  their templates).",
    )
  })

  test("are what the receipts of each turn tell", async () => {
    await using project = await testProject({ ...RULES, ...files, ...exportsOf([session]) })
    const verdicts = (request: number, branch: string, command?: string): Receipt[] => [
      { v: 1, at: NOON + request * 2000 - 500, request, kind: "request", prompted: true, did: [], tokens: 0 },
      {
        ...{ v: 1, at: NOON + 60_000, request, kind: "verdicts" },
        rules: {
          [ruleId("topic.md")]: [{ family: "branch", met: branch === "topic", seen: branch }],
          [ruleId("greet.md")]: [{ family: "command", met: false, ...(command !== undefined && { seen: command }) }],
        },
      },
    ]
    const told = [...verdicts(1, "main"), ...verdicts(2, "topic", "greet"), ...verdicts(3, "topic")]
    await appendReceipts(project.stateFolder, "ses_1", [...script().begin().receipts, ...told])
    const read = JSON.parse((await project.run(["replay", "exports", "--json"])).out) as ReplayJson
    expect(deliveriesIn(read)).toEqual([
      "project:greet.md 2 matched: command greet",
      "project:topic.md 2 matched: branch topic",
    ])
    expect(read.sessions[0]?.assumed).toEqual([])
  })
})

test("what is missing is said: sessions of subagents, texts, messages", async () => {
  const started = { tool: "task", input: {}, metadata: { sessionId: "ses_2" } }
  const { info, messages } = exportOf({
    title: "[redacted:session-title]",
    turns: [{ prompt: "x", steps: [[started]] }],
  })
  const text = JSON.stringify({ info, messages: [...messages, {}] })
  const { out } = await replay([], ["s.json"], { "s.json": text })
  expect(out).toContain("\nNot among them: 1 session of subagents.\n")
  expect(out).toContain("\n1 session exported with --sanitize: texts, paths and arguments are not known.\n")
  expect(out).toEndWith("\n1 message could not be read: left out.\n")
})

test("long work shows on a terminal how far it is, and leaves nothing of that", async () => {
  await using project = await testProject({ ...RULES, ...exportsOf([SESSION, { ...SESSION, id: "ses_2" }]) })
  const { err } = await project.run(["replay", "exports"], { showsProgress: true })
  expect(err).toBe("\r\u001b[Kreplay: 0 of 2 sessions\r\u001b[Kreplay: 1 of 2 sessions\r\u001b[K")
})

describe("which sessions", () => {
  const at = (id: string, days: number): ExportedSession => ({ ...SESSION, id, at: NOON - days * 86_400_000 })
  const sessions = [at("ses_a", 3), at("ses_b", 1), at("ses_c", 2)]
  const ids = async (...args: readonly string[]) =>
    (await replayJson(sessions, ["exports", ...args])).sessions.map(({ id }) => id)

  test("all of a folder, the newest first; or the newest few, or those since a date", async () => {
    expect(await ids()).toEqual(["ses_b", "ses_c", "ses_a"])
    expect(await ids("--limit", "2")).toEqual(["ses_b", "ses_c"])
    expect(await ids("--since", "2026-11-28T13:00Z")).toEqual(["ses_b"])
    const days = Math.ceil((Date.now() - NOON) / 86_400_000)
    expect(await ids("--since", `${days + 2}d`)).toEqual(["ses_b", "ses_c"])
    expect(await ids("--since", `${days * 24 + 48}h`)).toEqual(["ses_b", "ses_c"])
    const { code, out } = await replay(sessions, ["exports", "--since", "2126-01-01"])
    expect({ code, out }).toEqual({ code: 0, out: "no session is that new; try another --since.\n" })
  })

  test("of two exports of one session, the newer counts", async () => {
    const files = { "exports/z.json": JSON.stringify(exportOf({ ...at("ses_b", 0), title: "newer" })) }
    const { sessions: read } = await replayJson(sessions, ["exports"], files)
    expect(read.map(({ id }) => id)).toEqual(["ses_b", "ses_c", "ses_a"])
  })

  test.each([
    [["--since", "soon"], "--since soon: give a day (2026-11-30), or how long ago (12h, 7d, 2w)"],
    [["--limit", "0"], "--limit 0: give a number from 1 on"],
    [["--limit", "-1"], "--limit -1: give a number from 1 on"],
    [["nowhere"], "nowhere: no such file or folder, and no session's id (ses_…)"],
    [["exports", "ses_x"], "name either session ids or files, not both"],
    [["empty"], "empty: there is no file in it that ends in .json"],
  ])("%p is an error", async (args, message) => {
    const { code, err } = await replay(sessions, args, { "empty/notes.txt": "" })
    expect({ code, told: err.includes(message) }).toEqual({ code: 2, told: true })
  })
})

describe("what is no export", () => {
  const whole = JSON.stringify(exportOf(SESSION))

  test.each([
    ["", "empty"],
    [whole.slice(0, 300), "not whole or not JSON"],
    ["{}", "not a session"],
    ['{"info":{"id":"ses_1"}}', "not a session"],
  ])("is an error that names the file and what is expected", async (text, reason) => {
    const { code, err, out } = await replay([], ["bad.json"], { "bad.json": text })
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toMatch(
      new RegExp(`^error: .*bad\\.json: ${reason}.*; expected is what \`opencode export SESSION > FILE\` writes\n$`),
    )
  })

  test("is left out beside others, and the exit code says so", async () => {
    const { code, err, out } = await replay([SESSION], ["exports"], { "exports/bad.json": "{" })
    expect({ code, isRead: out.startsWith("1 session, 3 requests") }).toEqual({ code: 1, isRead: true })
    expect(err).toContain("bad.json: not whole or not JSON")
    const read = await replayJson([SESSION], ["exports"], { "exports/bad.json": "{" })
    expect(read.failures).toEqual([expect.stringContaining("bad.json: not whole or not JSON")])
  })

  test("a rule that can't be understood is an error too", async () => {
    const { code, err } = await replay([SESSION], ["exports"], { "rules/bad.md": rule("ci: maybe") })
    expect(code).toBe(1)
    expect(err).toContain("bad.md:2:5 ci")
  })
})

describe("sessions of OpenCode", () => {
  const here = (directory: string): readonly ExportedSession[] => [
    {
      ...SESSION,
      id: "ses_parent",
      directory,
      turns: [
        {
          prompt: "look",
          steps: [[{ tool: "task", input: { command: "look" }, metadata: { sessionId: "ses_child" } }]],
        },
      ],
    },
    { ...SESSION, id: "ses_child", parentID: "ses_parent", directory, turns: [{ prompt: "deploy it" }] },
  ]

  /** A command `opencode` that answers with files, and notes how it was called. */
  async function fakeOpenCode(directory: string, version: string): Promise<Record<string, string>> {
    const folder = join(directory, "bin")
    await mkdir(folder)
    const sessions = here(directory)
    const listed = [
      { id: "ses_parent", title: "x", updated: NOON, created: NOON, projectId: "global", directory },
      { id: "ses_other", title: "x", updated: NOON, created: NOON, projectId: "global", directory: "/elsewhere" },
    ]
    await writeFile(join(folder, "list.json"), JSON.stringify(listed))
    for (const session of sessions)
      await writeFile(join(folder, `${session.id}.json`), JSON.stringify(exportOf(session)))
    const text = `#!/bin/sh
cd "$(dirname "$0")"
echo "$* pure=$OPENCODE_PURE" >> calls
case "$*" in
  --version) echo ${version} ;;
  "session list "*) cat list.json ;;
  *export*) for id; do :; done; cat "$id.json" 2>/dev/null || { printf '\\033[91mError: \\033[0mSession not found: %s\\n' "$id" >&2; exit 1; } ;;
esac
`
    await writeFile(join(folder, "opencode"), text)
    await chmod(join(folder, "opencode"), 0o755)
    return { PATH: `${folder}:${process.env["PATH"]}` }
  }

  test.each([
    ["1.18.33", "export ses_parent pure=1"],
    ["2.0.26", "session export ses_parent pure=1"],
  ])("of version %s are asked for, with those of subagents, and without other folders'", async (version, call) => {
    await using project = await testProject(RULES)
    const env = await fakeOpenCode(project.directory, version)
    const { code, out, err } = await project.run(["replay", "--json"], { env })
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const read = JSON.parse(out) as ReplayJson
    expect(read.sessions.map(({ id }) => id)).toEqual(["ses_parent", "ses_child"])
    expect(deliveriesIn(read)).toEqual(["project:deploy.md 1 matched: keywords"])
    const calls = (await Bun.file(join(project.directory, "bin/calls")).text()).split("\n")
    expect(calls[1]).toBe("session list --format json --max-count 10000 pure=1")
    expect(calls[2]).toBe(call)
  })

  test("one by its id; and what OpenCode says of one that is not there", async () => {
    await using project = await testProject(RULES)
    const env = await fakeOpenCode(project.directory, "1.18.33")
    const read = JSON.parse((await project.run(["replay", "ses_child", "--json"], { env })).out) as ReplayJson
    expect(read.sessions.map(({ id }) => id)).toEqual(["ses_child"])
    expect(await project.run(["replay", "ses_gone"], { env })).toEqual({
      code: 2,
      out: "",
      err: "error: `opencode export ses_gone` failed: Session not found: ses_gone\n",
    })
  })

  test("without the command `opencode`, it says what to do", async () => {
    await using project = await testProject(RULES)
    const { code, err } = await project.run(["replay"], { env: { PATH: "/nowhere" } })
    expect({ code, err }).toEqual({
      code: 2,
      err: "error: the command `opencode` was not found; install OpenCode, or name files that `opencode export` wrote\n",
    })
  })

  test("of a running server", async () => {
    await using project = await testProject(RULES)
    const sessions = here(project.directory)
    const asked: string[] = []
    using server = Bun.serve({
      port: 0,
      fetch(request) {
        const { pathname, searchParams } = new URL(request.url)
        asked.push(`${pathname} ${searchParams.get("directory") === project.directory}`)
        if (request.headers.get("authorization") !== `Basic ${btoa("opencode:secret")}`)
          return new Response("", { status: 401 })
        if (pathname === "/session") return Response.json(sessions.map((session) => exportOf(session).info))
        const found = sessions.map(exportOf).find(({ info }) => pathname.startsWith(`/session/${info.id}`))
        if (found === undefined) return new Response("", { status: 404 })
        return Response.json(pathname.endsWith("/message") ? found.messages : found.info)
      },
    })
    const url = server.url.href
    const env = { OPENCODE_SERVER_PASSWORD: "secret" }
    const { out } = await project.run(["replay", "--server", url, "--json"], { env })
    expect((JSON.parse(out) as ReplayJson).sessions.map(({ id }) => id)).toEqual(["ses_parent", "ses_child"])
    expect(asked[0]).toBe("/session true")
    expect((await project.run(["replay", "--server", url])).err).toContain("/session: OpenCode answered 401\n")
    expect((await project.run(["replay", "ses_gone", "--server", url], { env })).err).toContain(
      "OpenCode answered 404\n",
    )
    expect((await project.run(["replay", "--server", "nothing"])).err).toContain("--server nothing: not an address")
  })

  test("a server that isn't there is an error", async () => {
    await using project = await testProject(RULES)
    const { code, err } = await project.run(["replay", "--server", "http://127.0.0.1:1"])
    expect({ code, told: err.includes("is an OpenCode server running there?") }).toEqual({ code: 2, told: true })
  })
})
