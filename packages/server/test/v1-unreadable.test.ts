import { expect, test } from "bun:test"
import { counts, expectExtending } from "./support/dispatches.ts"
import { startV1Host, type V1HostOptions } from "./support/v1-host.ts"
import { v1Tools } from "./support/v1-tools.ts"

// What OpenCode v1 has stored and, for a while, can't show: that is not the same as a history that holds nothing.

const { shell, write } = v1Tools
const RULES = {
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
}
const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."

type Reading = NonNullable<V1HostOptions["reading"]>

/** A host that answers what it is asked until `answers` says something else. */
async function startUnreadable() {
  const answers: { reading: Reading } = { reading: () => "answered" }
  const host = await startV1Host({ rules: RULES, reading: (what) => answers.reading(what) })
  return { host, answers }
}

test.each(["fails", "throws"] as const)(
  "after a restart, a history whose reading %s is not taken for an empty one: nothing is stored twice",
  async (fault) => {
    const started = await startUnreadable()
    await using host = started.host
    const session = host.session()
    await session.prompt("deploy", [write("a.rs", "x"), shell("ls"), "done"])
    await host.restart()
    started.answers.reading = (what) => (what === "history" ? fault : "answered")
    const turn = await session.prompt("deploy again", [write("b.rs", "x"), shell("ls"), "done"])
    for (const rule of [RUST, DEPLOY]) {
      expect(counts(turn, rule)).toEqual([1, 1, 1])
      expect(session.storedWith(rule)).toHaveLength(1)
    }
    expectExtending(session.dispatches)
    expect(host.log.filter((line) => line.includes("could not be read"))).toHaveLength(1)
  },
)

test.each(["fails", "throws"] as const)(
  "a newest prompt whose reading %s is there all the same: it carries the delivery, and keeps its agent",
  async (fault) => {
    const started = await startUnreadable()
    await using host = started.host
    const session = host.session()
    await session.prompt("go", ["done"], { agent: "plan" })
    const stored = session.stored().length
    started.answers.reading = (what) => (what === "message" ? fault : "answered")
    await session.callTool(write("a.rs", "x"))
    const newest = session.stored().findLast(({ info }) => info.role === "user")
    expect(host.prompts.map(({ body }) => body)).toMatchObject([{ agent: "plan", messageID: newest?.info.id }])
    expect(newest?.info).toMatchObject({ agent: "plan" })
    expect(session.stored()).toHaveLength(stored)
  },
)

test.each(["fails", "throws"] as const)(
  "with the newest prompt unknown and a history whose reading %s, nothing is stored without its agent; the next request has it",
  async (fault) => {
    const started = await startUnreadable()
    await using host = started.host
    const session = host.session()
    await session.prompt("go", ["done"], { agent: "plan" })
    await host.restart()
    let reads = 0
    // What is stored is read back first; then, to find the message that is to carry the delivery.
    started.answers.reading = () => (++reads === 1 ? "answered" : fault)
    await session.callTool(write("a.rs", "x"))
    expect(host.prompts).toEqual([])
    expect(counts([await session.dispatch()], RUST)).toEqual([1])
    started.answers.reading = () => "answered"
    const turn = await session.prompt("more", [shell("ls"), "done"], { agent: "plan" })
    expect(counts(turn, RUST)).toEqual([1, 1])
    expect(session.storedWith(RUST)).toHaveLength(1)
  },
)

test.each(["fails", "throws"] as const)(
  "with nothing readable the newest prompt carries the delivery, and stays as it is known: %s",
  async (fault) => {
    const started = await startUnreadable()
    await using host = started.host
    const session = host.session()
    await session.prompt("go", ["done"], { agent: "plan", system: "Be terse." })
    const [prompted] = session.stored()
    Object.assign(prompted?.info.time ?? {}, { created: 5 })
    const before = structuredClone(prompted?.info)
    await session.dispatch()
    started.answers.reading = () => fault
    await session.callTool(write("a.rs", "x"))
    expect(session.storedWith(RUST)).toHaveLength(1)
    expect(session.stored()[0]?.info).toEqual(before as never)
  },
)
