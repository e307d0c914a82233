import { expect, test } from "bun:test"
import fc from "fast-check"
import { count, counts, expectExtending } from "./support/dispatches.ts"
import { type Fault, failing } from "./support/host.ts"
import { runs } from "./support/runs.ts"
import type { V2Step } from "./support/v2-calls.ts"
import { startV2Host, type V2HostOptions } from "./support/v2-host.ts"
import { quiet } from "./support/v2-session.ts"
import { v2Tools } from "./support/v2-tools.ts"

// The turns of OpenCode v2 that go another way, and what the plugin may never cost: a provider request.

const { shell, write } = v2Tools
const RULES = {
  "build.md": "---\nagent: [build]\n---\nRule for builders.",
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "hook.md":
    "---\nagent: [plan]\nhooks:\n  - type: PostToolUse\n    tool: shell\n    match: push\n---\nRule of a hook.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
}
const HOLDING = RULES["rust.md"].replace("globs", "hold: true\nglobs")
const BUILD = "Rule for builders."
const DEPLOY = "Rule for deploys."
const HOOK = "Rule of a hook."
const RUST = "Rule for Rust."

test("a step that is repeated carries the same again", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const turn = await session.prompt("deploy", [
    { kind: "retry" },
    [write("a.rs", "x"), shell("push")],
    { kind: "retry" },
    { kind: "retry" },
    shell("ls"),
    "done",
  ])
  expect(counts(turn, DEPLOY)).toEqual([1, 1, 1, 1, 1, 1])
  expect(counts(turn, RUST)).toEqual([0, 0, 1, 1, 1, 1])
  expect(counts(turn, HOOK)).toEqual([0, 0, 1, 1, 1, 0])
  expect(turn[4]).toEqual(turn[2] ?? [])
  expect(host.prompts).toHaveLength(1)
})

test("a turn that is interrupted behind its calls: the next one has what they met, once", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const turn = await session.prompt("go", [{ kind: "interrupt", calls: [write("a.rs", "x")] }])
  expect(counts(turn, RUST)).toEqual([0])
  const next = await session.prompt("go on", [shell("ls"), "done"])
  expect(counts(next, RUST)).toEqual([1, 1])
  expect(session.storedWith(RUST)).toHaveLength(1)
  expect(host.prompts).toHaveLength(1)
})

test("a call that begins when its turn is over is not held: no request follows that could bring the rule", async () => {
  await using host = await startV2Host({ rules: { "rust.md": HOLDING } })
  const session = host.session()
  await session.prompt("go", [{ kind: "interrupt", calls: [] }])
  const call = { tool: "write", sessionID: session.id, callID: "call_late", input: { path: "a.rs", content: "x" } }
  await host.fire("tool.execute.before", call)
  expect(counts(await session.prompt("on", ["done"]), RUST)).toEqual([0])
})

test("a call in Code Mode is held like any other: it fails inside the code, and what the code did before is done", async () => {
  await using host = await startV2Host({ rules: { "rust.md": HOLDING } })
  const session = host.session()
  const execute = { ...v2Tools.tool("execute", { code: "…" }, "Held: …"), inside: [shell("ls"), write("a.rs", "x")] }
  const turn = await session.prompt("go", [execute, execute, "done"])
  expect(counts(turn, RUST)).toEqual([0, 1, 1])
  expect(host.timeline.filter((name) => name.startsWith("execute.after"))).toHaveLength(2)
  expect(host.log.filter((line) => line.includes("held: a call of write"))).toHaveLength(1)
})

test("a call that was cut off has no end, and keeps nobody waiting", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("hello", ["done"])
  await host.fire("tool.execute.before", { tool: "shell", sessionID: session.id, callID: "call_cut", input: {} })
  const looking = { kind: "answer", during: () => expect(host.prompts).toHaveLength(1) } as const
  await session.prompt("go on", [write("a.rs", "x"), looking])
})

test("a compaction in the middle of a turn brings durable rules back once", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const compacting = { ...shell("ls"), during: () => session.compact() }
  const turn = await session.prompt("deploy", [write("a.rs", "x"), compacting, shell("ls"), shell("ls"), "done"])
  expect(counts(turn, RUST)).toEqual([0, 1, 1, 1, 1])
  expect(counts(turn, DEPLOY)).toEqual([1, 1, 1, 1, 1])
  expect(counts(turn, BUILD)).toEqual([1, 1, 1, 1, 1])
  for (const rule of [RUST, DEPLOY]) expect(session.storedWith(rule)).toHaveLength(2)
  expect(counts(await session.prompt("more", ["done"]), RUST)).toEqual([1])
})

test("what waits for its step outlives a compaction: it is not stored again", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("deploy", ["done"])
  await session.compact()
  expect(counts(await session.prompt("more", [shell("ls"), shell("ls"), "done"]), DEPLOY)).toEqual([1, 1, 1])
  expect(host.prompts).toHaveLength(1)
})

test("what became history and is compacted before a dispatch showed it is stored again", async () => {
  await using host = await startV2Host({ rules: RULES, line: "preview" })
  const session = host.session()
  await session.prompt("deploy", ["done"])
  // Promoted and compacted without a dispatch in between, as when the next prompt is too long.
  const [waiting] = session.inbox.splice(0)
  host.events.emit("session.input.promoted", { sessionID: session.id, inputID: waiting?.id })
  await session.compact()
  expect(counts(await session.prompt("more", [shell("ls"), "done"]), DEPLOY)).toEqual([1, 1])
  expect(host.prompts).toHaveLength(2)
  expect(counts(await session.prompt("and more", ["done"]), DEPLOY)).toEqual([1])
})

test("a revert of the prompt that met a rule: its pending delivery is in the next dispatch, once", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  await session.prompt("hello", ["done"])
  await session.prompt("deploy", ["done"])
  session.revert(1)
  expect(counts(await session.prompt("something else", [shell("ls"), "done"]), DEPLOY)).toEqual([1, 1])
  expect(session.storedWith(DEPLOY)).toHaveLength(1)
})

test("events that come late do not make a running step pay", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  host.events.hold()
  await session.prompt("deploy", ["done"])
  const release = async () => {
    host.events.release()
    await quiet()
  }
  const late = { kind: "answer", during: release } as const
  expect(counts(await session.prompt("more", [late]), DEPLOY)).toEqual([1])
  expect(counts(await session.prompt("and more", [shell("ls"), "done"]), DEPLOY)).toEqual([1, 1])
  expect(host.prompts).toHaveLength(1)
  expectExtending(session.dispatches)
})

test("behind calls that all failed nothing is stored: the user may have turned them down, and ended the turn", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const looking = { kind: "answer", during: () => expect(host.prompts).toEqual([]) } as const
  const turn = await session.prompt("deploy", [[failing(shell("ls")), failing(write("a.rs", "x"))], looking])
  expect(counts(turn, DEPLOY)).toEqual([1, 1])
  await session.prompt("go on", ["done"])
  expect(session.storedWith(DEPLOY)).toHaveLength(1)
})

const WRITE = write("a.rs", "x")
const step = fc.constantFrom<V2Step>(
  WRITE,
  shell("ls"),
  shell("push"),
  failing(write("b.rs", "x")),
  [shell("push"), WRITE, failing(shell("ls"))],
  { kind: "retry" },
)
const scriptedTurn = fc.record({
  prompt: fc.constantFrom("hello", "deploy", "go on"),
  agent: fc.constantFrom("build", "plan"),
  steps: fc.array(step, { maxLength: 4 }),
  ends: fc.constantFrom("done", "interrupted"),
  afterwards: fc.constantFrom("nothing", "compact", "revert", "restart"),
})
const fault = fc.constantFrom<Fault>("ok", "ok", "fails", "stored, answer lost")
const scenario = fc.record({
  script: fc.array(scriptedTurn, { minLength: 1, maxLength: 5 }),
  faults: fc.array(fault),
  line: fc.constantFrom<"preview" | "stable">("preview", "stable"),
})

test("whatever happens: no further request, no rule twice, none missing once it has matched", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ script, faults, line }) => {
      const plain = await play(script, { line })
      let attempts = 0
      const played = await play(script, { rules: RULES, line, persist: () => faults[attempts++] ?? "ok" })
      expect(played.map((turn) => turn.length)).toEqual(plain.map((turn) => turn.length))
      expectComplete(script, played)
    }),
    { numRuns: runs(40) },
  )
}, 60_000)

/** How often a rule must be in a dispatch. `maybe`: it had matched when the plugin ended, and may not have been stored. */
const EXPECTED: Readonly<Record<"no" | "maybe" | "yes", readonly number[]>> = { no: [0], maybe: [0, 1], yes: [1] }

function expectComplete(script: readonly ScriptedTurn[], played: Awaited<ReturnType<typeof play>>): void {
  const matched: Record<string, keyof typeof EXPECTED> = { [DEPLOY]: "no", [RUST]: "no" }
  for (const [index, { prompt, agent, steps, afterwards }] of script.entries()) {
    if (prompt === "deploy") matched[DEPLOY] = "yes"
    for (const [number, dispatch] of (played[index] ?? []).entries()) {
      const before = steps[number - 1]
      if (before !== undefined && [before].flat().includes(WRITE)) matched[RUST] = "yes"
      for (const rule of [DEPLOY, RUST]) expect(EXPECTED[matched[rule] ?? "no"]).toContain(count(dispatch, rule))
      expect(count(dispatch, BUILD)).toBe(agent === "build" ? 1 : 0)
      expect(count(dispatch, HOOK)).toBeLessThanOrEqual(1)
    }
    const stays = !steps.some((step) => JSON.stringify(step).includes("push"))
    if (stays) expectExtending(played[index] ?? [])
    if (afterwards !== "restart") continue
    for (const rule of [DEPLOY, RUST]) if (matched[rule] === "yes") matched[rule] = "maybe"
  }
}

interface ScriptedTurn {
  readonly prompt: string
  readonly agent: string
  readonly steps: readonly V2Step[]
  readonly ends: string
  readonly afterwards: string
}

async function play(script: readonly ScriptedTurn[], options: V2HostOptions) {
  await using host = await startV2Host(options)
  const session = host.session()
  const played: (readonly (readonly string[])[])[] = []
  for (const { prompt, agent, steps, ends, afterwards } of script) {
    const end: V2Step = ends === "done" ? "done" : { kind: "interrupt", calls: [shell("ls")] }
    played.push(await session.prompt(prompt, [...steps, end], { agent }))
    if (afterwards === "compact") await session.compact()
    if (afterwards === "revert") session.revert(0)
    if (afterwards === "restart") await host.restart()
  }
  return played
}
