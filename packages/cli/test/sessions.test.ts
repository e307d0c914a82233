import { expect, setDefaultTimeout, test } from "bun:test"
import { appendFile, rm, utimes } from "node:fs/promises"
import { join } from "node:path"
import { appendReceipts } from "@opencode-rulebook/rule-schema"
import { rule, type TestProject, testProject } from "./project.ts"
import { delivered, matched, NOON, receiptRule, type SessionScript, script } from "./support/receipts.ts"
import { RELEASE, RUST, story } from "./support/story.ts"

setDefaultTimeout(60_000)

async function projectWith(make: (directory: string) => readonly SessionScript[]): Promise<TestProject> {
  const project = await testProject({ "rules/unsafe.md": RUST, "rules/release.md": RELEASE })
  for (const { id, receipts } of make(project.directory)) await appendReceipts(project.stateFolder, id, receipts)
  return project
}

test("a session as text: its requests, the rules that came, and why the others did not", async () => {
  await using project = await projectWith((directory) => [story(directory)])
  const { code, out } = await project.run(["explain", "--session"], { columns: 110 })
  expect(code).toBe(0)
  expect(out.replaceAll(project.directory, "/home/dev/app")).toMatchInlineSnapshot(`
    "Session ses_1
    2026-11-30 12:00 to 2026-11-30 12:00, OpenCode 1, /home/dev/app
    4 requests, 4 of 6 rules came, about 110 tokens of rules in the newest request

    request  what came before it       rules that came (+) and left (-)        there  tokens
          1  prompt                    + House style  matched: always              2     120
             build · anthropic/claude  + While building  matched: agent build
          2  read src/a.rs, src/b.rs   + Unsafe Rust  matched: file src/a.rs       3     164
          3  plan · anthropic/claude   ✗ No force  blocked: bash                   3     154
             ✗ bash                    - While building  ended
                                       + No force  hook: a bash call
    OpenCode 1 was started again
          4  prompt                    ! Unsafe Rust  forbidden: src/a.rs:7        2     110
             edit src/a.rs             - Unsafe Rust  compacted
       next                            ✓ Unsafe Rust  followed: src/b.rs

    rule              requests  tokens  kept                      request: why it came
    ✓ House style     1–4          100  stored, 1 failed attempt  1: matched: always
    - Unsafe Rust     2–3           44  stored                    2: matched: file src/a.rs
    - While building  1–2           20  transient                 1: matched: agent build
    ✓ No force        3–4           10  stored                    3: hook: a bash call

    Not there, and why
      • Unsafe Rust: compacted: a compaction took it from the conversation
        met      **/*.rs · contains "unsafe {", saw src/a.rs
      • Releases: not all of its conditions are met
        not met  prompt "release"
        met      branch release/*, saw release/1
      • While building (its file is not there now): ended: its conditions no longer match
      • Deploying (its file is not there now): on request: the index names it, and the model reads it if it needs
        it

    Can't be understood: project:bad.md (\`check\` says why).
    "
  `)
})

test("a session for programs: each request with the rules that it carries, and each rule's way", async () => {
  await using project = await projectWith((directory) => [story(directory)])
  const { out } = await project.run(["explain", "--session", "--json"])
  const told = JSON.parse(out) as {
    runs: { firstRequest: number }[]
    requests: { isSent: boolean; there: string[] }[]
    rules: { id: string; isThere: boolean; arrivals: { request: number; until?: number }[] }[]
  }
  expect(told.runs.map(({ firstRequest }) => firstRequest)).toEqual([1, 4])
  expect(told.requests.map(({ isSent, there }) => (isSent ? there : isSent))).toEqual([
    ["project:style.md", "project:build.md"],
    ["project:style.md", "project:unsafe.md", "project:build.md"],
    ["project:style.md", "project:unsafe.md", "project:force.md"],
    ["project:style.md", "project:force.md"],
    false,
  ])
  const unsafe = told.rules.find(({ id }) => id === "project:unsafe.md")
  expect(unsafe).toMatchObject({ isThere: false, arrivals: [{ request: 2, until: 4 }] })
})

test("its lines fit the terminal, and nothing in a name or a path can paint over others", async () => {
  const long = `src/${"deep/".repeat(20)}\u001b[2Jfile.rs`
  await using project = await projectWith((directory) => [
    script({ directory })
      .begin([receiptRule("a.md", { name: "Wide 漢字 \u001b]0;x\u0007 name" })])
      .add(matched("a.md", "file", long))
      .request({ did: [{ tool: "read", paths: [long] }] })
      .add(delivered("a.md")),
  ])
  for (const columns of [60, 80, 200]) {
    const { out } = await project.run(["explain", "--session"], { columns })
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u)
    const table = out.slice(out.indexOf("request  "))
    expect(table.split("\n").filter((line) => Bun.stringWidth(line) > columns)).toEqual([])
  }
  const coloured = (await project.run(["explain", "--session"], { hasColors: true })).out
  expect(coloured).toContain("\u001b[32m+ Wide 漢字 \\u001b]0;x\\u0007 name")
  expect((await project.run(["explain", "--session", "--no-color"], { hasColors: true })).out).not.toContain("\u001b")
})

test("the newest session of the project is the one that is shown; a unique beginning of an id names any", async () => {
  await using project = await projectWith((directory) => [
    script({ id: "ses_old1", directory }).begin(),
    script({ id: "ses_old2", directory: join(directory, "packages/api") }).begin(),
    script({ id: "ses_elsewhere", directory: `${directory}-other` }).begin(),
  ])
  const { stateFolder } = project
  const shown = async (...args: string[]) => {
    const { out, err } = await project.run(["explain", "--session", ...args])
    return /^Session (\S+)/.exec(out)?.[1] ?? err
  }
  await utimes(join(stateFolder, "receipts/ses_elsewhere.jsonl"), NOON / 1000 + 60, NOON / 1000 + 60)
  await utimes(join(stateFolder, "receipts/ses_old1.jsonl"), NOON / 1000, NOON / 1000)
  await utimes(join(stateFolder, "receipts/ses_old2.jsonl"), NOON / 1000 + 30, NOON / 1000 + 30)
  expect(await shown()).toBe("ses_old2")
  expect(await shown("ses_old1")).toBe("ses_old1")
  expect(await shown("ses_e")).toBe("ses_elsewhere")
  expect(await shown("ses_old")).toBe('error: 2 sessions begin with "ses_old". Among them: ses_old2, ses_old1.\n')
  expect(await shown("where")).toBe(
    'error: no session begins with "where". There are: ses_elsewhere, ses_old2, ses_old1.\n',
  )
})

test("of many sessions a message names five: those that look alike first, then the newest", async () => {
  const ids = ["ses_a", "ses_a1", "ses_b", "old_b", "ses_c", "ses_d", "ses_e", "ses_f"]
  await using project = await projectWith((directory) => ids.map((id) => script({ id, directory }).begin()))
  for (const [index, id] of ids.entries()) {
    const at = NOON / 1000 - index
    await utimes(join(project.stateFolder, `receipts/${id}.jsonl`), at, at)
  }
  const said = async (id: string) => (await project.run(["explain", "--session", id])).err
  // Its whole id names a session, even where another one begins so.
  expect(await said("ses_a")).toBe("")
  expect(await said("s")).toBe('error: 7 sessions begin with "s". Among them: ses_a, ses_a1, ses_b, ses_c, ses_d.\n')
  expect(await said("_b")).toBe('error: no session begins with "_b". There are: ses_b, old_b, ses_a, ses_a1, ses_c.\n')
  await using empty = await testProject({})
  const none = await empty.run(["explain", "--session", "ses_a"])
  expect(none.err).toBe('error: no session begins with "ses_a". There are no receipts.\n')
})

test("a session that runs has a torn last line: what is before it is shown, and the line is counted", async () => {
  await using project = await projectWith((directory) => [script({ directory }).begin().request({ prompted: true })])
  const file = join(project.stateFolder, "receipts/ses_1.jsonl")
  await appendFile(file, '{"v":1,"at":17')
  const { code, out } = await project.run(["explain", "--session"])
  expect({ code, isShown: out.includes("1 request,") }).toEqual({ code: 0, isShown: true })
  expect(out).toEndWith("\nSkipped 1 line that is torn or of another version.\n")
})

test("without receipts it says what to do, and it takes no options of a dry run", async () => {
  await using project = await testProject({})
  const none = await project.run(["explain", "--session"])
  expect(none).toMatchObject({ code: 2, out: "" })
  for (const text of [project.stateFolder, "opencode-rulebook doctor", '"receipts": false'])
    expect(none.err).toContain(text)
  const both = await project.run(["explain", "--session", "ses_1", "--content-from", "x"])
  expect(both).toMatchObject({ code: 2, out: "" })
  expect(both.err).toContain("takes no --content-from")
})

test("what a rule asks for is read from the files of the session's folder, nested ones that it has worked in too", async () => {
  await using project = await testProject({
    "rules/a.md": rule("keywords: [root]"),
    "sub/.opencode/rules/a.md": rule("keywords: [sub]"),
    "sub/deep/.opencode/rules/b.md": rule("keywords: [deep]"),
  })
  const isCurrent = async (directory: string, touched: string) => {
    const session = script({ directory })
      .begin([receiptRule("a.md"), receiptRule("deep/b.md")])
      .request({ did: [{ tool: "read", paths: ["x.rs", touched] }] }).receipts
    await rm(project.stateFolder, { recursive: true, force: true })
    await appendReceipts(project.stateFolder, "ses_1", session)
    const { code, err, out } = await project.run(["explain", "--session", "ses_1", "--json"])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const { rules } = JSON.parse(out) as { rules: { id: string; missing: { isCurrent?: boolean } }[] }
    return rules.map(({ id, missing }) => [id, missing.isCurrent])
  }
  const [a, b] = ["project:a.md", "project:deep/b.md"]
  expect(await isCurrent(join(project.directory, "sub"), "deep/y.rs")).toEqual([
    [a, false],
    [b, false],
  ])
  expect(await isCurrent(join(project.directory, "sub"), "y.rs")).toEqual([
    [a, false],
    [b, undefined],
  ])
  expect(await isCurrent("/nowhere/app", "sub/deep/y.rs")).toEqual([
    [a, false],
    [b, undefined],
  ])
})

test("in a folder below the root of a repository, the newest session of that is shown", async () => {
  await using project = await testProject({ "sub/x.txt": "" }, true)
  await appendReceipts(project.stateFolder, "ses_1", script({ directory: project.directory }).begin().receipts)
  const { out, err } = await project.run(["-C", "sub", "explain", "--session"])
  expect({ err, shown: out.split("\n")[0] }).toEqual({ err: "", shown: "Session ses_1" })
})
