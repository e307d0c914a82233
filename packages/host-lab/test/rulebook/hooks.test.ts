import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, calls, type Lab, type Project, say, startLab, subagent } from "../../src/index.ts"
import { pluginLog } from "./log.ts"
import { counts, openPair, type Pair, playIn, RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

/** A rule's text with one hook of these fields. */
function hook(body: string, fields: Readonly<Record<string, string>>, frontmatter = ""): string {
  const lines = Object.entries(fields).map(([key, value]) => `    ${key}: ${value}\n`)
  return `---\n${frontmatter}hooks:\n  - ${lines.join("").trim()}\n---\n${body}`
}

const WRITE_FIRED = "'cat > fired.part && mv fired.part fired.json'"
const RULES = {
  "pre.md": hook("Rule before.", { type: "PreToolUse", tool: "bash", match: "before" }),
  "post.md": hook("Rule after.", { type: "PostToolUse", tool: "bash", match: "after" }),
  "any.md": hook("Rule of any tool.", { type: "PostToolUse", tool: "'*'", match: "anything" }),
  "once.md": hook("Rule for once.", { type: "PostToolUse", tool: "bash", match: "once" }, "agent: [nobody]\n"),
  "failed.md": hook("Rule of a failed read.", { type: "PostToolUse", tool: "read", match: "nowhere" }),
  "mcp.md": hook("Rule of a server's tool.", { type: "PostToolUse", tool: "docs_echo" }),
  "push.md": hook("Never push.", { type: "PreToolUse", tool: "bash", match: "git push", block: "true" }),
  "secret.md": hook("Keep out.", { type: "PreToolUse", tool: "read", match: "secret", block: "true" }),
  "seen.md": '---\nglobs: "*.secret"\n---\nRule for seen secrets.',
}
const echo = (text: string) => call("bash", { command: `echo ${text}`, description: "echo" })
const incomparable = "a blocked call has another result"
const PUSH = call("bash", { command: "git push --force", description: "push" })

let lab: Lab
let pair: Pair
beforeAll(async () => {
  const own = { type: "PostToolUse", tool: "bash", match: "fire-global", run: WRITE_FIRED }
  lab = await startLab({ globalRules: { "run.md": hook("Rule of the user's own.", own) } })
  pair = await openPair(lab, { files: { "a.secret": "x" }, rules: RULES, mcp: ["docs"] })
})
afterAll(() => lab.stop())

test("content is in the next request, durably, once", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("go", [echo("before"), echo("after"), echo("before after"), say("done")])
    await session.prompt("on", [echo("anything"), call("docs_echo", { text: "x" }), say("done")])
    return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
  })
  const { requests, stored } = runs.result
  expect(counts(requests, "Rule before.")).toEqual([0, 1, 1, 1, 1, 1, 1])
  expect(counts(requests, "Rule after.")).toEqual([0, 0, 1, 1, 1, 1, 1])
  expect(counts(requests, "Rule of any tool.")).toEqual([0, 0, 0, 0, 0, 1, 1])
  expect(counts(requests, "Rule of a server's tool.")).toEqual([0, 0, 0, 0, 0, 0, 1])
  for (const rule of ["Rule before.", "Rule after.", "Rule of any tool."]) expect(stored.split(rule)).toHaveLength(2)
})

test("content of a transient rule is in the next request only, and in no stored message", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("go", [echo("once"), echo("x"), calls(echo("once"), echo("once")), say("done")])
    await session.prompt("on", [say("done")])
    return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
  }
  const runs = await playIn(pair, play, { rewrites: true })
  expect(counts(runs.result.requests, "Rule for once.")).toEqual([0, 1, 0, 1, 0])
  expect(runs.result.stored).not.toContain("Rule for once.")
})

test("a failed call fires no PostToolUse hook", async () => {
  const runs = await playIn(pair, async (project) => {
    const session = await project.session()
    await session.prompt("go", [call("read", { filePath: project.path("nowhere.txt") }), say("done")])
    return session.requests()
  })
  expect(counts(runs.result, "Rule of a failed read.")).toEqual([0, 0])
})

test("block: the model reads why as the call's error, its other calls run, and it may try again", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("go", [calls(echo("first"), PUSH, echo("last")), PUSH, echo("instead"), say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play, { incomparable })
  const results = runs.result.at(-1)?.messages.flatMap(({ role, text }) => (role === "tool" ? [text.trim()] : []))
  const blocked = 'This call was blocked by the rule "push".\n\nNever push.'
  expect(results).toEqual(["first", blocked, "last", blocked, "instead"])
})

test("a blocked call is no observation and fires no PostToolUse hook", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    await session.prompt("go", [call("read", { filePath: project.path("a.secret") }), say("done")])
    return session.requests()
  }
  const runs = await playIn(pair, play, { incomparable })
  expect(counts(runs.result, 'blocked by the rule "secret"')).toEqual([0, 1])
  expect(counts(runs.result, "Rule for seen secrets.")).toEqual([0, 0])
})

test("a subagent's calls are its own: its content is not its parent's, and it is blocked too", async () => {
  const play = async (project: Project) => {
    const session = await project.session()
    const child = [calls(echo("before"), PUSH), say("could not push")]
    const turn = await session.prompt("go", [subagent("push it", child), say("done")])
    return { parent: turn.requests, child: turn.childRequests }
  }
  const runs = await playIn(pair, play, { incomparable })
  expect(counts(runs.result.child, "Rule before.")).toEqual([0, 1])
  expect(counts(runs.result.child, "blocked by the rule")).toEqual([0, 1])
  expect(counts(runs.result.parent, "Rule before.")).toEqual([0, 0])
})

test("run: a global rule's command runs, detached, with the event on its input", async () => {
  const session = await pair.project.session()
  await session.prompt("go", [echo("fire-global"), say("done")])
  expect(await fired(pair.project)).toMatchObject({
    type: "PostToolUse",
    sessionID: session.id,
    tool: "bash",
    args: { command: "echo fire-global" },
    rule: "global:run.md",
  })
})

test("run: a project's command runs only when the user allows it; the log says so once", async () => {
  const own = { type: "PreToolUse", tool: "bash", match: "fire-project", run: WRITE_FIRED }
  const rules = { "run.md": hook("Rule of a checkout.", own) }
  const untrusted = await lab.project({ rules, plugins: [RULEBOOK] })
  const trusted = await lab.project({ rules, plugins: [[RULEBOOK, { projectCommands: true }]] })
  for (const project of [untrusted, trusted]) {
    const session = await project.session()
    const turn = await session.prompt("go", [echo("fire-project"), echo("fire-project"), say("done")])
    expect(counts(turn.requests, "Rule of a checkout.")).toEqual([0, 1, 1])
  }
  expect(await fired(trusted)).toMatchObject({ type: "PreToolUse", rule: "project:run.md" })
  const log = await pluginLog(lab, untrusted.path(".opencode/rules/run.md"))
  expect(log).toEqual([expect.stringContaining(`set the plugin's option "projectCommands": true in opencode.json`)])
  expect(await Bun.file(untrusted.path("fired.json")).exists()).toBe(false)
})

test("run: a command that fails is logged and disturbs nothing", async () => {
  const own = { type: "PreToolUse", tool: "bash", run: "'echo broken >&2; exit 3'" }
  const rules = { "fails.md": hook("Rule of a failing command.", own) }
  const project = await lab.project({ rules, plugins: [[RULEBOOK, { projectCommands: true }]] })
  const session = await project.session()
  const turn = await session.prompt("go", [echo("anything else"), say("done")])
  expect(turn.requests.at(-1)?.conversation).toContain("anything else")
  const log = await pluginLog(lab, project.path(".opencode/rules/fails.md"))
  expect(log).toEqual([expect.stringContaining("exit code 3: broken")])
})

/** What the project's hook command was told, once it has been. */
async function fired(project: Project): Promise<unknown> {
  const file = Bun.file(project.path("fired.json"))
  while (!(await file.exists())) await Bun.sleep(5)
  return await file.json()
}
