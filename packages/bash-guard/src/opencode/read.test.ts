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
  const all = (agent: string): readonly string[] =>
    (found.agents.get(agent) ?? []).map(({ permission, pattern, action }) => `${permission} ${pattern} ${action}`)
  const problems = found.problems.map(({ origin, reason }) => {
    return `${origin.file.replace(`${root}/`, "")}:${origin.line} ${reason}`
  })
  return { ...found, rulesOf, all, problems, names: [...found.agents.keys()] }
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

  test("paths in the environment may be relative; a folder counts where it comes first", () => {
    write("p/sub/mine.json", bash({ "mine *": "ask", "same *": "ask" }))
    write("p/sub/dir/opencode.jsonc", bash({ "dir *": "ask" }))
    const env = { OPENCODE_CONFIG: "mine.json", OPENCODE_CONFIG_DIR: "dir" }
    expect(read(env).rulesOf("build")).toEqual(["bash mine * ask", "bash same * ask", "bash dir * ask"])
    write("p/sub/.opencode/opencode.json", bash({ "same *": "allow" }))
    write("p/.opencode/opencode.json", bash({ "same *": "deny" }))
    expect(read({ OPENCODE_CONFIG_DIR: ".opencode" }).rulesOf("build")).toEqual(["bash same * deny"])
  })

  test("the user's folder is $XDG_CONFIG_HOME/opencode, else ~/.config/opencode", () => {
    write("home/.config/opencode/opencode.json", bash({ "home *": "ask" }))
    write("xdg/opencode/opencode.json", bash({ "xdg *": "ask" }))
    expect(read({ XDG_CONFIG_HOME: "" }).rulesOf("build")).toEqual(["bash home * ask"])
    expect(read({ XDG_CONFIG_HOME: join(root, "xdg") }).rulesOf("build")).toEqual(["bash xdg * ask"])
  })

  test("outside of a repository, every folder up to the root is the project's", () => {
    rmSync(join(root, "p/.git"), { recursive: true })
    write("opencode.json", bash({ "out *": "ask", "same *": "ask" }))
    write(".opencode/opencode.json", bash({ "outdot *": "ask" }))
    write("p/opencode.json", bash({ "p *": "ask", "same *": "deny" }))
    expect(read().rulesOf("build")).toEqual(["bash out * ask", "bash same * deny", "bash p * ask", "bash outdot * ask"])
  })

  test("OpenCode's own agents begin with its rules, and end with one", () => {
    write("p/opencode.json", {
      permission: { bash: "ask" },
      agent: { plan: { permission: { bash: "deny" } }, own: {} },
    })
    const env = { XDG_DATA_HOME: "/data", TMPDIR: "/scratch" }
    const { all, names, defaultAgent } = read(env)
    const folders = [
      "external_directory * ask",
      "external_directory /data/opencode/tool-output/* allow",
      "external_directory /scratch/opencode/* allow",
    ]
    const first = ["* * allow", "doom_loop * ask", ...folders]
    const last = ["external_directory /data/opencode/tool-output/* allow"]
    const plans = ["edit * deny", "edit .opencode/plans/*.md allow"]
    expect(names).toEqual(["build", "plan", "general", "explore", "own"])
    expect(defaultAgent).toBe("build")
    expect(all("build")).toEqual([...first, "bash * ask", ...last])
    expect(all("general")).toEqual([...first, "bash * ask", ...last])
    expect(all("own")).toEqual([...first, "bash * ask", ...last])
    expect(all("plan")).toEqual([...first, ...plans, "bash * ask", "bash * deny", ...last])
    expect(all("explore")).toEqual([...first, "* * deny", "bash * allow", ...folders, "bash * ask", ...last])
    expect(read({ XDG_DATA_HOME: "", TMPDIR: "" }).all("build")).toEqual([
      "* * allow",
      "doom_loop * ask",
      "external_directory * ask",
      `external_directory ${root}/home/.local/share/opencode/tool-output/* allow`,
      `external_directory ${join(tmpdir(), "opencode/*")} allow`,
      "bash * ask",
      `external_directory ${root}/home/.local/share/opencode/tool-output/* allow`,
    ])
  })

  test("any agent can be turned off, and a name that is no text is none", () => {
    write("p/opencode.json", {
      default_agent: "",
      agent: { general: { disable: true }, own: { disable: "yes" } },
      mode: { explore: { disable: true } },
    })
    expect(read()).toMatchObject({ names: ["build", "plan", "own"], defaultAgent: "build" })
    write("p/sub/opencode.json", { default_agent: 3, agent: { own: 3, general: { disable: false } } })
    expect(read()).toMatchObject({ names: ["build", "plan", "general", "own"], defaultAgent: "build" })
  })

  test("a value of another shape is as if it were not there", () => {
    write("home/.config/opencode/opencode.json", {
      permission: { bash: { "x *": "ask" } },
      agent: { own: { permission: { bash: "deny" } } },
    })
    write("p/opencode.json", { permission: 3, agent: "none", mode: ["own"], tools: { bash: "no", list: false } })
    write("p/sub/opencode.json", { permission: [], agent: { own: { permission: "never", tools: ["bash"] } } })
    expect(read().rulesOf("own")).toEqual(["list * deny", "bash x * ask", "bash * deny"])
  })

  test("`$OPENCODE_PERMISSION` goes over all files", () => {
    write("p/opencode.json", { permission: { bash: { "x *": "ask", "y *": "ask" }, edit: "ask" } })
    const permission = { bash: { "x *": "deny" }, edit: { "*.lock": "deny" } }
    const { agents, rulesOf } = read({ OPENCODE_PERMISSION: JSON.stringify(permission) })
    expect(rulesOf("build")).toEqual(["bash x * deny", "bash y * ask", "edit *.lock deny"])
    const rules = agents.get("build")?.filter(({ scope }) => scope === "user")
    expect(rules?.map(({ origin }) => origin)).toEqual([
      { file: "$OPENCODE_PERMISSION", line: 1 },
      { file: join(root, "p/opencode.json"), line: 1 },
      { file: "$OPENCODE_PERMISSION", line: 1 },
    ])
    expect(read({ OPENCODE_PERMISSION: '"deny"' }).rulesOf("build")?.at(-1)).toBe("* * deny")
    for (const text of ["", "{", "3"]) {
      expect(read({ OPENCODE_PERMISSION: text }).rulesOf("build")).toEqual([
        "bash x * ask",
        "bash y * ask",
        "edit * ask",
      ])
    }
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
      permission: {
        edit: "ask",
        bash: { "~/bin/x *": "allow", "$HOME/y *": "allow", "~z *": "ask", $HOMES: "ask", "ls ~/x": "ask" },
        external_directory: { "~": "deny", $HOME: "deny" },
      },
    })
    expect(read().rulesOf("build")).toEqual([
      `bash ${root}/home/bin/x * allow`,
      `bash ${root}/home/y * allow`,
      "bash ~z * ask",
      "bash $HOMES ask",
      "bash ls ~/x ask",
      "edit * ask",
      `external_directory ${root}/home deny`,
      `external_directory ${root}/home deny`,
    ])
  })

  test("every older tool that writes is an edit", () => {
    for (const tool of ["write", "edit", "patch", "multiedit"]) {
      write("p/opencode.json", { tools: { [tool]: false, webfetch: true } })
      expect(read().rulesOf("build")).toEqual(["edit * deny", "webfetch * allow"])
    }
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

  test("agents in files: every folder for them, with the nearer ones over the farther", () => {
    const agent = (action: string) =>
      `---\npermission:\n  bash:\n    'same *': ${action}\n    '${action} *': ask\n---\n`
    write("home/.config/opencode/agents/one.md", agent("ask"))
    write("home/.config/opencode/opencode.json", { agent: { one: { permission: { bash: { "json *": "ask" } } } } })
    write("p/.opencode/agent/one.md", agent("allow"))
    write("home/.opencode/modes/one.md", agent("deny"))
    for (const name of ["c", "a", "b"]) write(`p/.opencode/modes/${name}.md`, "")
    write("p/.opencode/agent/readme.txt", agent("ask"))
    write("p/.opencode/mode/nested/deep.md", agent("ask"))
    const { rulesOf, names } = read()
    expect(rulesOf("one")).toEqual([
      "bash json * ask",
      "bash same * deny",
      "bash ask * ask",
      "bash allow * ask",
      "bash deny * ask",
    ])
    expect(names).toEqual(["build", "plan", "general", "explore", "one", "a", "b", "c"])
  })

  test("frontmatter begins on the first line, and ends before the next that begins with dashes", () => {
    const rows: readonly [text: string, action: string | undefined][] = [
      ["---\npermission: deny\n---", "* * deny"],
      ["\uFEFF---\r\npermission: deny\r\n---\r\n", "* * deny"],
      ["---\t \npermission: deny\n---  \nx\n---\n", "* * deny"],
      ["---\npermission: deny\nx: '\n ---'\n---\n", "* * deny"],
      ["\n---\npermission: deny\n---\n", undefined],
      ["x\n---\npermission: deny\n---\n", undefined],
      ["----\npermission: deny\n---\n", undefined],
      ["---\npermission: deny\n", "* * deny"],
      ["---\npermission: deny\n----\nx: [", "* * deny"],
      ["---", undefined],
      ["---\n---\n", undefined],
      ["---\n- permission: deny\n---\n", undefined],
    ]
    for (const [text, rule] of rows) {
      write("p/.opencode/agent/own.md", text)
      const { rulesOf, problems } = read()
      expect([text, rulesOf("own"), problems]).toEqual([text, rule === undefined ? [] : [rule], []])
    }
  })

  test("an anchor in frontmatter stands for what it names, and keys are texts", () => {
    write(
      "p/.opencode/agent/own.md",
      "---\nx: &rules\n  'rm *': deny\n  1: ask\npermission:\n  bash: *rules\n  edit: &word ask\n  webfetch: *word\n---\n",
    )
    const { rulesOf, problems } = read()
    expect(rulesOf("own")).toEqual(["bash rm * deny", "bash 1 ask", "edit * ask", "webfetch * ask"])
    expect(problems).toEqual([])
  })

  test("variables of the environment stand in JSON", () => {
    write(
      "p/opencode.json",
      '\uFEFF{\n"permission": { "bash": { "{env:TOOL} *": "ask", "a{env:NONE}b{env:TOOL}": "deny" } } }',
    )
    expect(read({ TOOL: "make" }).rulesOf("build")).toEqual(["bash make * ask", "bash abmake deny"])
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
    write("p/.opencode/agent/bad.md", "---\na: 1\nb: x: y\n---\n")
    write("p/.opencode/agents", "no folder")
    write("p/.opencode/opencode.jsonc", "")
    const { problems, rulesOf } = read({ OPENCODE_CONFIG_CONTENT: "\n[" })
    expect(rulesOf("build")).toEqual(["bash x * ask"])
    expect(problems).toEqual([
      "p/opencode.jsonc:2 not valid JSONC (CloseBraceExpected)",
      expect.stringMatching(/^p\/sub\/opencode\.json:1 cannot be read \(EISDIR: .+\)$/),
      "p/.opencode/opencode.json:1 not a JSON object",
      expect.stringMatching(/^p\/\.opencode\/agent\/bad\.md:3 frontmatter cannot be read \([^\n]+\)$/),
      "$OPENCODE_CONFIG_CONTENT:2 not valid JSONC (CloseBracketExpected)",
    ])
  })
})

test("a word that is no effect is a problem with its place", () => {
  write(
    "p/opencode.json",
    '{ "permission": { "bash": {\n"x *": "maybe", "y *": "ask" } },\n"agent": { "own": { "permission": ["deny"] } } }',
  )
  write("p/.opencode/agent/md.md", "---\npermission:\n  bash: never\n---\nx")
  expect(read().rulesOf("build")).toEqual(["bash y * ask"])
  write("p/sub/opencode.json", '{\n"mode": {\n"own": { "permission": { "bash": 1 } }, "fine": "x" } }')
  expect(read().problems).toEqual([
    'p/opencode.json:2 "maybe" is not "allow", "ask" or "deny"',
    'p/opencode.json:3 a list is not "allow", "ask" or "deny"',
    'p/sub/opencode.json:3 1 is not "allow", "ask" or "deny"',
    'p/.opencode/agent/md.md:3 "never" is not "allow", "ask" or "deny"',
  ])
})

describe("OpenCode 2", () => {
  const shell = (...patterns: readonly string[]) => ({
    permissions: patterns.map((resource) => ({ action: "shell", resource, effect: "ask" })),
  })

  test("files in their order", () => {
    write("home/.config/opencode/config.json", shell("older"))
    write("home/.config/opencode/opencode.json", shell("global"))
    write("home/.opencode/opencode.json", shell("home"))
    write("custom.json", shell("custom"))
    write("dir/opencode.json", shell("dir"))
    write("opencode.json", shell("above"))
    write("p/opencode.json", shell("p"))
    write("p/opencode.jsonc", shell("p jsonc"))
    write("p/sub/opencode.json", shell("sub"))
    write("p/.opencode/opencode.json", shell("dot"))
    write("p/sub/.opencode/opencode.json", shell("subdot"))
    const env = {
      OPENCODE_CONFIG: "../../custom.json",
      OPENCODE_CONFIG_DIR: join(root, "dir"),
      OPENCODE_CONFIG_CONTENT: JSON.stringify(shell("content")),
    }
    const names = "global,custom,above,p,p jsonc,sub,dot,subdot,content".split(",")
    expect(read(env).rulesOf("build")).toEqual(names.map((name) => `bash ${name} ask`))
  })

  test("a key that only version 2 has tells, in any file", () => {
    for (const key of ["permissions", "agents", "plugins"]) {
      write("home/.config/opencode/opencode.json", { [key]: [] })
      write("p/opencode.json", { permission: { bash: "ask" } })
      expect([key, read().major, read({}, "p/sub", 1).major]).toEqual([key, 2, 1])
    }
    write("home/.config/opencode/opencode.json", { permission: {}, agent: {}, plugin: [], mode: {} })
    expect(read().major).toBe(1)
  })

  test("OpenCode's own agents", () => {
    write("p/opencode.json", shell("x *"))
    const { all, names, defaultAgent } = read()
    const allowed = ["bash * allow", "edit * allow", "external_directory * allow"]
    const denied = ["bash * deny", "edit * deny", "external_directory * deny"]
    expect(names).toEqual(["build", "general", "explore"])
    expect(defaultAgent).toBe("build")
    expect(all("build")).toEqual([...allowed, "bash x * ask"])
    expect(all("general")).toEqual([...allowed, "bash x * ask"])
    expect(all("explore")).toEqual([
      ...allowed,
      ...denied,
      "bash * allow",
      "external_directory * allow",
      "bash x * ask",
    ])
  })

  test("agents under every key, one behind the other; turned off and on again", () => {
    write("home/.config/opencode/opencode.json", { default_agent: "first", agents: { general: { disabled: true } } })
    write("p/opencode.json", {
      default_agent: "own",
      ...shell("user"),
      agents: { own: shell("third"), explore: { disabled: true } },
      mode: { own: { permission: { bash: { second: "deny" } } } },
      agent: { own: { tools: { write: false, patch: true, bash: false } }, build: { disable: true } },
    })
    write("p/sub/opencode.json", { agents: { build: shell("build"), odd: "x" } })
    const { all, rulesOf, names, defaultAgent } = read()
    expect(names).toEqual(["own", "build", "odd"])
    expect(defaultAgent).toBe("own")
    expect(rulesOf("own")).toEqual([
      "bash user ask",
      "edit * allow",
      "bash * deny",
      "bash second deny",
      "bash third ask",
    ])
    const allowed = ["bash * allow", "edit * allow", "external_directory * allow"]
    expect(all("build")).toEqual([...allowed, "bash user ask", "bash build ask"])
    expect(all("odd")).toEqual([...allowed, "bash user ask"])
  })

  test("what is no rule is left out; each has its place", () => {
    const rule = { action: "shell", resource: "x", effect: "deny" }
    const rules = [{ ...rule, action: 1 }, { ...rule, resource: [] }, { ...rule, effect: "no" }, "deny", ["deny"], {}]
    write(
      "p/opencode.json",
      `{ "permissions": ${JSON.stringify(rules).slice(0, -1)},\n${JSON.stringify(rule)}],\n"agents": { "own": { "permissions": {} } } }`,
    )
    const { agents, rulesOf } = read()
    expect(rulesOf("own")).toEqual(["bash x deny"])
    expect(agents.get("own")?.at(-1)).toEqual({
      permission: "bash",
      pattern: "x",
      action: "deny",
      scope: "user",
      origin: { file: join(root, "p/opencode.json"), line: 2 },
    })
  })

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
