import { describe, expect, test } from "bun:test"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { rule, type TestProject, testProject } from "./project.ts"
import { type ExportedSession, exportOf, NOON } from "./support/exports.ts"

const RULES = { "rules/deploy.md": rule("keywords: [deploy]"), "rules/look.md": rule("command: [look]") }

interface FakeOpenCode {
  readonly env: Record<string, string>
  /** Its arguments, one call a line, with what of its environment matters. */
  calls(): Promise<readonly string[]>
}

/** A command `opencode` that answers with files, and notes how it was called. */
async function fakeOpenCode(
  { directory }: TestProject,
  { version = "1.18.33", list = "", sessions = [] as readonly ExportedSession[] },
): Promise<FakeOpenCode> {
  const folder = join(directory, "bin")
  await mkdir(folder)
  await writeFile(join(folder, "list.json"), list)
  for (const session of sessions) await writeFile(join(folder, `${session.id}.json`), JSON.stringify(exportOf(session)))
  const text = `#!/bin/sh
echo "$* pure=$OPENCODE_PURE own=$OWN in=$PWD" >> "${folder}/calls"
cd "${folder}"
case "$*" in
  --version) echo ${version} ;;
  "session list "*) cat list.json ;;
  *ses_silent) exit 3 ;;
  *export*) for id; do :; done; cat "$id.json" 2>/dev/null || { printf 'Starting\\n\\033[91mError: \\033[0mSession not found: %s\\n \\n' "$id" >&2; exit 1; } ;;
esac
`
  await writeFile(join(folder, "opencode"), text)
  await chmod(join(folder, "opencode"), 0o755)
  return {
    env: { PATH: `${folder}:${process.env["PATH"]}`, OWN: "kept" },
    calls: async () => (await readFile(join(folder, "calls"), "utf8")).trimEnd().split("\n"),
  }
}

const TASK = { tool: "task", input: { command: "look" }, metadata: { sessionId: "ses_child" } }

function sessionsIn(directory: string): readonly ExportedSession[] {
  return [
    { id: "ses_parent", directory, turns: [{ prompt: "go", steps: [[TASK]] }] },
    { id: "ses_child", parentID: "ses_parent", directory, turns: [{ prompt: "deploy it" }] },
    { id: "ses_old", directory, at: NOON - 86_400_000, turns: [{ prompt: "x".repeat(3_000_000) }] },
  ]
}

async function idsIn(project: TestProject, args: readonly string[], env: Record<string, string>) {
  const { code, out, err } = await project.run(["replay", "--json", ...args], { env })
  if (out === "") return { code, err }
  const { sessions } = JSON.parse(out) as {
    readonly sessions: readonly { readonly id: string; readonly deliveries: readonly { readonly rule: string }[] }[]
  }
  return {
    code,
    err,
    sessions: sessions.map(({ id, deliveries }) => [id, ...deliveries.map(({ rule: name }) => name)]),
  }
}

describe("the command `opencode`", () => {
  test.each([
    ["1.18.33", "export"],
    ["2.0.26", "session export"],
  ])("of version %s is asked for the project's sessions and those of subagents", async (version, exporting) => {
    await using project = await testProject(RULES)
    const { directory } = project
    const listed = (id: string, updated: unknown, own: unknown) => ({ id, title: "x", updated, directory: own })
    const list = JSON.stringify([
      listed("ses_old", NOON - 86_400_000, directory),
      listed("ses_parent", NOON, directory),
      listed("ses_other", NOON, "/elsewhere"),
      listed("ses_beside", NOON, `${directory}-beside`),
      ...[
        null,
        "ses_x",
        { id: 1, updated: 1, directory },
        listed("ses_untimed", "1", directory),
        listed("ses_nowhere", 1, 1),
      ],
    ])
    const { env, calls } = await fakeOpenCode(project, { version, list, sessions: sessionsIn(directory) })
    expect(await idsIn(project, [], env)).toEqual({
      ...{ code: 0, err: "" },
      sessions: [["ses_parent"], ["ses_old"], ["ses_child", "project:deploy.md", "project:look.md"]],
    })
    const made = `pure=1 own=kept in=${directory}`
    const [first, second, ...others] = await calls()
    expect([first, second]).toEqual([...[`--version ${made}`, `session list --format json --max-count 10000 ${made}`]])
    const ids = ["ses_child", "ses_old", "ses_parent"]
    expect(others.toSorted()).toEqual(ids.map((id) => `${exporting} ${id} ${made}`))
  })

  test("is asked for sessions by their ids", async () => {
    await using project = await testProject(RULES)
    const { env } = await fakeOpenCode(project, { sessions: sessionsIn(project.directory) })
    expect(await idsIn(project, ["ses_child"], env)).toEqual({
      ...{ code: 0, err: "", sessions: [["ses_child", "project:deploy.md"]] },
    })
  })

  test("that prints nothing has no sessions", async () => {
    await using project = await testProject(RULES)
    const { env } = await fakeOpenCode(project, { list: "\n" })
    expect(await project.run(["replay"], { env })).toEqual({
      ...{ code: 0, err: "", out: "OpenCode has no sessions of this project.\n" },
    })
  })

  test.each([
    ["{}", "`opencode session list --format json --max-count 10000` printed no list of sessions"],
    ["[", "`opencode session list --format json --max-count 10000` printed no list of sessions"],
    ['[{"id":"ses_a;b","updated":1,"directory":"/x"}]', "ses_a;b: not a session's id"],
  ])("that lists %s is an error", async (list, message) => {
    await using project = await testProject(RULES)
    const { env } = await fakeOpenCode(project, { list })
    expect(await project.run(["replay"], { env })).toEqual({ code: 2, out: "", err: `error: ${message}\n` })
  })

  test.each([
    ["ses_gone", "Session not found: ses_gone"],
    ["ses_silent", "Command failed: opencode export ses_silent"],
    ["ses_empty", "ses_empty: empty; expected is what `opencode export SESSION > FILE` writes"],
  ])("that fails for a session says why: %s", async (id, reason) => {
    await using project = await testProject(RULES)
    const { env } = await fakeOpenCode(project, {})
    await writeFile(join(project.directory, "bin/ses_empty.json"), "")
    const { code, out, err } = await project.run(["replay", id], { env })
    const failed = id === "ses_empty" ? reason : `\`opencode export ${id}\` failed: ${reason}`
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: `error: ${failed}\n` })
  })

  test("that isn't there: it says what to do", async () => {
    await using project = await testProject(RULES)
    expect(await project.run(["replay"], { env: { PATH: "/nowhere" } })).toEqual({
      code: 2,
      out: "",
      err: "error: the command `opencode` was not found; install OpenCode, or name files that `opencode export` wrote\n",
    })
  })
})
