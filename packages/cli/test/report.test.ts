import { expect, setDefaultTimeout, test } from "bun:test"
import { appendFile, mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { appendReceipts, type Change } from "@opencode-rulebook/rule-schema"
import type { PageData } from "../src/report/page/data.ts"
import { rule, type TestProject, testProject } from "./project.ts"
import { delivered, matched, NOON, receiptRule, ruleId, type SessionScript, script } from "./support/receipts.ts"

setDefaultTimeout(60_000)

const RULES = {
  "rules/style.md": "Be terse.",
  "rules/dead.md": rule("globs: '*.java'"),
  "rules/guard.md": rule("hooks: { type: PreToolUse, tool: bash, match: '--force' }"),
  "rules/linux.md": rule("os: linux"),
  "rules/api.md": rule("globs: src/api/**"),
  "rules/errors.md": rule("globs: src/api/**/*.ts"),
  "rules/build.md": rule("agent: build"),
  "rules/deploy.md": rule("description: About deploying\nalwaysApply: false"),
}
const SNAPSHOT = [
  receiptRule("style.md", { activation: "always" }),
  receiptRule("dead.md"),
  receiptRule("guard.md", { activation: "hooks" }),
  receiptRule("linux.md"),
  receiptRule("api.md"),
  receiptRule("errors.md"),
  receiptRule("build.md", { lifetime: "transient" }),
  receiptRule("deploy.md", { activation: "onRequest" }),
  receiptRule("removed.md"),
]

/** A session of three requests; the API's rules come with the second, in every session but the last. */
function session(directory: string, index: number): SessionScript {
  const build = { kind: "transient", rule: ruleId("build.md"), isOn: true, reason: "matched", tokens: 10 } as const
  const isOther = index === 4
  const file = isOther ? "docs/guide.md" : "src/api/user.ts"
  const api: readonly Change[] = isOther ? [] : ["api.md", "errors.md"].map((path) => matched(path, "file", file))
  const came: readonly Change[] = isOther ? [] : ["api.md", "errors.md"].map((path) => delivered(path, { tokens: 50 }))
  return script({ id: `ses_${index}`, directory, at: NOON - index * 24 * 60 * 60 * 1000 })
    .begin(SNAPSHOT, ["project:bad.md"])
    .add({ kind: "matched", rule: ruleId("style.md"), by: [{ kind: "always" }] }, matched("linux.md"))
    .request({ prompted: true, tokens: 310 })
    .add(delivered("style.md", { tokens: 200 }), delivered("linux.md"), build)
    .add(...api)
    .request({ did: [{ tool: "read", paths: [file, "Makefile"] }], tokens: isOther ? 310 : 410 })
    .add(...came)
    .add({ kind: "forbidden", rule: ruleId("style.md"), path: file, line: 3, literal: 0 })
    .add({ kind: "followed", rule: ruleId("style.md"), path: file })
    .add({ kind: "stopped", rule: ruleId("style.md"), reason: "refused", tool: "edit", paths: [file], literal: 0 })
    .request({ did: [{ tool: "edit", paths: [file] }], tokens: isOther ? 310 : 410 })
}

async function projectWith(make: (directory: string) => readonly SessionScript[]): Promise<TestProject> {
  const project = await testProject(RULES)
  for (const { id, receipts } of make(project.directory)) {
    await appendReceipts(project.stateFolder, id, receipts)
    const at = (receipts.at(-1)?.at ?? 0) / 1000
    await utimes(join(project.stateFolder, `receipts/${id}.jsonl`), at, at)
  }
  return project
}

const five = (directory: string) => Array.from({ length: 5 }, (_, index) => session(directory, index))

interface Told {
  readonly sessions: number
  readonly requests: number
  readonly rules: readonly Record<string, unknown>[]
  readonly findings: Readonly<Record<string, readonly unknown[]>>
  readonly days: readonly { readonly day: string; readonly sessions: number }[]
  readonly skipped: unknown
}

async function told(project: TestProject, ...args: readonly string[]): Promise<Told> {
  const { code, out, err } = await project.run(["report", "--json", ...args])
  expect({ code, err }).toEqual({ code: 0, err: "" })
  return JSON.parse(out) as Told
}

/** What a page shows. */
function dataOf(html: string): PageData {
  const [, json = ""] = /id="data">(.*)<\/script>/.exec(html) ?? []
  return JSON.parse(json) as PageData
}

test("what the sessions say about each rule, and what can go", async () => {
  await using project = await projectWith(five)
  const { findings, rules } = await told(project)
  expect(findings).toEqual({
    dead: ["project:dead.md", "project:guard.md"],
    always: ["project:linux.md", "project:build.md"],
    together: [["project:api.md", "project:errors.md"]],
    expensive: ["style.md", "linux.md", "api.md", "errors.md", "build.md"].map((path) => `project:${path}`),
    broken: ["project:style.md"],
    unreadable: [{ id: "project:bad.md", sessions: 5 }],
    withoutRule: [
      { pattern: "Makefile", files: 1, touched: 5 },
      { pattern: "docs/*.md", files: 1, touched: 1 },
    ],
  })
  expect(rules.find(({ id }) => id === "project:style.md")).toEqual({
    ...{ id: "project:style.md", name: "style", lifetime: "durable", activation: "always", isOnDisk: true },
    ...{ sessions: 5, matched: 5, throughout: 5, arrivals: 5, tokens: 200, carried: 15, cost: 3000 },
    ...{ stopped: { blocked: 0, held: 0, refused: 5 }, forbidden: 5, followed: 5, adherence: 1 / 3 },
  })
  expect(rules.find(({ id }) => id === "project:api.md")).toMatchObject({ matched: 4, carried: 8, cost: 400 })
  expect(rules.find(({ id }) => id === "project:removed.md")).toMatchObject({ isOnDisk: false, matched: 0 })
})

test("what is chance in a few sessions is not said", async () => {
  await using project = await projectWith((directory) => five(directory).slice(0, 2))
  const { findings } = await told(project)
  expect([findings["dead"], findings["always"], findings["together"]]).toEqual([[], [], []])
  expect((await project.run(["report"])).out).toContain("from 3 sessions on")
})

test("rules that matched after different requests are not one rule, and neither are a durable and a transient one", async () => {
  await using project = await projectWith((directory) =>
    Array.from({ length: 4 }, (_, index) =>
      script({ id: `ses_${index}`, directory })
        .begin([receiptRule("api.md"), receiptRule("errors.md"), receiptRule("build.md", { lifetime: "transient" })])
        .request()
        .add(...(index === 0 ? [] : ["api.md", "build.md"].map((path) => matched(path))))
        .request()
        .add(...(index === 0 ? [] : [matched("errors.md")])),
    ),
  )
  expect((await told(project)).findings["together"]).toEqual([])
})

test("the report for people", async () => {
  await using project = await projectWith(five)
  const { code, out } = await project.run(["report"], { columns: 90 })
  expect(code).toBe(0)
  expect(out.replaceAll(project.directory, "/home/dev/app")).toMatchInlineSnapshot(`
    "Rules of /home/dev/app
    5 sessions from 2026-11-26 to 2026-11-30, 15 requests, about 363 tokens of rules in each

    Never matched (2)
    Remove them, or loosen their conditions.
    rule      file              sessions
    dead      project:dead.md          5
    guard     project:guard.md         5

    Always match (2)
    Remove their conditions: then they are there from the first request on.
    rule      file              sessions  tokens
    linux     project:linux.md         5     100
    build     project:build.md         5      10

    Always match together (1)
    Each group may be one rule: its rules match in the same sessions, after the same requests.
    rules                       sessions
    api (project:api.md)               4
    errors (project:errors.md)

    Cost the most (5)
    Shorten them, or let them come later. Tokens are estimates.
    rule      file               tokens  requests  together
    style     project:style.md      200        15     3,000
    linux     project:linux.md      100        15     1,500
    api       project:api.md         50         8       400
    errors    project:errors.md      50         8       400
    build     project:build.md       10        15       150

    Broken the most often (1)
    Say it more clearly, or hold the calls back.
    rule      file              broken  refused  followed  kept
    style     project:style.md       5        5         5  33 %

    Can't be understood (1)
    These files never match. \`opencode-rulebook check\` says why.
    file            sessions
    project:bad.md         5

    Files without a rule (2)
    The agent read or changed them, and no rule has globs that match them.
    files      number  touched
    Makefile        1        5
    docs/*.md       1        1
    "
  `)
})

test("sessions below the project count, others don't; --since and --limit take the newest", async () => {
  await using project = await projectWith((directory) => [
    ...five(directory),
    script({ id: "ses_below", directory: join(directory, "packages/api") })
      .begin()
      .request({ did: [{ tool: "read", paths: ["deep/b.go", `${directory}/top.go`, "../x.go", "/elsewhere/c.go"] }] }),
    script({ id: "ses_beside", directory: `${directory}-other` })
      .begin()
      .request(),
  ])
  const all = await told(project)
  expect(all).toMatchObject({ sessions: 6, requests: 16 })
  const patterns = (all.findings["withoutRule"] ?? []).map((each) => (each as { pattern: string }).pattern)
  expect(patterns).toEqual(expect.arrayContaining(["packages/api/deep/*.go", "*.go", "packages/*.go"]))
  expect(patterns.join()).not.toContain("elsewhere")
  expect((await told(project, "--limit", "2")).sessions).toBe(2)
  const since = await told(project, "--since", "2026-11-29")
  expect(since.days.map(({ day, sessions }) => [day, sessions])).toEqual([
    ["2026-11-29", 1],
    ["2026-11-30", 2],
  ])
  for (const args of [
    ["--since", "soon"],
    ["--since", "2026-13-01"],
    ["--limit", "0"],
    ["--limit", "many"],
  ]) {
    const { code, err } = await project.run(["report", ...args])
    expect([code, err.startsWith(`error: ${args[0]} ${args[1]}: give`)]).toEqual([2, true])
  }
})

test("what can't be read is skipped and counted", async () => {
  await using project = await projectWith((directory) => [
    session(directory, 0),
    script({ id: "ses_full", directory }).begin().request().add({ kind: "full" }),
  ])
  const folder = join(project.stateFolder, "receipts")
  await appendFile(join(folder, "ses_0.jsonl"), '{"v":99,"at":1,"request":1,"kind":"full"}\n{"v":1,')
  await writeFile(join(folder, "ses_foreign.jsonl"), "{}\nnothing\n")
  const { out } = await project.run(["report"])
  expect(out).toContain("Skipped 2 lines of receipts")
  expect(out).toContain("Skipped 1 file of receipts")
  expect(out).toContain("Of 1 session the end is missing")
  expect((await told(project)).skipped).toEqual({ lines: 2, files: 1, full: 1 })
})

test("without receipts it says what to do", async () => {
  await using project = await testProject({})
  const XDG_STATE_HOME = join(project.directory, "state")
  const elsewhere = await project.run(["report"], { env: { XDG_STATE_HOME } })
  expect(elsewhere.err).toContain(` has receipts in ${XDG_STATE_HOME}/opencode/rulebook. `)
  expect(await project.run(["report"])).toEqual({
    ...{ code: 1, out: "" },
    err: `no session of ${project.directory} has receipts in ${project.stateFolder}. Is the plugin loaded (\`opencode-rulebook doctor\`), and are its receipts on (no \`"receipts": false\` in its options)?\n`,
  })
})

test("from a folder of a git project it is about the whole, with the rules of nested folders; --html is relative to the folder", async () => {
  const nested = "packages/api/http.md"
  const file = "packages/api/.opencode/rules/http.md"
  await using project = await testProject({ ...RULES, [file]: rule("globs: '*.go'") }, true)
  const session = script({ directory: project.directory })
    .begin([receiptRule(nested), receiptRule("dead.md")])
    .request({ did: [{ tool: "read", paths: ["packages/api/a.go", "packages/api/b.rs"] }] })
  await appendReceipts(project.stateFolder, session.id, session.receipts)
  const folder = "packages/api"
  const before = Date.now()
  const { code, out, err } = await project.run(["report", "--json", "--html", "r.html"], { folder })
  expect({ code, err }).toEqual({ code: 0, err: "" })
  const { project: root, rules, findings } = JSON.parse(out)
  expect(root).toBe(project.directory)
  expect(rules.map((each: { id: string; isOnDisk: boolean }) => [each.id, each.isOnDisk])).toEqual([
    [`project:${nested}`, true],
    ["project:dead.md", true],
  ])
  expect(findings.withoutRule).toEqual([{ pattern: "packages/api/*.rs", files: 1, touched: 1 }])
  const { madeAt, ...page } = dataOf(await readFile(join(project.directory, folder, "r.html"), "utf8"))
  expect(madeAt).toBeGreaterThanOrEqual(before)
  expect(madeAt).toBeLessThanOrEqual(Date.now())
  expect(page).toMatchObject({
    ...{ project: project.directory, sessions: 1, requests: 1 },
    notes: ["Which rules never or always match is said from 3 sessions on."],
    shown: [{ id: "ses_1", missing: [{ rule: 0 }, { rule: 1 }] }],
  })
})

test("--since goes by a session's last receipt, and --limit by the project's own sessions", async () => {
  const DAY = 24 * 60 * 60 * 1000
  await using project = await projectWith((directory) => [
    script({ id: "ses_other", directory: "/elsewhere", at: NOON + DAY })
      .begin()
      .request(),
    ...["ses_2", "ses_1", "ses_0"].map((id, index) =>
      script({ id, directory, at: NOON - index * DAY })
        .begin()
        .request({ tokens: 10 ** index }),
    ),
  ])
  // Something has touched the file of a session that ended long before.
  await utimes(join(project.stateFolder, "receipts/ses_1.jsonl"), NOON / 1000 + 60, NOON / 1000 + 60)
  const tokens = async (...args: readonly string[]) =>
    JSON.parse((await project.run(["report", "--json", ...args])).out).tokens
  expect(await tokens()).toBe(111)
  expect(await tokens("--limit", "1")).toBe(10)
  expect(await tokens("--limit", "2")).toBe(11)
  expect(await tokens("--since", "2026-11-30T12:00:01")).toBe(1)
  expect(await tokens("--since", "2026-11-29T12:00:01")).toBe(11)
  expect((await project.run(["report", "--since", "2026-11-30T12:00:02"])).code).toBe(1)
  // A file of before is not looked at.
  const foreign = join(project.stateFolder, "receipts/ses_foreign.jsonl")
  await writeFile(foreign, "{}\n")
  await utimes(foreign, NOON / 1000 - 60, NOON / 1000 - 60)
  expect((await told(project)).skipped).toMatchObject({ files: 1 })
  expect((await told(project, "--since", "2026-11-30T12:00:01")).skipped).toMatchObject({ files: 0 })
})

test("of many sessions the page shows the newest fifty in full", async () => {
  await using project = await projectWith((directory) =>
    Array.from({ length: 51 }, (_, index) =>
      script({ id: `ses_${index}`, directory, at: NOON - index * 60_000 })
        .begin()
        .request(),
    ),
  )
  const { out } = await project.run(["report", "--html", "r.html"])
  expect(out).toBe("Wrote r.html: 51 sessions, the newest 50 in full.\n")
  const { shown } = dataOf(await readFile(join(project.directory, "r.html"), "utf8"))
  expect(shown.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => `ses_${index}`))
})

test("it is coloured where colours are wanted", async () => {
  await using project = await projectWith((directory) => [session(directory, 0)])
  expect((await project.run(["report"], { hasColors: true })).out).toContain("\u001b[1mCost the most (5)\u001b[0m\n")
  expect((await project.run(["report"])).out).not.toContain("\u001b")
})

test("--html writes a page, over an earlier one, through a link, and over nothing else without --force", async () => {
  await using project = await projectWith(five)
  const path = (name: string) => join(project.directory, name)
  const write = (...args: readonly string[]) => project.run(["report", "--html", ...args])
  expect(await write("r.html")).toEqual({ code: 0, out: "Wrote r.html: 5 sessions, in full.\n", err: "" })
  const page = await readFile(path("r.html"), "utf8")
  expect(page).toStartWith("<!doctype html>")
  expect(await write("r.html", "--limit", "2")).toMatchObject({ code: 0 })
  expect((await readFile(path("r.html"), "utf8")).length).toBeLessThan(page.length)

  await symlink("r.html", path("link.html"))
  await writeFile(path("mine.html"), "<p>Mine.</p>")
  await mkdir(path("folder"))
  const before = await readdir(project.directory)
  expect(await write("link.html")).toMatchObject({ code: 0 })
  expect(await readFile(path("r.html"), "utf8")).toHaveLength(page.length)
  for (const name of ["mine.html", "folder", "no/such/r.html"]) {
    const { code, out, err } = await write(name)
    expect({ name, code, out, says: err.includes(name) }).toEqual({ name, code: 2, out: "", says: true })
  }
  expect(await write("folder", "--force")).toMatchObject({ code: 2, out: "" })
  expect(await readFile(path("mine.html"), "utf8")).toBe("<p>Mine.</p>")
  expect(await write("mine.html", "--force")).toMatchObject({ code: 0 })
  expect(await readFile(path("mine.html"), "utf8")).toStartWith("<!doctype html>")
  expect(await readdir(project.directory)).toEqual(before)
})
