import { describe, expect, test } from "bun:test"
import { count, counts, expectExtending } from "./support/dispatches.ts"
import { failing } from "./support/host.ts"
import type { V2Step } from "./support/v2-calls.ts"
import { startV2Host } from "./support/v2-host.ts"
import { quiet } from "./support/v2-session.ts"
import { readResult, v2Tools } from "./support/v2-tools.ts"

// What OpenCode v2 has and v1 hasn't, or the other way about. What both have is in the suites beside this file.

const { edit, patch, read, shell, tool, write } = v2Tools
const RULES = {
  "build.md": "---\nagent: [build]\n---\nRule for builders.",
  "css.md": '---\nglobs: "*.css"\n---\nRule for styles.',
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "rust.md": '---\nglobs: "src/**/*.rs"\n---\nRule for Rust.',
  "unsafe.md": '---\nfileContains: "unsafe {"\n---\nRule for unsafe.',
}
const BUILD = "Rule for builders."
const CSS = "Rule for styles."
const DEPLOY = "Rule for deploys."
const RUST = "Rule for Rust."
const UNSAFE = "Rule for unsafe."

test("late delivery: the request right after the call that met the rule carries it, in the same turn", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const turn = await session.prompt("look", [read(host, "src/a.rs", "fn a() {}"), "done"])
  expect(turn).toHaveLength(2)
  expect(turn[1]?.slice(0, -1).at(-1)).toStartWith("tool: [read]")
  expect(count([turn[1]?.at(-1) ?? ""], RUST)).toBe(1)
  expect(session.stored().filter(({ metadata }) => metadata !== undefined)).toHaveLength(1)

  const next = await session.prompt("and now?", ["done"])
  expect(counts(next, RUST)).toEqual([1])
  expect(session.storedWith(RUST)).toHaveLength(1)
})

test.each([
  ["stable", 0],
  ["preview", 1],
] as const)(
  "%s: what the prompt matches is in the first dispatch and, from the next turn on, in the history once",
  async (line, stored) => {
    await using host = await startV2Host({ rules: RULES, line })
    const session = host.session()
    expect(counts(await session.prompt("deploy", ["done"]), DEPLOY)).toEqual([1])
    expect(host.prompts).toHaveLength(stored)
    const next = await session.prompt("deploy again", [shell("ls"), "done"])
    expect(counts(next, DEPLOY)).toEqual([1, 1])
    expect(session.stored().filter(({ content }) => JSON.stringify(content).includes(DEPLOY))).toHaveLength(1)
    expect(host.prompts).toHaveLength(1)
    expectExtending(session.dispatches)
  },
)

test("a rule of the prompt is stored behind the turn's first call, if there is one", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("deploy", [{ ...shell("ls"), during: () => expect(host.prompts).toHaveLength(0) }, "done"])
  expect(session.stored().filter(({ role }) => role === "user")).toHaveLength(2)
  expect(session.storedWith(DEPLOY)).toHaveLength(1)
})

test("a transient rule is in its dispatches and nowhere else", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  expect(counts(await session.prompt("go", [shell("ls"), "done"]), BUILD)).toEqual([1, 1])
  expect(counts(await session.prompt("plan", ["done"], { agent: "plan" }), BUILD)).toEqual([0])
  expect(session.storedWith(BUILD)).toEqual([])
  expect(host.prompts).toEqual([])
})

test("parallel calls that meet several rules are one delivery, in the rulebook's order, however they end", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const calls = [
    { ...read(host, "src/a.rs", "unsafe { }"), ends: 2, during: quiet },
    { ...write("b.css", "unsafe {"), ends: 0 },
    { ...read(host, "c.css", "unsafe { }"), ends: 1 },
  ]
  const turn = await session.prompt("go", [calls, "done"])
  for (const rule of [RUST, CSS, UNSAFE]) expect(counts(turn, rule)).toEqual([0, 1])
  expect(host.prompts.map(({ text }) => text.match(/Rule for \w+/g))).toEqual([
    ["Rule for styles", "Rule for Rust", "Rule for unsafe"],
  ])
})

test("a delivery is admitted with an id of its own, and wakes nobody", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", [write("src/a.rs", "x"), "done"])
  const [input] = host.prompts.map(({ input }) => input)
  expect(input).toMatchObject({ sessionID: session.id, resume: false })
  expect(session.stored().map(({ id }) => id)).toContain(input?.id)
})

describe("each tool's payload", () => {
  const page = { type: "text-page", content: "line 8\nunsafe {", offset: 8, truncated: true, next: 10 }
  const file = { uri: "file:///home/dev/app/a.rs", name: "a.rs", mime: "application/rls-services+xml" }
  const image = {
    uri: "file:///home/dev/app/src/p.png",
    name: "p.png",
    content: "",
    encoding: "base64",
    mime: "image/png",
  }
  const added = "*** Begin Patch\n*** Add File: src/a.rs\n+unsafe {\n*** End Patch"
  const both = [RUST, UNSAFE]
  const cases: readonly [title: string, step: V2Step, met: readonly string[]][] = [
    ["read", readResult("src/a.rs", { ...file, content: "unsafe {", encoding: "utf8" }), both],
    ["read without the text", readResult("src/a.rs", { ...file, content: "safe", encoding: "utf8" }), [RUST]],
    ["read of a page", readResult("src/a.rs", page), both],
    ["read of an image", readResult("src/p.png", image), []],
    ["read of a directory", readResult("src/a.rs", { entries: [{ path: "unsafe {", type: "file" }] }), []],
    ["write", write("src/a.rs", "unsafe {"), both],
    ["write by an absolute path", write("/home/dev/app/x.css", "unsafe {"), [CSS, UNSAFE]],
    ["edit", edit("src/a.rs", "safe", "unsafe {"), both],
    ["edit, the sides apart", edit("src/a.rs", "unsafe", " {"), [RUST]],
    ["patch", patch(added), both],
    ["patch, told by its summary only", { ...patch("?"), output: "Applied patch sequentially:\nA src/a.rs" }, [RUST]],
    ["shell", shell("cat src/a.rs", "unsafe {"), []],
    ["glob", tool("glob", { pattern: "**/*.rs", path: "src" }, "src/a.rs"), []],
    ["grep", tool("grep", { pattern: "unsafe {" }, "src/a.rs:1: unsafe {"), []],
    ["subagent", tool("subagent", { description: "see src/a.rs", prompt: "unsafe {" }, "unsafe {"), []],
    ["execute", tool("execute", { code: "files.read({ path: 'src/a.rs' })" }, "unsafe {"), []],
  ]
  for (const line of ["stable", "preview"] as const) {
    for (const [title, step, met] of cases) {
      test(`${line}: ${title}`, async () => {
        await using host = await startV2Host({ rules: RULES, line })
        const session = host.session()
        const turn = await session.prompt("go", [step, "done"])
        for (const rule of [RUST, CSS, UNSAFE]) expect(counts(turn, rule)).toEqual([0, met.includes(rule) ? 1 : 0])
        const failed = await session.prompt("go on", [failing(step as never), "done"])
        for (const rule of met) expect(counts(failed, rule)).toEqual([1, 1])
      })
    }

    test(`${line}: a failed call observes nothing and fires no PostToolUse hook`, async () => {
      const hook = "---\nhooks:\n  - type: PostToolUse\n    tool: write\n---\nRule of a hook."
      await using host = await startV2Host({ rules: { ...RULES, "hook.md": hook }, line })
      const turn = await host.session().prompt("go", [failing(write("src/a.rs", "unsafe {")), "done"])
      for (const rule of [RUST, UNSAFE, "Rule of a hook."]) expect(counts(turn, rule)).toEqual([0, 0])
    })
  }
})

test("rules name tools by the names of either host", async () => {
  const hook = (name: string) => `---\nhooks:\n  - type: PostToolUse\n    tool: ${name}\n---\nHook on ${name}.`
  const offered = (name: string) => `---\ntools: [${name}]\n---\nOffered ${name}.`
  await using host = await startV2Host({
    rules: { "a.md": hook("bash"), "b.md": hook("shell"), "c.md": offered("bash"), "d.md": offered("apply_patch") },
    tools: ["shell", "read"],
  })
  const turn = await host.session().prompt("go", [shell("ls"), "done"])
  for (const text of ["Hook on bash.", "Hook on shell."]) expect(counts(turn, text)).toEqual([0, 1])
  expect(counts(turn, "Offered bash.")).toEqual([1, 1])
  expect(counts(turn, "Offered apply_patch.")).toEqual([0, 0])
})

test("agent and model switches: what is transient follows, what is durable stays", async () => {
  const rules = { ...RULES, "big.md": "---\nmodel: [fake/big]\n---\nRule for the big model." }
  await using host = await startV2Host({ rules })
  const session = host.session()
  const big = { model: { id: "big", providerID: "fake" } }
  expect(counts(await session.prompt("deploy", ["done"], big), "Rule for the big model.")).toEqual([1])
  const switched = await session.prompt("go on", [shell("ls"), "done"], { agent: "plan" })
  expect(counts(switched, "Rule for the big model.")).toEqual([0, 0])
  expect(counts(switched, BUILD)).toEqual([0, 0])
  expect(counts(switched, DEPLOY)).toEqual([1, 1])
})

test("a subagent's session is its own, and its parent's calls go on", async () => {
  await using host = await startV2Host({ rules: RULES })
  const [parent, child] = [host.session(), host.session()]
  const work = async () => {
    const turn = await child.prompt("deploy", [write("src/a.rs", "x"), "done"], { agent: "general" })
    expect(counts(turn, RUST)).toEqual([0, 1])
    expect(counts(turn, DEPLOY)).toEqual([1, 1])
    expect(counts(turn, BUILD)).toEqual([0, 0])
  }
  const call = { ...tool("subagent", { prompt: "deploy" }, "done"), during: work }
  const turn = await parent.prompt("go", [[call, write("a.css", "x")], "done"])
  expect(counts(turn, CSS)).toEqual([0, 1])
  for (const rule of [RUST, DEPLOY]) expect(counts(turn, rule)).toEqual([0, 0])
})

test("one host, many projects: a session has the rules of its own folder", async () => {
  const folders = new Map<string, string>()
  await using other = await startV2Host({ rules: { "other.md": "Rule elsewhere." } })
  await using host = await startV2Host({
    rules: RULES,
    get: async (id) => ({ data: { location: { directory: folders.get(id) } } }),
  })
  const [here, there] = [host.session(), host.session()]
  folders.set(here.id, host.directory).set(there.id, other.directory)
  expect(counts(await here.prompt("deploy", ["done"]), DEPLOY)).toEqual([1])
  const turn = await there.prompt("deploy", ["done"])
  expect(counts(turn, DEPLOY)).toEqual([0])
  expect(counts(turn, "Rule elsewhere.")).toEqual([1])
})

test("a file found with a call, which the host admits on its own, is no prompt", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const found = { ...read(host, "sub/a.ts", "x"), instructions: "Instructions: deploy with care." }
  const turn = await session.prompt("look", [found, "done"])
  expect(counts(turn, DEPLOY)).toEqual([0, 0])
  expect(count(turn[1], "Instructions: deploy with care.")).toBe(1)
})

test("prompts that are promoted together all count", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const steering = () => {
    session.steer("deploy it")
    session.steer("and hurry")
  }
  const turn = await session.prompt("go", [{ ...shell("ls"), during: steering }, "done"])
  expect(counts(turn, DEPLOY)).toEqual([0, 1])
})

test.each([
  ["model", { providerID: "lab", id: "big" }],
  ["provider", { providerID: "other", id: "plain" }],
])("the same words with another %s: what is declared for it is there, and goes with it", async (_what, other) => {
  const rules = { "other.md": "---\nmodel: [lab/big, other/plain]\n---\nRule for the other." }
  await using host = await startV2Host({ rules })
  const session = host.session()
  const plain = { providerID: "lab", id: "plain" }
  for (const model of [plain, other, plain]) {
    const turn = await session.prompt("go", ["done"], { model })
    expect(counts(turn, "Rule for the other.")).toEqual([model === other ? 1 : 0])
  }
})
