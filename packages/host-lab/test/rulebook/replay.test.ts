import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import {
  call,
  calls,
  fail,
  hang,
  type Lab,
  opencodeBinary,
  type Project,
  type Session,
  say,
  startLab,
  subagent,
} from "../../src/index.ts"
import { RULEBOOK } from "./support.ts"

setDefaultTimeout(180_000)

const hook = (type: string, tool: string, more: string) => `hooks:\n  - { type: ${type}, tool: ${tool}${more} }`
const rule = (...keys: readonly string[]) => `---\n${keys.join("\n")}\n---\nText of a rule.`

const RULES = {
  "always.md": "Text of a rule.",
  "rust.md": rule('globs: "*.rs"'),
  "alpha.md": rule("fileContains: [alpha, beta]"),
  "deploy.md": rule("keywords: [deploy]"),
  "plan.md": rule("agent: [plan]"),
  "other.md": rule("model: [lab/other]"),
  "both.md": rule("match: all", "keywords: [deploy]", 'globs: "*.txt"'),
  "planned.md": rule("match: all", "agent: [plan]", 'globs: "*.rs"'),
  "greet.md": rule("command: [greet, look]"),
  "main.md": rule("branch: [main]"),
  "tools.md": rule("tools: [lsp]"),
  "asked.md": rule("activation: onRequest", "description: When somebody asks"),
  "push.md": rule(hook("PreToolUse", "bash", ", match: push, block: true")),
  "after.md": rule(hook("PostToolUse", "bash", ", match: listing")),
  "wake.md": rule("agent: [nobody]", hook("PostToolUse", "read", "")),
  "once.md": rule(hook("PreToolUse", "bash", ", match: apply, block: once")),
  "held.md": rule('globs: "*.md"', "hold: true"),
}
const FILES = {
  "src/a.rs": "fn alpha() {}\n",
  "notes.txt": "nothing\n",
  "sub/deep/c.rs": "fn c() {}\n",
  "sub/deep/.opencode/rules/nested.md": rule('globs: "*.rs"'),
}
const command = {
  greet: { template: "The template greets $ARGUMENTS.", agent: "plan", model: "lab/other" },
  look: { template: "The template looks at $ARGUMENTS.", subtask: true, agent: "general" },
}

let lab: Lab
let project: Project
beforeAll(async () => {
  lab = await startLab()
  project = await lab.project({ files: FILES, rules: RULES, config: { command }, plugins: [RULEBOOK], git: "main" })
})
afterAll(() => lab.stop())

const read = (file: string) => call("read", { filePath: project.path(file) })
const bash = (line: string) => call("bash", { command: line, description: "a command" })
const write = (file: string, content: string) => call("write", { filePath: project.path(file), content })
const edit = (file: string, oldString: string, newString: string) =>
  call("edit", { filePath: project.path(file), oldString, newString })
const FULL = { input: 19_500, output: 20 }

/** What happens in each session. */
const SESSIONS: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  "prompts, agents and models": async (session) => {
    await session.prompt("hello", [say("hi")])
    await session.prompt("deploy it", { script: [say("done")], agent: "plan", model: "other" })
    await session.prompt("and back", [say("done")])
  },
  "files that are read, written and edited": (session) =>
    session.prompt("look", [
      read("notes.txt"),
      write("new.txt", "nothing yet\n"),
      edit("new.txt", "nothing", "beta"),
      read("src/a.rs"),
      say("done"),
    ]),
  "conditions that hold together, one after the other": async (session) => {
    await session.prompt("look", [read("notes.txt"), read("src/a.rs"), say("done")])
    await session.prompt("deploy", [bash("true"), say("done")])
    await session.prompt("plan", { script: [bash("true"), say("done")], agent: "plan" })
  },
  "a nested folder": (session) => session.prompt("look", [read("sub/deep/c.rs"), bash("true"), say("done")]),
  "calls that fail, and that are not there": (session) =>
    session.prompt("look", [read("nosuch.rs"), call("read", {}), call("nosuchtool", {}), say("done")]),
  "a blocked call, and hooks that fire": (session) =>
    session.prompt("go", [bash("echo git push"), bash("echo listing"), read("notes.txt"), bash("true"), say("done")]),
  "calls that are held": (session) =>
    session.prompt("go", [
      write("guide.md", "text\n"),
      write("guide.md", "text\n"),
      bash("echo apply"),
      bash("echo apply"),
      say("done"),
    ]),
  "calls in parallel": (session) =>
    session.prompt("go", [
      calls(read("notes.txt"), bash("echo listing"), read("nosuch.rs")),
      calls(read("src/a.rs"), bash("echo git push")),
      say("done"),
    ]),
  "compactions, asked for and the host's own": async (session) => {
    await session.prompt("deploy", { script: [read("src/a.rs"), say("done")], model: "small" })
    await session.summarize(say("the summary"))
    const script = [bash("true"), call("bash", { command: "true", description: "x" }, FULL), bash("true"), say("done")]
    await session.prompt("go on", { script, model: "small", summary: say("the summary"), loose: true })
    await session.prompt("and on", [say("done")])
  },
  "slash commands, and one whose subtask is another session": async (session) => {
    await session.command("greet", "Ada", [bash("true"), say("hello")])
    await session.command("look", "it", { children: [read("src/a.rs"), say("looked")], script: [say("done")] })
  },
  "a subagent": (session) =>
    session.prompt("start one", [subagent("deploy there", [read("src/a.rs"), say("seen")]), say("done")]),
  "a turn that fails, one that is aborted, and one that is undone": async (session) => {
    await session.prompt("deploy", { script: [fail(400, "bad")], loose: true }).catch(() => undefined)
    const aborted = session.prompt("look", { script: [read("src/a.rs"), hang()], loose: true }).catch(() => undefined)
    await project.event((event) => JSON.stringify(event).includes("src/a.rs") && event.type === "message.part.updated")
    await session.abort()
    await aborted
    await session.prompt("go on", [bash("true"), say("done")])
    await session.prompt("too much", [read("notes.txt"), say("done")])
    const last = (await session.messages()).findLast(({ info }) => info.role === "user")
    await session.revert(last?.info.id ?? "")
  },
}

interface Output {
  readonly sessions: readonly {
    readonly id: string
    readonly parent?: string
    readonly deliveries: readonly object[]
    readonly stopped: readonly object[]
    readonly difference: {
      readonly against: string
      readonly knowsWhen: boolean
      readonly gained: readonly object[]
      readonly lost: readonly object[]
      readonly moved: readonly object[]
    }
  }[]
  readonly failures: readonly string[]
}

async function replay(...args: readonly string[]): Promise<{ readonly code: number; readonly output: Output }> {
  const cli = ["node", join(RULEBOOK, "dist/cli.js"), "replay", "--diff", "--json", ...args]
  const env = { ...lab.env, PATH: [dirname(opencodeBinary()), lab.env["PATH"]].join(delimiter) }
  const child = Bun.spawn(cli, { cwd: project.directory, env, stdout: "pipe", stderr: "inherit" })
  const output = JSON.parse(await child.stdout.text()) as Output
  return { code: await child.exited, output }
}

interface Stopped {
  readonly kind: string
  readonly rule: string
  readonly reason: string
  readonly tool: string
  readonly paths: readonly string[]
}

/** The calls that rules stopped, as the session's receipts have them. */
async function stoppedIn(id: string): Promise<readonly object[]> {
  const text = await readFile(
    join(lab.env["XDG_STATE_HOME"] ?? "", "opencode/rulebook/receipts", `${id}.jsonl`),
    "utf8",
  )
  const receipts = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Stopped]))
  return receipts
    .filter(({ kind }) => kind === "stopped")
    .map(({ rule: id, reason, tool, paths }) => ({ rule: id, reason, tool, paths }))
}

describe("a session on real OpenCode replays to its receipts", () => {
  for (const [name, run] of Object.entries(SESSIONS)) {
    test(name, async () => {
      const session = await project.session()
      await run(session)
      const ids = [session.id, ...(await session.children()).map(({ id }) => id)]
      const folder = join(lab.root, `exports-${session.id}`)
      await mkdir(folder)
      for (const id of ids)
        await writeFile(join(folder, `${id}.json`), (await lab.run(project.directory, ["export", id])).stdout)
      const { code, output } = await replay(folder)
      const same = { against: "receipts", knowsWhen: true, gained: [], lost: [], moved: [] }
      expect(output.sessions.map(({ id, difference }) => [id, difference]).toSorted()).toEqual(
        ids.toSorted().map((id) => [id, same]),
      )
      expect(code).toBe(0)
      for (const { id, stopped, deliveries } of output.sessions) {
        expect(stopped.map(({ request: _, ...one }: { request?: number }) => one)).toEqual([...(await stoppedIn(id))])
        expect(deliveries.length).toBeGreaterThan(0)
      }
    })
  }
})

test("OpenCode's own sessions of the project, with a server and without one", async () => {
  const { output } = await replay("--limit", "2")
  const { output: served } = await replay("--limit", "2", "--server", lab.url())
  const roots = output.sessions.filter(({ parent }) => parent === undefined)
  expect(roots).toHaveLength(2)
  expect(output.failures).toEqual([])
  expect(served).toEqual(output)
})
