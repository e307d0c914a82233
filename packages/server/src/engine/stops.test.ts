import { describe, expect, test } from "bun:test"
import { shown, talking } from "../../test/support/engine.ts"
import { writesOf } from "../hosts/shared/writes.ts"

const SESSION = "ses_1"
const TURN = { prompt: "go", promptID: "msg_1", agent: "build" }
const COMES = "and comes with the next message. Read it and repeat the call."

describe("a call that is held", () => {
  const HOLD = '---\nname: Rust\nglobs: "*.rs"\nhold: true\n---\nRule for Rust.'
  const HELD = `Held: *Rust* applies to a.rs ${COMES}`

  test("only behind a request, until the rule is in one; in each step once more after a compaction or an undo", async () => {
    const own = talking({ rules: { "rust.md": HOLD } })
    expect(await own.starts("write", "a.rs", "x")).toBeUndefined()
    await own.request(TURN)
    expect([await own.starts("write", "a.rs", "x"), await own.starts("write", "a.rs", "x")]).toEqual([HELD, HELD])
    expect(own.newReceipts().slice(2)).toEqual([
      "1 matched rust by file a.rs",
      "1 stopped rust held write a.rs",
      "1 stopped rust held write a.rs",
    ])
    expect(own.log).toEqual([
      "info held: a call of write in session ses_1, by project:rust.md",
      "info held: a call of write in session ses_1, by project:rust.md",
    ])
    expect(await own.request()).toEqual(["m2: Rust"])
    expect(own.newReceipts()).toEqual([
      "2 request (write a.rs stopped) (write a.rs stopped)",
      "2 delivered rust request held 1",
    ])
    expect(await own.starts("write", "a.rs", "x")).toBeUndefined()
  })

  test("a rule that is in no request holds no second call while the message that it held behind is there", async () => {
    const rule = HOLD.replace("hold", "match: all\nagent: [build]\nhold")
    const own = talking({ rules: { "rust.md": rule } })
    const held = () => own.starts("write", "a.rs", "x")
    await own.request(TURN)
    expect(await held()).toBe(HELD)
    expect(await own.request()).toEqual(["m2: Rust"])
    expect(await own.request()).toEqual([])
    expect(await held()).toBeUndefined()
    own.messages.splice(1)
    await own.request()
    expect(await held()).toBeUndefined()
    own.messages.splice(0)
    await own.request()
    expect(await held()).toBe(HELD)
  })

  test("not where no request follows that would bring the rule, also if that shows only meanwhile", async () => {
    const branch = Promise.withResolvers<string>()
    const rules = { "rust.md": HOLD, "b.md": "---\nbranch: [main]\n---\nText." }
    const own = talking({ rules, facts: { branch: () => branch.promise } })
    branch.resolve("main")
    await own.request(TURN)
    let isLast = true
    const held = () => own.starts("write", "a.rs", "x", { isLast: () => isLast })
    expect(await held()).toBeUndefined()
    isLast = false
    const late = held()
    isLast = true
    expect(await late).toBeUndefined()
    isLast = false
    expect(await held()).toBe(HELD)
  })

  test("by a hook and by its file: each rule once, the ones of files first", async () => {
    const once = (name: string, more = "") =>
      `---\nname: ${name}\n${more}hooks: [{ type: PreToolUse, tool: write, block: once }]\n---\nText.`
    const rules = { "a.md": once("Hook"), "b.md": once("Both", 'globs: "*.rs"\nhold: true\n'), "rust.md": HOLD }
    const own = talking({ rules })
    await own.request(TURN)
    expect(await own.starts("write", "a.rs", "x")).toBe(
      "Held: *Both* and *Rust* apply to a.rs, *Hook* to this call. They come with the next message. Read them and repeat the call.",
    )
    expect(await own.request()).toEqual(["m2: Hook Both Rust"])
    expect(own.newReceipts().filter((line) => line.includes(" matched "))).toEqual([
      "1 matched a by hook write",
      "1 matched b by hook write",
      "1 matched rust by file a.rs",
    ])
    expect(await own.starts("write", "a.rs", "x")).toBeUndefined()
  })

  test("rules of a nested folder are looked for ahead of the call, and taken when one of them holds", async () => {
    const nested = {
      db: { "db.md": "---\nname: Database\nhold: true\n---\nText.", "other.md": "Other." },
      ui: { "ui.md": "Rule for surfaces." },
    }
    const own = talking({ nested })
    await own.request(TURN)
    expect(await own.starts("bash", "db/x.sql", "x")).toBeUndefined()
    expect(own.looks).toEqual([])
    expect(await own.starts("write", "ui/x.ts", "x")).toBeUndefined()
    own.newReceipts()
    expect(await own.starts("write", "db/x.sql", "x")).toBe(`Held: *Database* applies to db/x.sql ${COMES}`)
    expect(own.newReceipts()).toEqual([
      "1 session grows: db/db db/other",
      "1 matched db/db by file db/x.sql",
      "1 stopped db/db held write db/x.sql",
    ])
    expect(await own.request()).toEqual(["m2: Database other"])
    expect(own.newStates().at(-1)?.at(-1)).toBe("nested: db")
    await own.engine.observed(SESSION, [{ path: "ui/x.ts", tool: "read", content: "x" }])
    expect(own.newReceipts().at(-1)).toBe("2 session grows: ui/ui")
    expect(await own.request()).toEqual(["m2: Database other", "m3: ui"])
    expect(own.newStates().at(-1)?.at(-1)).toBe("nested: db ui")
    expect(own.looks).toEqual(["ui", "db"])
  })
})

describe("a call that is refused, or adds what a rule forbids", () => {
  const LOG =
    '---\nname: No logging\nglobs: "*.ts"\nforbid: ["log(", debugger]\nreminder: Logger, please.\n---\nUse the logger.'
  const added = (where: string, literal = "log(") =>
    `"${literal}" was added to ${where}. This rule forbids it: take it out.`

  test("a notice for each rule that a call broke, with the rule where it is not there, else its reminder", async () => {
    const own = talking({ rules: { "log.md": LOG } })
    await own.request(TURN)
    own.newReceipts()
    await own.file("write", "a.ts", "x\nlog(1)\ndebugger")
    expect(own.newReceipts()).toEqual([
      "1 forbidden log a.ts:2 literal 0",
      "1 forbidden log a.ts:3 literal 1",
      "1 matched log by file a.ts",
    ])
    const notice = (text: string) => `<rule name="No logging">\n${text}\n</rule>`
    const first = [added("a.ts, line 2"), added("a.ts, line 3", "debugger")].join("\n")
    expect(await own.texts()).toEqual([`m2: ${notice("Use the logger.")}\n${notice(first)}`])
    expect(own.newReceipts()).toEqual([
      "2 request (write a.ts)",
      "2 delivered log request matched 1",
      "2 delivered log request forbidden 2",
    ])
    await own.file("write", "b.ts", "log(")
    await own.file("write", "c.ts", "fine()")
    await own.file("write", "d.md", "log(")
    expect(await own.texts()).toEqual([
      `m2: ${notice("Use the logger.")}\n${notice(first)}`,
      `m3: ${notice(`${added("b.ts, line 1")}\nLogger, please.`)}`,
    ])
    expect(own.newReceipts()).toEqual([
      "2 forbidden log b.ts:1 literal 0",
      "2 followed log c.ts",
      "3 request (write b.ts) (write c.ts) (write d.md)",
      "3 delivered log request forbidden 3",
    ])
    expect(own.log).toEqual([
      "info forbidden: a call of write in session ses_1 broke project:log.md",
      "info delivered again: project:log.md in session ses_1 (forbidden), delivery 2",
      "info forbidden: a call of write in session ses_1 broke project:log.md",
      "info delivered again: project:log.md in session ses_1 (forbidden), delivery 3",
    ])
    expect(own.newStates().at(-1)).toEqual(["log pending, by a.ts, at 1000, tokens 4, request 3, count 3"])
  })

  test("what a call writes is asked for only where a rule forbids something", async () => {
    const own = talking({ rules: { "a.md": "Text." } })
    const event = { sessionID: SESSION, tool: "write", args: {} }
    await own.engine.toolSucceeded(event, [], () => expect.unreachable())
    await own.engine.toolSucceeded(event, [])
    const forbidding = talking({ rules: { "log.md": LOG } })
    await forbidding.engine.toolSucceeded(event, [])
    expect(forbidding.receipts.map(({ kind }) => kind)).toEqual(["session"])
  })

  test("a transient rule comes once with the notice; while it is there, it is not said again what it says", async () => {
    const rule = LOG.replace("globs", "match: all\nagent: [build]\nglobs")
    const own = talking({ rules: { "log.md": rule } })
    await own.request(TURN)
    await own.file("write", "a.ts", "log(")
    expect(await own.request()).toEqual(["m2: No logging No logging"])
    await own.file("write", "b.ts", "log(")
    const notice = (path: string) => `<rule name="No logging">\n${added(`${path}, line 1`)}\n</rule>`
    expect(await own.texts({ agent: "plan" })).toEqual([`m2: ${notice("a.ts")}`, `m3: ${notice("b.ts")}`])
    expect(own.newStates().slice(-2)).toEqual([
      ["log transient, by a.ts, at 1000, tokens 4, request 2"],
      ["log in part: file"],
    ])
  })

  test("with `hold` it is refused each time; the rule comes where a request follows", async () => {
    const own = talking({ rules: { "log.md": LOG.replace("forbid", "hold: true\nforbid") } })
    const refused = (path: string, end = "") =>
      `Refused: *No logging* forbids "log(" in ${path}. Leave it out and repeat the call${end}.`
    await own.request(TURN)
    own.newReceipts()
    const isLast = () => true
    expect(await own.starts("write", "a.ts", "x\nlog(", { isLast })).toBe(refused("a.ts"))
    expect(own.newReceipts()).toEqual(["1 stopped log refused write a.ts literal 0"])
    expect(own.receipts).toEqual([])
    expect(await own.starts("write", "a.ts", "x\nlog(")).toBe(refused("a.ts", "; the rule comes with the next message"))
    expect(own.receipts.at(-1)).toMatchObject({ kind: "stopped", reason: "refused", literal: 0, line: 2 })
    expect(own.newReceipts()).toEqual(["1 matched log by file a.ts", "1 stopped log refused write a.ts literal 0"])
    expect(await own.request()).toEqual(["m2: No logging"])
    expect(await own.starts("write", "a.ts", "log(")).toBe(refused("a.ts"))
    expect(await own.starts("write", "a.ts", "fine()")).toBeUndefined()
    expect(own.newReceipts().slice(1)).toEqual([
      "2 delivered log request matched 1",
      "2 stopped log refused write a.ts literal 0",
    ])
  })

  test("a rule that refuses a call does not hold it too, also for another of its files; one that does neither is left out", async () => {
    const rules = {
      "log.md": LOG.replace("forbid", "hold: true\nforbid"),
      "notice.md": LOG,
      "types.md": '---\nname: Types\nglobs: "*.ts"\nhold: true\n---\nNo any.',
    }
    const own = talking({ rules })
    await own.request(TURN)
    own.newReceipts()
    const patch = ["*** Begin Patch", "*** Add File: a.ts", "+log(", "*** Add File: b.ts", "+x", "*** End Patch"]
    const args = { patchText: patch.join("\n") }
    const call = { sessionID: SESSION, tool: "patch", args, writes: () => writesOf("patch", args) }
    expect(await own.engine.toolStarting(call)).toBe(
      [
        'Refused: *No logging* forbids "log(" in a.ts. Leave it out and repeat the call; the rule comes with the next message.',
        `Held: *Types* applies to a.ts and b.ts ${COMES}`,
      ].join("\n"),
    )
    expect(own.newReceipts()).toEqual([
      "1 matched log by file a.ts",
      "1 matched types by file a.ts",
      "1 stopped log refused patch literal 0",
      "1 stopped types held patch",
    ])
    expect(own.log).toEqual([
      "info refused: a call of patch in session ses_1, by project:log.md",
      "info held: a call of patch in session ses_1, by project:types.md",
    ])
  })

  test("of rules with other conditions, those whose conditions hold count, as durable or for one request", async () => {
    const rules = Object.fromEntries(
      [
        "match: all\nkeywords: [ship]\nglobs: '*.ts'",
        "keywords: [ship]",
        "agent: [build]",
        "agent: [plan]\nglobs: '*.ts'",
        "match: all\nagent: [plan]\nglobs: '*.ts'",
        "hooks: [{ type: PreToolUse, tool: bash }]",
        "name: all",
      ].map((frontmatter, at) => [`r${at}.md`, `---\n${frontmatter}\nforbid: debugger\n---\nText.`]),
    )
    const broken = async (turn: object) => {
      const own = talking({ rules })
      await own.request({ ...TURN, ...turn })
      own.newReceipts()
      await own.file("write", "a.ts", "debugger")
      return own.newReceipts().flatMap((line) => line.match(/(?<=forbidden )\w+/)?.[0] ?? [])
    }
    expect((await broken({})).toSorted()).toEqual(["r2", "r3", "r5", "r6"])
    expect((await broken({ prompt: "ship", agent: "plan" })).toSorted()).toEqual(["r0", "r1", "r3", "r4", "r5", "r6"])
  })

  test("facts are gathered for a judgement only where they decide it", async () => {
    let asked = 0
    const branch = async () => `b${++asked}`
    const rules = { "log.md": LOG, "b.md": "---\nbranch: [main]\n---\nText." }
    const own = talking({ rules, facts: { branch } })
    await own.request(TURN)
    await own.file("write", "a.ts", "log(")
    expect(asked).toBe(1)
    const other = talking({
      rules: { ...rules, "all.md": "---\nmatch: all\nkeywords: [x]\nglobs: '*.ts'\nforbid: log(\n---\nText." },
      facts: { branch },
    })
    await other.request(TURN)
    await other.file("write", "a.ts", "log(")
    expect(asked).toBe(3)
  })

  test("a message that goes takes the notice behind it, a compaction all that a request had", async () => {
    const own = talking({ rules: { "log.md": LOG } })
    await own.request(TURN)
    await own.file("write", "a.ts", "log(")
    expect(await own.request()).toEqual(["m2: No logging No logging"])
    own.engine.messageRemoved(SESSION, "m2")
    own.messages.splice(1)
    expect(await own.request()).toEqual(["m3: No logging"])
    await own.file("write", "b.ts", "log(")
    await own.engine.compacting(SESSION)
    own.engine.compacted(SESSION)
    own.messages.splice(0)
    expect(await own.request()).toEqual(["m4: No logging No logging"])
    await own.engine.compacting(SESSION)
    own.engine.compacted(SESSION)
    own.messages.splice(0)
    expect(await own.request()).toEqual(["m5: No logging"])
  })

  test("a notice is stored as a delivery of its own, and once it is in no history it does not come again", async () => {
    const own = talking({ rules: { "log.md": LOG } })
    await own.request(TURN)
    await own.file("write", "a.ts", "log(")
    await own.engine.safePoint(SESSION)
    expect(own.stored.map(({ rules }) => rules.map(String))).toEqual([["project:log.md", "again:2:project:log.md"]])
    const stored = { m2: ["project:log.md", "again:2:project:log.md"] }
    expect(await own.request({}, stored)).toEqual([])
    const lost = await own.engine.dispatch(SESSION, shown(["m1", "m9"]), {})
    expect(lost.insertions.map(({ text }) => text.match(/<rule /g)?.length)).toEqual([1])
  })
})
