import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { readPermissions } from "./read.ts"

// The orders are those that OpenCode 1.18.33 listed for these files (measured; packages/host-lab holds the command against it).

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "guard-opencode-"))
  mkdirSync(join(root, "p/.git"), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content))
}

const bash = (rules: unknown) => ({ permission: { bash: rules } })

function read(env: Record<string, string> = {}, folder = "p/sub", major?: 1 | 2) {
  mkdirSync(join(root, folder), { recursive: true })
  const found = readPermissions({ cwd: join(root, folder), home: join(root, "home"), env }, major)
  const rulesOf = (agent: string): string[] | undefined =>
    found.agents
      .get(agent)
      ?.filter(({ scope }) => scope !== "default")
      .map(({ permission, pattern, action }) => `${permission} ${pattern} ${action}`)
  return { ...found, rulesOf }
}

describe("OpenCode 1", () => {
  test("files in their order, merged key by key", () => {
    write("home/.config/opencode/config.json", bash({ "cj *": "ask" }))
    write("home/.config/opencode/opencode.json", bash({ "*": "ask", "g1 *": "allow" }))
    write("home/.config/opencode/opencode.jsonc", bash({ "gjsonc *": "ask" }))
    write("custom.json", bash({ "custom *": "ask" }))
    write("p/opencode.json", bash({ "p1 *": "deny", "g1 *": "deny" }))
    write("p/opencode.jsonc", '{ // c\n "permission": { "bash": { "jsonc *": "ask", }, }, }')
    write("p/sub/opencode.json", bash({ "sub *": "ask" }))
    write("p/.opencode/opencode.json", bash({ "dot *": "ask" }))
    write("p/sub/.opencode/opencode.json", bash({ "subdot *": "ask" }))
    write("home/.opencode/opencode.json", bash({ "homedot *": "ask" }))
    write("dir/opencode.json", bash({ "cfgdir *": "ask" }))
    write("opencode.json", bash({ "above the worktree *": "ask" }))
    const env = {
      OPENCODE_CONFIG: join(root, "custom.json"),
      OPENCODE_CONFIG_DIR: join(root, "dir"),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(bash({ "content *": "ask" })),
      OPENCODE_PERMISSION: JSON.stringify({ bash: { "env *": "ask" } }),
    }
    const patterns = "cj,*,g1,gjsonc,custom,p1,jsonc,sub,subdot,dot,homedot,cfgdir,content,env"
    const expected = patterns.split(",").map((name) => {
      const pattern = name === "*" ? "*" : `${name} *`
      return `bash ${pattern} ${name === "p1" || name === "g1" ? "deny" : "ask"}`
    })
    expect(read(env).rulesOf("build")).toEqual(expected)
  })

  test("a word is an object, and replaces what it stands for", () => {
    write("home/.config/opencode/opencode.json", { permission: { edit: "ask", bash: { "x *": "deny" } } })
    write("p/opencode.json", { permission: { bash: "allow", webfetch: "deny" } })
    expect(read().rulesOf("build")).toEqual(["edit * ask", "bash * allow", "webfetch * deny"])
    write("p/sub/opencode.json", { permission: "ask" })
    expect(read().rulesOf("build")).toEqual(["edit * ask", "bash * allow", "webfetch * deny", "* * ask"])
  })

  test("tools of older files, and home folders", () => {
    write("p/opencode.json", {
      tools: { bash: false, write: true },
      permission: { edit: "ask", bash: { "~/bin/x *": "allow", "$HOME/y *": "allow", "~z *": "ask" } },
    })
    expect(read().rulesOf("build")).toEqual([
      `bash ${root}/home/bin/x * allow`,
      `bash ${root}/home/y * allow`,
      "bash ~z * ask",
      "edit * ask",
    ])
  })

  test("agents from JSON and markdown, modes, and those turned off", () => {
    write("p/opencode.json", {
      permission: { bash: { "*": "ask" } },
      default_agent: "own",
      agent: {
        own: { permission: { bash: "deny" } },
        build: { permission: { bash: { "b *": "ask" } } },
        both: { permission: { bash: { "json *": "ask" } } },
        tools: { permission: { bash: { "z *": "allow" }, "*": "deny" }, tools: { bash: false, write: true } },
        off: { disable: true },
      },
      mode: { moded: { permission: { bash: { "mode *": "ask" } } } },
    })
    write("p/.opencode/agent/both.md", "---\ntools:\n  bash: false\npermission:\n  edit: deny\n---\nx")
    write("p/.opencode/agents/nested/deep.md", "---\npermission:\n  bash:\n    '*': allow\n---\nx")
    write("p/.opencode/mode/mm.md", "---  \r\npermission: deny\r\n--- \t\r\nx: [")
    write("p/.opencode/agent/plain.md", "No frontmatter.")
    const { rulesOf, defaultAgent, agents } = read()
    expect(defaultAgent).toBe("own")
    expect(rulesOf("own")).toEqual(["bash * ask", "bash * deny"])
    expect(rulesOf("build")).toEqual(["bash * ask", "bash b * ask"])
    expect(rulesOf("both")).toEqual(["bash * ask", "bash * deny", "edit * deny"])
    expect(rulesOf("tools")).toEqual(["bash * ask", "bash z * allow", "edit * allow", "* * deny"])
    expect(rulesOf("moded")).toEqual(["bash * ask", "bash mode * ask"])
    expect(rulesOf("mm")).toEqual(["bash * ask", "* * deny"])
    expect(rulesOf("nested/deep")).toEqual(["bash * ask", "bash * allow"])
    expect(rulesOf("plain")).toEqual(["bash * ask"])
    expect(agents.has("off")).toBe(false)
  })

  test("each rule has its file and line, in markdown too", () => {
    write("p/opencode.json", '{\n  "permission": {\n    "bash": { "*": "ask",\n      "rm *": "deny" } } }')
    write("p/.opencode/agent/own.md", "---\ndescription: d\npermission:\n  bash:\n    'x *': ask\n---\nx")
    const origins = read()
      .agents.get("own")
      ?.flatMap(({ origin }) => (origin ? [`${origin.file}:${origin.line}`] : []))
    expect(origins).toEqual([
      `${root}/p/opencode.json:3`,
      `${root}/p/opencode.json:4`,
      `${root}/p/.opencode/agent/own.md:5`,
    ])
  })

  test("what can't be read is a problem with its place, and the rest counts", () => {
    write("p/opencode.json", bash({ "x *": "ask" }))
    write("p/opencode.jsonc", '{\n "permission": {')
    write("p/.opencode/opencode.json", "[]")
    mkdirSync(join(root, "p/sub/opencode.json"), { recursive: true })
    write("p/.opencode/agent/bad.md", "---\na: [\n---\n")
    const { problems, rulesOf } = read()
    expect(rulesOf("build")).toEqual(["bash x * ask"])
    const places = problems.map(({ origin, reason }) => `${origin.file.slice(root.length)}:${origin.line} ${reason}`)
    expect(places).toEqual([
      expect.stringMatching(/^\/p\/opencode\.jsonc:2 not valid JSONC/),
      expect.stringMatching(/^\/p\/sub\/opencode\.json:1 cannot be read/),
      expect.stringMatching(/^\/p\/\.opencode\/opencode\.json:1 not a JSON object/),
      expect.stringMatching(/^\/p\/\.opencode\/agent\/bad\.md:\d frontmatter cannot be read/),
    ])
  })
})

test("a word that is no effect is a problem with its place", () => {
  write(
    "p/opencode.json",
    '{ "permission": { "bash": {\n"x *": "maybe", "y *": "ask" } },\n"agent": { "own": { "permission": ["deny"] } } }',
  )
  write("p/.opencode/agent/md.md", "---\npermission:\n  bash: never\n---\nx")
  const { problems, rulesOf } = read()
  expect(rulesOf("build")).toEqual(["bash y * ask"])
  expect(problems.map(({ origin, reason }) => `${origin.line} ${reason}`)).toEqual([
    '2 "maybe" is not "allow", "ask" or "deny"',
    '3 a list is not "allow", "ask" or "deny"',
    '3 "never" is not "allow", "ask" or "deny"',
  ])
})

describe("OpenCode 2", () => {
  test("rules are appended file by file, older keys first and renamed; agents behind all of them", () => {
    write("home/.config/opencode/opencode.json", { permissions: [{ action: "shell", resource: "*", effect: "ask" }] })
    write("p/opencode.json", {
      permission: { bash: { "old *": "deny" }, webfetch: "ask" },
      permissions: [{ action: "*", resource: "new *", effect: "allow" }],
      agents: { own: { permissions: [{ action: "sh*", resource: "own *", effect: "ask" }] } },
    })
    write("p/.opencode/opencode.json", { permissions: [{ action: "edit", resource: "*.lock", effect: "deny" }] })
    write(
      "p/sub/.opencode/agent/md.md",
      "---\npermissions:\n  - action: shell\n    resource: 'md *'\n    effect: deny\n---\nx",
    )
    write("opencode.json", { permissions: [{ action: "shell", resource: "above *", effect: "ask" }] })
    const { rulesOf, major } = read()
    const user = [
      "bash * ask",
      "bash above * ask",
      "bash old * deny",
      "bash new * allow",
      "edit new * allow",
      "external_directory new * allow",
      "edit *.lock deny",
    ]
    expect(major).toBe(2)
    expect(rulesOf("build")).toEqual(user)
    expect(rulesOf("own")).toEqual([...user, "bash own * ask"])
    expect(rulesOf("md")).toEqual([...user, "bash md * deny"])
  })

  test("a file of version 1 is read as version 2 does when that is asked for", () => {
    write("p/opencode.json", {
      permission: { bash: { "*": "ask" } },
      agent: { off: { disable: true }, own: { permission: "deny" } },
    })
    const { rulesOf, agents } = read({}, "p", 2)
    expect(rulesOf("build")).toEqual(["bash * ask"])
    expect(rulesOf("own")).toEqual(["bash * ask", "bash * deny", "edit * deny", "external_directory * deny"])
    expect(agents.has("off")).toBe(false)
  })
})
