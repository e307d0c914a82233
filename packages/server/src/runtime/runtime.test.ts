import { afterEach, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { stateDirectory } from "@opencode-rulebook/rule-schema"
import { shown } from "../../test/support/engine.ts"
import { createProject, type ProjectOptions } from "../../test/support/project.ts"
import { until } from "../../test/support/until.ts"
import { VERSION } from "./announcement.ts"
import { createRuntime, type Runtime } from "./runtime.ts"

const SESSION = "ses_1"
const TURN = { prompt: "go", agent: "build" }

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

type Input = Parameters<typeof createRuntime>[0]

/** The runtime in a project of its own, beside a host that only remembers. */
async function started(options: ProjectOptions & { readonly input?: Partial<Input> } = {}) {
  const project = await createProject(options)
  cleanups.push(project.remove)
  const log: string[] = []
  const start = (more: Partial<Input> = {}): Runtime => {
    const runtime = createRuntime({
      host: "OpenCode 1",
      directory: project.directory,
      worktree: project.worktree,
      env: { HOME: project.home, ...options.env },
      home: project.home,
      rawOptions: undefined,
      createPort: () => ({
        persist: async () => ({ kind: "stored", messageID: "stored" }),
        log: (level, message) => void log.push(`${level} ${message}`),
      }),
      tools: async () => new Set(["bash"]),
      ...options.input,
      ...more,
    })
    cleanups.push(runtime.dispose)
    return runtime
  }
  const runtime = start()
  const request = async (session = SESSION, own = runtime) => {
    const { insertions } = await own.engine.dispatch(session, shown(["m1"]), TURN)
    return insertions.flatMap(({ text }) => Array.from(text.matchAll(/<rule name="([^"]*)"/g), ([, name]) => name))
  }
  const states = stateDirectory({ HOME: project.home }, project.home)
  return { ...project, runtime, log, start, request, states }
}

describe("the options", () => {
  test("what is wrong with them is said once, in the log and beside the sessions' rules", async () => {
    const { runtime, log, request, readState } = await started({
      rules: { "a.md": "Text." },
      input: { rawOptions: { maxTokens: -1, receipts: false, projectCommands: true } },
    })
    expect(runtime.options).toEqual({ projectCommands: true, projectLinks: false, maxSessions: 200, receipts: false })
    const warning = `opencode.json: the plugin's option "maxTokens" must be a whole number from 1 to 10000000, not -1; the default applies.`
    expect(log).toEqual([`warn ${warning}`])
    await request()
    await runtime.dispose()
    expect(await readState(SESSION)).toMatchObject({ notices: [warning], projectCommands: true })
  })

  test("the state names the sources and the trust that the sessions have, and receipts name host and version", async () => {
    const { runtime, request, readState, readReceipts, directory } = await started({
      rules: { "a.md": "Text." },
      input: { rawOptions: { rulesOf: ["cursor"], packs: ["@acme/rules"] } },
    })
    await request()
    await runtime.dispose()
    expect(await readState(SESSION)).toMatchObject({
      projectCommands: false,
      rulesOf: ["cursor"],
      packs: ["@acme/rules"],
    })
    expect((await readReceipts(SESSION))?.receipts[0]).toMatchObject({ host: "OpenCode 1", plugin: VERSION, directory })
  })

  test("without sources and receipts there is nothing of them", async () => {
    const { runtime, request, readState, readReceipts } = await started({
      rules: { "a.md": "Text." },
      input: { rawOptions: { receipts: false } },
    })
    await request()
    await runtime.dispose()
    const state = await readState(SESSION)
    expect([state?.rulesOf, state?.packs, state?.notices]).toEqual([undefined, undefined, undefined])
    expect(await readReceipts(SESSION)).toBeUndefined()
  })

  test("so many sessions stay in memory, and above so many tokens there is a warning", async () => {
    const { log, request, writeRules, runtime } = await started({
      rules: { "a.md": "Text." },
      input: { rawOptions: { maxSessions: 1, maxTokens: 1 } },
    })
    expect(await request()).toEqual(["a"])
    await writeRules({ "b.md": "Text." })
    expect(await request()).toEqual(["a"])
    await request("ses_2")
    expect(await request()).toEqual(["a", "b"])
    expect(log.filter((line) => line.startsWith("warn the rules in a request of session ses_1"))).toHaveLength(2)
    await runtime.dispose()
  })
})

describe("what the host says", () => {
  test("warnings and errors are beside the rules, other lines in the log alone", async () => {
    const { runtime, log, request, readState } = await started({ rules: { "a.md": "Text." } })
    runtime.notify("An early notice.")
    await request()
    const failing = runtime.guarded(async () => {
      throw new Error("broken")
    })
    await failing()
    runtime.notify("A notice.")
    await runtime.dispose()
    expect(log).toHaveLength(1)
    expect(log[0]).toStartWith("error the plugin failed in a hook: Error: broken")
    const notices = (await readState(SESSION))?.notices
    expect(notices?.map((line) => line.split("\n")[0])).toEqual([
      "An early notice.",
      "the plugin failed in a hook: Error: broken",
      "A notice.",
    ])
  })

  test("a problem of a rule is one warning in the log, which the sidebar finds by itself; one of a source is in both", async () => {
    const { runtime, log, request, readState } = await started({
      rules: { "a.md": "Text.", "bad.md": "---\nci: maybe\n---\nText." },
      input: { rawOptions: { packs: ["@acme/none"] } },
    })
    await request()
    await request("ses_2")
    await runtime.dispose()
    expect(log.map((line) => line.replace(/^(warn ).*(bad\.md|the pack \S+).*/, "$1$2"))).toEqual([
      "warn the pack @acme/none",
      "warn bad.md",
    ])
    expect((await readState(SESSION))?.notices).toEqual([expect.stringContaining("the pack @acme/none")])
  })

  test("its own list of files to send is asked for once, and compared with the rules", async () => {
    let asked = 0
    const { runtime, log, request, directory } = await started({
      rules: { "a.md": "Text." },
      input: {
        async instructions() {
          asked += 1
          return [".opencode/rules/*.md"]
        },
      },
    })
    await request()
    await request("ses_2")
    await until(() => log.length > 0)
    await runtime.dispose()
    expect(asked).toBe(1)
    expect(log).toEqual([
      `warn ${directory}/.opencode/rules:1:1: is listed in "instructions" of opencode.json too (".opencode/rules/*.md"), so OpenCode sends one rule of it with every request, and each that matches arrives twice. Take that out of "instructions": the plugin delivers these rules when they match.`,
    ])
  })

  test("a list that it does not give is none", async () => {
    const { log, request } = await started({
      rules: { "a.md": "Text." },
      input: { instructions: () => Promise.reject(new Error("no configuration")) },
    })
    expect(await request()).toEqual(["a"])
    await Bun.sleep(0)
    expect(log).toEqual([])
  })

  test("the line that the plugin is loaded", async () => {
    const { runtime, log, directory, home } = await started({ rules: { "a.md": "Text." } })
    runtime.announce()
    await until(() => log.length > 0)
    const folders = [join(home, ".config/opencode/rules"), join(directory, ".opencode/rules")].join(", ")
    expect(log).toEqual([`info version ${VERSION} is loaded on OpenCode 1 for ${directory}: 1 rule, from ${folders}`])
  })
})

describe("facts of the machine", () => {
  const BRANCH = { "b.md": "---\nbranch: [main]\n---\nText.", "o.md": `---\nos: [${process.platform}]\n---\nText.` }

  test("the branch is that of the repository around the folder", async () => {
    const { request } = await started({ rules: BRANCH, above: { ".git/HEAD": "ref: refs/heads/main\n" } })
    expect((await request()).toSorted()).toEqual(["b", "o"])
  })

  test("a host that names the root of the disk has no repository: the folder's own counts", async () => {
    const { request } = await started({
      rules: BRANCH,
      files: { ".git/HEAD": "ref: refs/heads/main\n" },
      above: { ".opencode/rules/above.md": "Text." },
      input: { worktree: "/" },
    })
    expect((await request()).toSorted()).toEqual(["b", "o"])
  })

  test("ci, the project's tags and the tools", async () => {
    const rules = {
      "ci.md": "---\nci: true\n---\nText.",
      "node.md": "---\nproject: [node]\n---\nText.",
      "tool.md": "---\ntools: [bash]\n---\nText.",
    }
    const { request } = await started({ rules, files: { "package.json": "{}" }, env: { CI: "1" } })
    expect((await request()).toSorted()).toEqual(["ci", "node", "tool"])
    const other = await started({ rules, input: { tools: async () => new Set() } })
    expect(await other.request()).toEqual([])
  })

  test("OPENCODE_RULEBOOK_DEBUG=1 logs each request, rule by rule", async () => {
    const { log, request } = await started({ rules: { "a.md": "Text." }, env: { OPENCODE_RULEBOOK_DEBUG: "1" } })
    await request()
    expect(log).toEqual(["info request 1 of ses_1: project:a.md (a): matched, durable: no conditions"])
    const off = await started({ rules: { "a.md": "Text." }, env: { OPENCODE_RULEBOOK_DEBUG: "0" } })
    await off.request()
    expect(off.log).toEqual([])
  })
})

describe("copies of the plugin", () => {
  test("of two in one folder the latest works, with a warning, until it ends", async () => {
    const { runtime, log, start, directory } = await started()
    const [first, second] = [runtime, start()]
    expect(log).toEqual([
      `warn the plugin is loaded twice for ${directory}; name it once in the plugin lists. Only the latest one works.`,
    ])
    const works = async ({ guarded }: Runtime) => (await guarded(async () => true)()) === true
    expect([await works(first), await works(second)]).toEqual([false, true])
    await second.dispose()
    expect(await works(first)).toBe(true)
  })

  test("where the host has several for a folder, all work", async () => {
    const { runtime, log, start } = await started({ input: { sharesFolder: true } })
    const second = start()
    expect([await runtime.guarded(async () => 1)(), await second.guarded(async () => 2)()]).toEqual([1, 2])
    expect(log).toEqual([])
  })
})

describe("a hook's command", () => {
  const hook = (name: string) => `---\nhooks: [{ type: PreToolUse, tool: bash, run: touch ${name} }]\n---\nText.`
  const call = { sessionID: SESSION, tool: "bash", args: {} }

  test("of the user's own rule runs in the folder; one of a project's only with the option, which a warning names once", async () => {
    const { runtime, log, path, directory } = await started({
      globalRules: { "g.md": hook("own") },
      rules: { "p.md": hook("not") },
    })
    await runtime.engine.toolStarting(call)
    await runtime.engine.toolStarting(call)
    await until(() => existsSync(path("own")))
    expect(log).toEqual([
      `warn ${join(directory, ".opencode/rules/p.md")}: hooks: a command in a project's rule is not run; set the plugin's option "projectCommands": true in opencode.json to trust this project's commands.`,
    ])
    expect(existsSync(path("not"))).toBe(false)
    const trusted = await started({
      rules: { "p.md": hook("trusted") },
      input: { rawOptions: { projectCommands: true } },
    })
    await trusted.runtime.engine.toolStarting(call)
    await until(() => existsSync(trusted.path("trusted")))
    expect(trusted.log).toEqual([])
  })

  test("that fails is a warning that names the rule's file", async () => {
    const failing = "---\nhooks: [{ type: PreToolUse, tool: bash, run: exit 3 }]\n---\nText."
    const { runtime, log, home } = await started({ globalRules: { "g.md": failing } })
    await runtime.engine.toolStarting(call)
    await until(() => log.length > 0)
    expect(log).toEqual([
      `warn hook of ${join(home, ".config/opencode/rules/g.md")}: the command ended with exit code 3`,
    ])
  })
})

test("a session that is over leaves no file, one that is not stays", async () => {
  const { runtime, request, states } = await started({ rules: { "a.md": "Text." } })
  await request()
  await request("ses_2")
  await runtime.dispose()
  runtime.engine.closeSession(SESSION)
  await runtime.dispose()
  expect((await readdir(states)).toSorted()).toEqual(["receipts", "ses_2.json"])
  expect(await readdir(join(states, "receipts"))).toEqual(["ses_2.jsonl"])
})

test("what can't be written is a warning, and rules work without it", async () => {
  const { runtime, log, request, home } = await started({ rules: { "a.md": "Text." } })
  await writeFile(join(home, ".local"), "in the way")
  expect(await request()).toEqual(["a"])
  await runtime.dispose()
  const warnings = log.map((line) => line.replace(/ to .*/, ""))
  expect(warnings.toSorted()).toEqual(["warn receipts can't be written", "warn the sidebar's state can't be written"])
})
