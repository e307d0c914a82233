import { describe, expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
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
    readonly title: string
    readonly directory: string
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

describe("a session's place", () => {
  const reading = (...paths: readonly string[]) => [{ prompt: "look", steps: paths.map((path) => [readOf(path)]) }]
  const deliveredIn = (read: ReplayJson) => {
    return read.sessions.map(({ deliveries }) => deliveries.map(({ rule: id, request }) => `${id} ${request}`))
  }

  test("a folder that is here is its own; another one, a file and a relative path are the project's", async () => {
    await using project = await testProject({ ...RULES, "sub/.opencode/rules/own.md": rule("keywords: [look]") })
    const own = join(project.directory, "sub")
    const folders = [own, "/nowhere/app", join(project.directory, "package.json"), "sub"]
    await project.write("package.json", "{}")
    for (const [index, directory] of folders.entries()) {
      const session = { id: `ses_${index}`, at: NOON - index * 60_000, directory, turns: reading("src/a.rs") }
      await project.write(`exports/${index}.json`, JSON.stringify(exportOf(session)))
    }
    const read = JSON.parse((await project.run(["replay", "exports", "--json"])).out) as ReplayJson
    expect(deliveredIn(read)).toEqual([
      ["project:own.md 1"],
      ...[["project:rust.md 2"], ["project:rust.md 2"], ["project:rust.md 2"]],
    ])
    expect(read.sessions.map(({ directory }) => directory)).toEqual([
      ...[own, project.directory, project.directory, project.directory],
    ])
  })

  test("each session finds the rules of each nested folder, also of folders that others have seen", async () => {
    const files = {
      "a/.opencode/rules/in-a.md": rule('globs: "*.ts"'),
      "b/.opencode/rules/in-b.md": rule('globs: "*.ts"'),
    }
    const [one, other] = [reading("a/x.ts", "empty/x.ts", "b/x.ts"), reading("empty/x.ts", "b/x.ts", "a/x.ts")]
    const sessions = [one, other, one].map((turns, index) => ({ id: `ses_${index}`, at: NOON - index * 60_000, turns }))
    expect(deliveredIn(await replayJson(sessions, ["exports"], files))).toEqual([
      ["project:a/in-a.md 2", "project:b/in-b.md 4"],
      ["project:b/in-b.md 3", "project:a/in-a.md 4"],
      ["project:a/in-a.md 2", "project:b/in-b.md 4"],
    ])
  })
})

describe("--rules", () => {
  test("a folder of drafts stands in for the project's rules, those of nested folders too; the user's stay", async () => {
    const files = {
      "drafts/look.md": rule("keywords: [look]"),
      "drafts/deep/rust.md": rule('globs: "/src/*.rs"'),
      "src/.opencode/rules/nested.md": rule('globs: "*.rs"'),
      "global/mine.md": rule("keywords: [deploy]"),
    }
    const read = await replayJson([SESSION], ["exports", "--rules", "drafts"], files)
    expect(deliveriesIn(read)).toEqual([
      "project:look.md 1 matched: keywords",
      "project:deep/rust.md 2 matched: file src/a.rs",
      "global:mine.md 3 matched: keywords",
    ])
    const { out } = await replay([SESSION], ["exports", "--rules", "drafts"], files)
    expect(out).toStartWith("1 session, 3 requests, with the rules of drafts.\n")
  })

  test("another checkout of the project, with its nested folders; facts are those of the project", async () => {
    const files = {
      "package.json": "{}",
      "other/go.mod": "",
      "other/.opencode/rules/rust.md": rule('globs: "/src/*.rs"'),
      "other/.opencode/rules/node.md": rule("project: [node]"),
      "other/.opencode/rules/go.md": rule("project: [go]"),
      "other/src/.opencode/rules/deep.md": rule('globs: "*.rs"'),
    }
    const read = await replayJson([SESSION], ["exports", "--rules", "other"], files)
    expect(deliveriesIn(read)).toEqual([
      "project:node.md 1 matched: project node",
      "project:rust.md 2 matched: file src/a.rs",
      "project:src/deep.md 2 matched: file src/a.rs",
    ])
    expect(read.sessions.map(({ directory }) => directory.endsWith("/app/other"))).toEqual([true])
  })

  test("of a session in a folder of the repository, the same folder of the checkout", async () => {
    const files = {
      ...{ "web/x.txt": "", "other/.opencode/rules/root.md": rule("keywords: [look]") },
      ...{ "other/web/.opencode/rules/web.md": rule("keywords: [look]"), "web/.opencode/rules/own.md": "Text." },
    }
    await using project = await testProject(files, true)
    await mkdir(join(project.directory, "other/.git"))
    const session = { ...SESSION, directory: join(project.directory, "web") }
    await project.write("s.json", JSON.stringify(exportOf(session)))
    const { out } = await project.run(["replay", "s.json", "--rules", "other", "--json"])
    expect(deliveriesIn(JSON.parse(out))).toEqual([
      "project:root.md 1 matched: keywords",
      "project:web/web.md 1 matched: keywords",
    ])
  })

  test.each(["nowhere", "opencode.json"])("what is no folder is an error: %s", async (name) => {
    const { code, out, err } = await replay([SESSION], ["exports", "--rules", name], { "opencode.json": "{}" })
    expect({ code, out, err }).toEqual({
      code: 2,
      out: "",
      err: expect.stringMatching(new RegExp(`^error: --rules /.*/app/${name}: not a folder\n$`)),
    })
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
  const files = exportsOf([SESSION, { ...SESSION, id: "ses_2" }])
  await using project = await testProject({ ...RULES, ...files, "exports/bad.json": "" })
  const { err } = await project.run(["replay", "exports", "--json"], { showsProgress: true })
  expect(err).toBe("\r\u001b[Kreplay: 1 of 3 sessions\r\u001b[Kreplay: 2 of 3 sessions\r\u001b[K")
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

  test.each(["exports/0.json", "exports/z.json"])(
    "of two exports of one session, the newer counts: %s",
    async (name) => {
      const files = { [name]: JSON.stringify(exportOf({ ...at("ses_b", 0), title: "newer" })) }
      const { sessions: read } = await replayJson(sessions, ["exports"], files)
      expect(read.map(({ id, title }) => [id, title])).toEqual([
        ["ses_b", "newer"],
        ["ses_c", "Fix the parser"],
        ["ses_a", "Fix the parser"],
      ])
    },
  )

  test("the first of two exports of the same age counts; those of the same age are in the order of their names", async () => {
    const named = (title: string) => JSON.stringify(exportOf({ ...SESSION, id: "ses_a", title }))
    const others = ["f", "c", "e", "d", "b"].map((name): [string, string] => {
      return [`more/${name}/x.JSON`, JSON.stringify(exportOf({ ...SESSION, id: `ses_${name}` }))]
    })
    const files = {
      ...Object.fromEntries(others),
      "more/y.json": named("second"),
      "more/a.json": named("first"),
      "more/z.txt": "",
    }
    const { sessions: read, failures } = await replayJson([], ["more"], files)
    expect(failures).toEqual([])
    expect(read.map(({ id, title }) => `${id} ${title}`)).toEqual([
      "ses_a first",
      ...["b", "c", "d", "e", "f"].map((name) => `ses_${name} Fix the parser`),
    ])
  })

  test("what is named twice is read once, and a file may have any name", async () => {
    const files = { ses_x: JSON.stringify(exportOf(SESSION)), "bad/bad.json": "" }
    const { sessions: read, failures } = await replayJson([], ["ses_x", "bad", "bad/bad.json", "ses_x"], files)
    expect(read.map(({ id }) => id)).toEqual(["ses_1"])
    expect(failures).toEqual([expect.stringMatching(/bad\.json: empty; expected is/)])
  })

  test("the export of a session names the slash command of a subtask's own session", async () => {
    const subtask = { tool: "task", input: { command: "look" }, metadata: { sessionId: "ses_child" } }
    const parent: ExportedSession = { id: "ses_parent", turns: [{ prompt: "x", steps: [[subtask]] }] }
    const child: ExportedSession = { id: "ses_child", turns: [{ prompt: "x" }, { prompt: "x" }] }
    const read = await replayJson([parent, child], ["exports"], { "rules/look.md": rule("command: [look]") })
    expect(read.sessions.map(({ id }) => id)).toEqual(["ses_parent", "ses_child"])
    expect(deliveriesIn(read)).toEqual(["project:look.md 1 matched: command look"])
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

  test("a rule that can't be understood is an error too, said once", async () => {
    const bad = { "rules/bad.md": rule("ci: maybe"), "rules/worse.md": rule("os: beos\nci: 1") }
    const { code, err, out } = await replay([SESSION, { ...SESSION, id: "ses_2" }], ["exports"], bad)
    expect({ code, isRead: out.startsWith("2 sessions, 6 requests") }).toEqual({ code: 1, isRead: true })
    expect(err.replaceAll(/error: .*\/app\/(\S+) (\S+) .*\n/g, "$1 $2\n")).toBe(`.opencode/rules/bad.md:2:5 ci:
.opencode/rules/worse.md:2:5 os:
.opencode/rules/worse.md:3:5 ci:
`)
  })

  test("nothing in its name can paint over others", async () => {
    const { err } = await replay([SESSION], ["exports"], { "exports/\u001b[2J.json": "" })
    expect(err).toEndWith("/exports/\\u001b[2J.json: empty; expected is what `opencode export SESSION > FILE` writes\n")
  })
})

describe("the exit code", () => {
  const quiet = { turns: [{ prompt: "look" }] }
  const deploying = { turns: [{ prompt: "deploy", delivers: ["project:deploy.md"] }] }

  test.each<[code: number, what: string, session: ExportedSession, args: readonly string[]]>([
    [0, "a rule that comes", { turns: [{ prompt: "deploy" }] }, []],
    [1, "a rule gained", { turns: [{ prompt: "deploy" }] }, ["--diff"]],
    [1, "a rule lost", { turns: [{ prompt: "look", delivers: ["project:deploy.md"] }] }, ["--diff"]],
    [0, "nothing gained and nothing lost", deploying, ["--diff"]],
    [0, "nothing that came", quiet, ["--diff"]],
  ])("is %d for %s", async (code, _what, session, args) => {
    expect(await replay([session], ["exports", ...args])).toMatchObject({ code, err: "" })
    expect((await replay([session, { ...quiet, id: "ses_2" }], ["exports", ...args])).code).toBe(code)
  })

  test("is 0 for a rule that only moved", async () => {
    await using project = await testProject({
      ...RULES,
      ...exportsOf([{ turns: [{ prompt: "x" }, { prompt: "deploy" }] }]),
    })
    const receipts = script()
      .begin()
      .request()
      .add(matched("deploy.md", "keywords"), delivered("deploy.md"))
      .request().receipts
    await appendReceipts(project.stateFolder, "ses_1", receipts)
    const { code, out } = await project.run(["replay", "exports", "--diff"])
    expect({ code, moved: out.split("\n").filter((line) => line.startsWith("  ~")) }).toEqual({
      code: 0,
      moved: ["  ~ project:deploy.md  request 2, matched: keywords; was request 1, matched: keywords"],
    })
  })
})
