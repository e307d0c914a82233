import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, type Lab, type Project, say, startLab } from "@opencode-rulebook/host-lab"
import { buildGuard, guardedProject, guardFolder, guardLog } from "./guard-lab.ts"

setDefaultTimeout(180_000)

let lab: Lab
beforeAll(async () => {
  await buildGuard()
  const own = { permission: { edit: "ask", bash: { "*": "ask", "g1 *": "allow" } } }
  lab = await startLab({ opencodeConfig: own, env: { OPENCODE_PERMISSION: '{"bash":{"env *":"ask"}}' } })
})
afterAll(() => lab.stop())

/** The guard's command, as it is published, in the host's own environment. */
async function command(project: Project, ...args: readonly string[]) {
  const run = Bun.spawn([process.execPath, join(guardFolder, "dist/cli.js"), ...args], {
    cwd: project.directory,
    env: lab.env,
    stdout: "pipe",
    stderr: "pipe",
  })
  const [out, code] = await Promise.all([run.stdout.text(), run.exited])
  return { out, code }
}

const bash = (rules: unknown) => JSON.stringify({ permission: { bash: rules } })

test("the command reads the permissions of every agent as the host does", async () => {
  const markdown =
    "---\ndescription: d\nmode: primary\npermission:\n  bash:\n    '*': allow\n    'md *': ask\n---\nBe brief.\n"
  const project = await lab.project({
    git: "main",
    subfolder: "sub",
    config: {
      permission: {
        "*": "allow",
        bash: { "p1 *": "deny", "*": "allow", "g1 *": "deny", "~/bin/x *": "allow" },
        webfetch: "deny",
      },
      agent: {
        own: { mode: "primary", permission: { bash: "deny" } },
        build: { permission: { bash: { "b *": "ask" } } },
        tooled: { mode: "primary", tools: { bash: false, edit: false } },
      },
      mode: { moded: { permission: { bash: { "mode *": "ask" } } } },
    },
    files: {
      "opencode.jsonc": '{ // c\n "permission": { "bash": { "jsonc *": "ask" } } }',
      "sub/opencode.json": bash({ "sub *": "ask" }),
      ".opencode/opencode.json": bash({ "dot *": "ask" }),
      ".opencode/agent/brief.md": markdown,
      ".opencode/agents/nested/deep.md": markdown,
      "sub/.opencode/opencode.jsonc": bash({ "subdot *": "ask" }),
    },
  })
  const { data = [] } = await project.client().app.agents()
  for (const agent of ["build", "general", "own", "tooled", "moded", "brief", "nested/deep"]) {
    const host = data.find(({ name }) => name === agent)?.permission ?? []
    const { out } = await command(project, "explain", "--json", "--agent", agent, "true")
    const { rules } = JSON.parse(out) as { rules: typeof host }
    expect([agent, rules.filter(isJudged).map(textOf)]).toEqual([agent, host.filter(isJudged).map(textOf)])
  }

  function isJudged({ permission }: { permission: string }): boolean {
    return ["*", "bash", "doom_loop", "edit", "external_directory", "webfetch"].includes(permission)
  }
  function textOf(rule: { permission: string; pattern: string; action: string }): string {
    return `${rule.permission} ${rule.pattern} ${rule.action}`
  }
})

test("at load, patterns without effect and failed cases are one warning each, with place and remedy", async () => {
  const cases = '{\n  "cases": [\n    { "action": "deny", "match": ["dd x"] }\n  ]\n}\n'
  const permission = { bash: { "dd *": "deny", "*": "allow" } }
  await using own = await startLab()
  const project = await guardedProject(own, permission, { files: { ".opencode/opencode-bash-guard.jsonc": cases } })
  const session = await project.session()
  for (const text of ["one", "two"])
    await session.prompt(text, [call("bash", { command: "true", description: "d" }), say("ok")])
  const shadowed = await guardLog(own, "has no effect", 1)
  const failed = await guardLog(own, "the case", 1)
  expect([shadowed.length, failed.length]).toEqual([1, 1])
  expect(shadowed[0]).toContain("`dd *` (deny) has no effect, because `*` (allow) stands behind it")
  expect(shadowed[0]).toContain("put `*` in front of it")
  expect(failed[0]).toContain(`${project.path(".opencode/opencode-bash-guard.jsonc")}:3: the case`)
})
