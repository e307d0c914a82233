import { describe, expect, test } from "bun:test"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type HostConfig, readHostConfig } from "../src/host-config.ts"

/** The configuration of these files: those below `user/` are the user's, `outer` and `outer/inner` are the project's folders. */
async function read(files: Record<string, unknown>, env: Record<string, string> = {}): Promise<HostConfig> {
  const root = await mkdtemp(join(tmpdir(), "rulebook-config-"))
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(root, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, typeof content === "string" ? content : JSON.stringify(content))
    }
    const project = [join(root, "outer"), join(root, "outer/inner")]
    return await readHostConfig({ user: join(root, "user"), project }, { cwd: root, env })
  } finally {
    await rm(root, { recursive: true })
  }
}

const own = (options: unknown) => ({ plugin: [["opencode-rulebook", options]] })

test("without any file, what OpenCode does by itself", async () => {
  const { model, ...config } = await read({})
  expect(model("build")).toBeUndefined()
  expect(config).toEqual({
    agent: "build",
    mcpServers: [],
    projectCommands: false,
    projectLinks: false,
    commandTemplates: [],
    instructions: [],
    declared: { agents: [], commands: [], mcpServers: [], models: [], hasMore: false },
    pluginOptions: {},
  })
})

test("later files win: the user's, the one of the environment, the project's folders from the outermost, their .opencode", async () => {
  const order = [
    "user/opencode.json",
    "user/opencode.jsonc",
    "more.json",
    "outer/opencode.json",
    "outer/opencode.jsonc",
    "outer/inner/opencode.json",
    "outer/inner/opencode.jsonc",
    "outer/.opencode/opencode.json",
    "outer/.opencode/opencode.jsonc",
    "outer/inner/.opencode/opencode.json",
    "outer/inner/.opencode/opencode.jsonc",
  ]
  for (let count = 1; count <= order.length; count += 1) {
    const files = order.slice(0, count).map((name) => [name, { default_agent: name, instructions: [name] }] as const)
    const { agent, instructions } = await read(Object.fromEntries(files), { OPENCODE_CONFIG: "more.json" })
    expect({ agent, instructions }).toEqual({ agent: order[count - 1] ?? "", instructions: order.slice(0, count) })
  }
  expect((await read({ "more.json": { default_agent: "more" } })).agent).toBe("build")
})

test("what can't be read or is of the wrong kind declares nothing, and the rest counts", async () => {
  const config = await read({
    "user/opencode.json": {
      default_agent: "plan",
      model: "a/b",
      mcp: [],
      agent: "x",
      command: null,
      instructions: "x",
    },
    "outer/opencode.json": "[]",
    "outer/opencode.jsonc": "{ nonsense",
    "outer/inner/opencode.json": { default_agent: "", model: 5, plugin: "opencode-rulebook" },
    "outer/inner/opencode.jsonc": '{ "small_model": "c/d", } // with a comma at the end',
    "outer/.opencode/opencode.json/folder": "",
  })
  expect([config.agent, config.model("plan"), config.instructions]).toEqual(["plan", "a/b", []])
  expect(config.declared).toEqual({
    agents: ["0"].slice(1),
    commands: [],
    mcpServers: [],
    models: ["a/b", "b", "c/d", "d"],
    hasMore: false,
  })
})

test("an agent's own model comes before the one for all", async () => {
  const { model } = await read({
    "user/opencode.json": { model: "all/1", agent: { plan: { model: "plan/1" }, build: "x" } },
    "outer/opencode.json": { model: "all/2", agent: { plan: {}, review: { model: "review/1" } } },
  })
  expect(["plan", "review", "build", "none"].map(model)).toEqual(["plan/1", "review/1", "all/2", "all/2"])
})

test("servers that are turned off have no tools, whichever file says it last; their names are declared", async () => {
  const config = await read({
    "user/opencode.json": { mcp: { a: { enabled: false }, b: {}, c: { disabled: true }, d: { enabled: true }, e: 5 } },
    "outer/opencode.json": { mcp: { a: { enabled: true }, b: { enabled: false }, c: { disabled: false } } },
  })
  expect(config.mcpServers).toEqual(["a", "c", "d", "e"])
  expect([...new Set(config.declared.mcpServers)]).toEqual(["a", "b", "c", "d", "e"])
})

test("names that are declared", async () => {
  const { declared, commandTemplates } = await read({
    "user/opencode.json": {
      agent: { one: { model: "a/x/y" } },
      agents: { two: {} },
      mode: { three: {} },
      command: { ship: { template: "Ship $1." }, odd: { template: 5 }, flat: "x" },
      commands: { tidy: {} },
      model: "b/z",
      small_model: "small",
      provider: { c: { models: { q: {}, "r/s": {} } }, d: { models: [] }, e: 5 },
    },
    "outer/opencode.json": { command: { ship: { template: "Ship it." } } },
  })
  expect(declared.agents).toEqual(["one", "two", "three"])
  expect(declared.commands).toEqual(["ship", "odd", "flat", "tidy", "ship"])
  expect(commandTemplates).toEqual([
    ["ship", "Ship $1."],
    ["ship", "Ship it."],
  ])
  expect(declared.models).toEqual(["a/x/y", "x/y", "b/z", "z", "small", "small", "c/q", "q", "c/r/s", "r/s"])
})

describe("the plugin's own options", () => {
  test.each<[entry: unknown]>([
    ["opencode-rulebook"],
    ["opencode-rulebook@1.2.3"],
    ["./opencode-rulebook"],
    ["/opt/opencode-rulebook/dist/index.js"],
    ["C:\\opt\\opencode-rulebook"],
    ["file:///opt/opencode-rulebook@next/"],
  ])("are those of %p", async (entry) => {
    const options = { projectCommands: true, other: 1 }
    const config = await read({ "outer/opencode.json": { plugin: [[entry, options]] } })
    expect([config.pluginOptions, config.projectCommands, config.projectLinks]).toEqual([options, true, false])
    const object = await read({
      "outer/opencode.json": { plugins: [{ package: entry, options: { projectLinks: true } }] },
    })
    expect([object.pluginOptions, object.projectCommands, object.projectLinks]).toEqual([
      { projectLinks: true },
      false,
      true,
    ])
  })

  test.each(["projectCommands", "projectLinks", "maxSessions", "receipts", "maxTokens", "rulesOf", "packs"])(
    "are known by %s, whatever the entry is called",
    async (key) => {
      expect((await read({ "outer/opencode.json": { plugin: [["./mine.ts", { [key]: 1 }]] } })).pluginOptions).toEqual({
        [key]: 1,
      })
    },
  )

  test("are not another plugin's, and the last entry's count", async () => {
    const others = [
      ["x", { other: 1 }],
      ["opencode-rulebook-bash-guard", { other: 2 }],
      ["my-opencode-rulebook", { other: 3 }],
      [5, { other: 4 }],
    ]
    expect((await read({ "outer/opencode.json": { plugin: others } })).pluginOptions).toEqual({})
    const both = { "user/opencode.json": own({ receipts: false }), "outer/opencode.json": own({ packs: ["x"] }) }
    expect((await read(both)).pluginOptions).toEqual({ packs: ["x"] })
    expect((await read({ ...both, "outer/opencode.json": own("x") })).pluginOptions).toEqual({})
    expect((await read({ "outer/opencode.json": own({ projectCommands: "true" }) })).projectCommands).toBe(false)
  })
})

describe("what else there may be", () => {
  const more = async (plugin: unknown, env?: Record<string, string>) =>
    (await read({ "outer/opencode.json": { plugin } }, env)).declared.hasMore

  test("another plugin, or configuration in the environment", async () => {
    for (const entry of ["x", "my-bash-guard", "bash-guard-x", "opencode-rulebookx", 5, ["x", {}]])
      expect([entry, await more([entry])]).toEqual([entry, true])
    expect(await more([], { OPENCODE_CONFIG_CONTENT: "{}" })).toBe(true)
    expect(await more([], { OPENCODE_CONFIG_CONTENT: "" })).toBe(false)
  })

  test("the plugins of this repository add nothing", async () => {
    for (const entry of [
      ...[
        "opencode-rulebook",
        "opencode-rulebook@1",
        "opencode-rulebook-bash-guard@2",
        "bash-guard",
        "/w/bash-guard/x.ts",
      ],
      ...["./opencode-rulebook-bash-guard", "..\\bash-guard\\", ["opencode-rulebook", {}]],
    ])
      expect([entry, await more([entry])]).toEqual([entry, false])
  })
})
