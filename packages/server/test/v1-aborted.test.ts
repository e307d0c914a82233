import { expect, test } from "bun:test"
import { counts } from "./support/dispatches.ts"
import { until } from "./support/until.ts"
import { startV1Host } from "./support/v1-host.ts"
import { v1Tools } from "./support/v1-tools.ts"

// A call can end seconds after its turn was aborted: what it matched is stored with the next prompt.

const { write } = v1Tools
const RUST = "Rule for Rust."
const RULES = { "rust.md": `---\nglobs: "*.rs"\n---\n${RUST}` }

test("a call that ends after its turn was aborted stores nothing; its rule is in the next prompt", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", ["done"])
  const late = await session.begin(write("a.rs", "x"))
  await session.abort()
  await late.end()
  expect(host.prompts).toEqual([])
  expect(counts(await session.prompt("go on", ["done"]), RUST)).toEqual([1])
  expect(session.storedWith(RUST)).toHaveLength(1)
})

test.each<[what: string, type: string, properties: (sessionID: string) => object, stored: number]>([
  ["that its session is idle", "session.status", (sessionID) => ({ sessionID, status: { type: "idle" } }), 0],
  ["that its session is busy", "session.status", (sessionID) => ({ sessionID, status: { type: "busy" } }), 1],
  ["of an error in its session", "session.error", (sessionID) => ({ sessionID, error: { name: "X" } }), 0],
  ["of an error in no session", "session.error", () => ({ error: { name: "X" } }), 1],
  ["that its session has come to rest", "session.idle", (sessionID) => ({ sessionID }), 0],
  ["that another session has", "session.idle", () => ({ sessionID: "ses_other" }), 1],
])("an event %s: a call that ends behind it stores %s", async (_what, type, properties, stored) => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", ["done"])
  await session.dispatch()
  const call = await session.begin(write("a.rs", "x"))
  await host.emit({ type, properties: properties(session.id) })
  await call.end()
  expect(host.prompts).toHaveLength(stored)
  expect(counts([await session.dispatch()], RUST)).toEqual([1])
})

test("an aborted call's end is not kept waiting, whatever is read for it", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", ["done"])
  const late = await session.begin(write("some/folder/of/many/a.rs", "x"))
  await session.abort()
  const end = Promise.resolve(late.end()).then(() => "at once")
  expect(await Promise.race([end, new Promise((resolve) => setImmediate(resolve, "later"))])).toBe("at once")
  expect(counts(await session.prompt("go on", ["done"]), RUST)).toEqual([1])
})

test("undone at once: what the undo hides is not removed by the late call", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("first", ["done"])
  await session.prompt("second", ["done"])
  const late = await session.begin(write("a.rs", "x"))
  await session.abort()
  session.revert(1)
  await late.end()
  expect(session.stored()).toHaveLength(4)
})

test("a late call is late in the next turn, too, where calls of that turn store what it has met", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("first", ["done"])
  const late = await session.begin(write("a.rs", "x"))
  await session.abort()
  await session.prompt("second", ["done"])
  const own = await session.begin(write("b.txt", "x"))
  await late.end()
  expect(host.prompts).toEqual([])
  await own.end()
  expect(host.prompts).toHaveLength(1)
})

test("a call of the turn before a prompt stores nothing, though the host tells of the abort only later", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("first", ["done"])
  const late = await session.begin(write("a.rs", "x"))
  await session.ask("second")
  await session.dispatch()
  await late.end()
  expect(host.prompts).toEqual([])
  await session.abort()
  expect(counts(await session.prompt("go on", ["done"]), RUST)).toEqual([1])
  expect(session.storedWith(RUST)).toHaveLength(1)
})

test("a prompt into a turn that runs on: what a call under way brings is in the next request, and stored by a later call", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("first", ["done"])
  const early = await session.begin(write("a.rs", "x"))
  await session.ask("second")
  await early.end()
  expect(counts([await session.dispatch()], RUST)).toEqual([1])
  expect(host.prompts).toEqual([])
  const own = await session.begin(write("b.txt", "x"))
  await own.end()
  expect(host.prompts).toHaveLength(1)
  expect(counts([await session.dispatch()], RUST)).toEqual([1])
})

test("an abort while one delivery is stored: what waits behind it is not stored", async () => {
  const gate = Promise.withResolvers<void>()
  const rules = { ...RULES, "ts.md": '---\nglobs: "*.ts"\n---\nRule for Ts.' }
  await using host = await startV1Host({ rules, persist: () => gate.promise })
  const session = host.session()
  await session.prompt("go", ["done"])
  const [first, second] = [await session.begin(write("a.rs", "x")), await session.begin(write("b.ts", "x"))]
  const ends = Promise.all([first.end(), second.end()])
  await until(() => host.prompts.length > 0)
  await session.abort()
  gate.resolve()
  await ends
  expect(host.prompts).toHaveLength(1)
})

test("calls whose start was not seen store as ever, a thousand failed ones before them or not", async () => {
  await using host = await startV1Host({ rules: RULES })
  const session = host.session()
  await session.prompt("go", ["done"])
  const forgotten = await session.begin(write("a.rs", "x"))
  for (let call = 0; call < 1_000; call += 1) await session.begin(write("a.txt", "x"))
  await forgotten.end()
  expect(host.prompts).toHaveLength(1)
})

test("a call that begins after its turn was aborted is not held: no request follows that could bring the rule", async () => {
  await using host = await startV1Host({ rules: { "rust.md": RULES["rust.md"].replace("globs", "hold: true\nglobs") } })
  const session = host.session()
  await session.prompt("go", ["done"])
  await session.abort()
  const late = await session.begin(write("a.rs", "x"))
  expect(host.prompts).toEqual([])
  await late.end()
})

const FORBIDDING = '---\nname: No logging\nglobs: "*.ts"\nforbid: debugger\n---\nUse the logger.'
const NOTICE = '"debugger" was added to a.ts, line 1.'

test("a call that breaks a rule after its turn was aborted stores nothing; the notice is in the next prompt", async () => {
  await using host = await startV1Host({ rules: { "log.md": FORBIDDING } })
  const session = host.session()
  await session.prompt("go", ["done"])
  const late = await session.begin(write("a.ts", "debugger"))
  await session.abort()
  await late.end()
  expect(host.prompts).toEqual([])
  expect(counts(await session.prompt("go on", ["done"]), NOTICE)).toEqual([1])
  expect(session.storedWith(NOTICE)).toHaveLength(1)
})

test("a call that begins after its turn was aborted is refused all the same, and stores nothing", async () => {
  await using host = await startV1Host({ rules: { "log.md": FORBIDDING.replace("forbid", "hold: true\nforbid") } })
  const session = host.session()
  await session.prompt("go", ["done"])
  await session.abort()
  await expect(session.begin(write("a.ts", "debugger"))).rejects.toThrow(
    'Refused: *No logging* forbids "debugger" in a.ts. Leave it out and repeat the call.',
  )
  expect(host.prompts).toEqual([])
  expect(counts(await session.prompt("go on", ["done"]), "Use the logger.")).toEqual([0])
})
