import { describe, expect, test } from "bun:test"
import { count, counts, expectExtending } from "./support/dispatches.ts"
import { failing, hosts } from "./support/host.ts"

const UNSAFE = `---\nname: Unsafe Rust\nglobs: "**/*.rs"\nfileContains: "unsafe {"\nhold: true\n---\nJustify every unsafe block.`
const JUSTIFY = "Justify every unsafe block."
const RUST = '---\nname: Rust\nglobs: "**/*.rs"\nhold: true\n---\nRule for Rust.'
const IN_RUST = "Rule for Rust."
const held = (names: string, file = "src/new.rs") =>
  `Held: ${names} applies to ${file} and comes with the next message. Read it and repeat the call.`

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { read, write, edit, patch, shell } = tools
    const NEW = write("src/new.rs", "unsafe { x() }")

    test("the first write that would make a rule match is held, once: the rule is in the next request, and the call passes", async () => {
      await using host = await start({ rules: { "unsafe.md": UNSAFE } })
      const session = host.session()
      const turn = await session.prompt("go", [NEW, NEW, write("src/b.rs", "unsafe {"), "done"])
      expect(turn.errors).toEqual([held("*Unsafe Rust*")])
      expect(counts(turn, JUSTIFY)).toEqual([0, 1, 1, 1])
      expect(count(turn[2], "[write] Wrote file")).toBe(1)
      expect(session.storedWith(JUSTIFY)).toHaveLength(1)
      expectExtending(turn)
      const next = await session.prompt("on", [write("src/c.rs", "unsafe {"), "done"])
      expect(next.errors).toEqual([])
      expectExtending(session.dispatches)
    })

    for (const [what, step, outcome] of [
      ["an edit's new text", edit("src/new.rs", "safe()", "unsafe { x() }"), "held"],
      ["what an edit only repeats", edit("src/new.rs", "unsafe { x() }", "unsafe { y() }"), "comes afterwards"],
      ["a patch's new text", patch(section("*** Update File: src/new.rs", "@@", "-a", "+unsafe { x() }")), "held"],
      [
        "context of a patch",
        patch(section("*** Update File: src/new.rs", "@@", " unsafe {", "+b")),
        "comes afterwards",
      ],
      ["what a patch takes away", patch(section("*** Update File: src/new.rs", "@@", "-unsafe {")), "comes afterwards"],
      ["another file's text", patch(section("*** Add File: a.rs", "+x", "*** Add File: b", "+unsafe {")), "is nothing"],
      ["a file that goes", patch(section("*** Delete File: src/new.rs", "-unsafe {")), "is nothing"],
      ["another path", write("src/new.ts", "unsafe {"), "is nothing"],
      ["what a command shows", shell("cat src/new.rs", "unsafe {"), "is nothing"],
    ] as const) {
      test(`${what}: ${outcome}`, async () => {
        await using host = await start({ rules: { "unsafe.md": UNSAFE } })
        const turn = await host.session().prompt("go", [step, "done"])
        expect(turn.errors).toEqual(outcome === "held" ? [held("*Unsafe Rust*")] : [])
        expect(counts(turn, JUSTIFY)).toEqual([0, outcome === "is nothing" ? 0 : 1])
      })
    }

    test("of a rule with patterns only, every change of a file is held, its deletion too", async () => {
      const changes = [
        edit("src/new.rs", "a", "b"),
        patch(section("*** Delete File: src/new.rs")),
        patch(section("*** Update File: a", "*** Move to: src/new.rs")),
      ]
      for (const change of changes) {
        await using host = await start({ rules: { "rust.md": RUST } })
        const turn = await host.session().prompt("go", [change, change, "done"])
        expect(turn.errors).toEqual([held("*Rust*")])
      }
    })

    test("a rule that the request has holds nothing; one that a parallel call matches meanwhile does", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const session = host.session()
      const turn = await session.prompt("go", [read(host, "src/a.rs", "x"), NEW, "done"])
      expect(turn.errors).toEqual([])
      const other = host.session()
      const parallel = await other.prompt("go", [[read(host, "src/a.rs", "x"), NEW], NEW, "done"])
      expect(parallel.errors).toEqual([held("*Rust*")])
      expect(counts(parallel, IN_RUST)).toEqual([0, 1, 1])
      expectExtending(parallel)
    })

    test("several rules hold one call together, and parallel calls are held together", async () => {
      await using host = await start({ rules: { "unsafe.md": UNSAFE, "rust.md": RUST } })
      const session = host.session()
      const calls = [NEW, write("notes.txt", "x"), write("src/b.rs", "safe")]
      const turn = await session.prompt("go", [calls, calls, "done"])
      expect(turn.errors).toHaveLength(2)
      for (const error of turn.errors) expect(error).toContain("Held: ")
      expect(turn.errors[0]).toContain("*Rust* and *Unsafe Rust* apply to src/new.rs and come with the next message.")
      expect(turn).toHaveLength(3)
      for (const rule of [JUSTIFY, IN_RUST]) expect(counts(turn, rule)).toEqual([0, 1, 1])
      expectExtending(turn)
    })

    test("a rule that a hook blocks once holds a call together with one of the written file", async () => {
      const hook = `{ type: PreToolUse, tool: ${NEW.tool}, block: once }`
      const rules = { "once.md": `---\nname: Once\nhooks: ${hook}\n---\nRead this once.`, "unsafe.md": UNSAFE }
      await using host = await start({ rules })
      const turn = await host.session().prompt("go", [NEW, NEW, "done"])
      expect(turn.errors).toHaveLength(1)
      for (const name of ["*Once*", "*Unsafe Rust*"]) expect(turn.errors[0]).toContain(name)
      expect(counts(turn, JUSTIFY)).toEqual([0, 1, 1])
      expect(counts(turn, "Read this once.")).toEqual([0, 1, 1])
    })

    test("`match: all` counts all families", async () => {
      const rule = RUST.replace("hold", "match: all\nkeywords: [ffi]\nhold")
      await using host = await start({ rules: { "rust.md": rule } })
      const session = host.session()
      expect((await session.prompt("go", [NEW, "done"])).errors).toEqual([])
      expect((await session.prompt("now ffi", [NEW, "done"])).errors).toEqual([])
      const other = host.session()
      const turn = await other.prompt("write ffi", [NEW, NEW, "done"])
      expect(turn.errors).toEqual([held("*Rust*")])
      expect(counts(turn, IN_RUST)).toEqual([0, 1, 1])
    })

    test("a transient rule holds as well, at most once, and is in the next request", async () => {
      const rule = RUST.replace("hold", "match: all\nagent: [build]\nhold")
      await using host = await start({ rules: { "rust.md": rule } })
      const session = host.session()
      const turn = await session.prompt("go", [NEW, shell("ls"), NEW, NEW, "done"])
      expect(turn.errors).toEqual([held("*Rust*")])
      expect(counts(turn, IN_RUST)).toEqual([0, 1, 0, 1, 1])
      expect(session.storedWith(IN_RUST)).toEqual([])
      expect((await host.session().prompt("go", [NEW, "done"], { agent: "plan" })).errors).toEqual([])
    })

    test("rules of a nested folder are found before the first write below it", async () => {
      const files = {
        "packages/db/.opencode/rules/db.md": "---\nname: Database\nhold: true\n---\nRule for databases.",
        "packages/db/.opencode/rules/other.md": "Another rule there.",
        "packages/ui/.opencode/rules/ui.md": "Rule for surfaces.",
      }
      await using host = await start({ files })
      const session = host.session()
      const db = write("packages/db/x.sql", "x")
      const turn = await session.prompt("go", [failing(write("packages/ui/x.ts", "x")), db, db, "done"])
      expect(turn.errors.at(-1)).toBe(held("*Database*", "packages/db/x.sql"))
      expect(turn.errors).toHaveLength(2)
      expect(counts(turn, "Rule for databases.")).toEqual([0, 0, 1, 1])
      // Found ahead of a call that failed, it comes with the first file that is really observed.
      expect(counts(turn, "Rule for surfaces.")).toEqual([0, 0, 0, 0])
      const later = await session.prompt("on", [write("packages/ui/x.ts", "x"), "done"])
      expect(counts(later, "Rule for surfaces.")).toEqual([0, 1])
    })

    test("a call that a hook blocks is not held too", async () => {
      const blocking = "---\nhooks:\n  - type: PreToolUse\n    tool: write\n    block: true\n---\nNever write."
      await using host = await start({ rules: { "rust.md": RUST, "no.md": blocking } })
      const turn = await host.session().prompt("go", [NEW, "done"])
      expect(turn.errors).toEqual(['This call was blocked by the rule "no".\n\nNever write.'])
      expect(counts(turn, IN_RUST)).toEqual([0, 0])
    })

    test("calls that fail by themselves are not held", async () => {
      await using host = await start({ rules: { "rust.md": RUST.replace('"**/*.rs"', '"**"') } })
      const calls = [write("", "x"), edit("src/a.rs", "x", "x"), patch("*** Begin Patch\n*** End Patch")]
      const turn = await host.session().prompt("go", [...calls.map((step) => failing(step, "invalid")), "done"])
      expect(turn.errors).toEqual(["invalid", "invalid", "invalid"])
      expect(counts(turn, IN_RUST)).toEqual([0, 0, 0, 0])
    })

    test("nothing is held before a session's first request", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const session = host.session()
      await session.callTool(NEW)
      expect(counts(await session.prompt("go", ["done"]), IN_RUST)).toEqual([1])
    })

    test("after a compaction the rule is there again and holds nothing; after a restart too it has to hold again", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const session = host.session()
      expect((await session.prompt("go", [NEW, NEW, "done"])).errors).toHaveLength(1)
      await session.compact()
      const turn = await session.prompt("on", [NEW, "done"])
      expect(turn.errors).toEqual([])
      expect(counts(turn, IN_RUST)).toEqual([1, 1])
      await session.compact()
      await host.restart()
      const anew = await session.prompt("and on", [NEW, NEW, "done"])
      expect(anew.errors).toEqual([held("*Rust*")])
      expect(counts(anew, IN_RUST)).toEqual([0, 1, 1])
    })

    test("a restarted host trusts the history: what it shows holds nothing", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const session = host.session()
      await session.prompt("go", [NEW, NEW, "done"])
      await host.restart()
      const turn = await session.prompt("on", [NEW, "done"])
      expect(turn.errors).toEqual([])
      expect(counts(turn, IN_RUST)).toEqual([1, 1])
    })

    test("an undo takes the held step back: the rule is there again and holds nothing", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const session = host.session()
      await session.prompt("hello", ["done"])
      await session.prompt("go", [NEW, NEW, "done"])
      session.revert(1)
      const turn = await session.prompt("other", [NEW, "done"])
      expect(turn.errors).toEqual([])
      expect(counts(turn, IN_RUST)).toEqual([1, 1])
    })

    test("a delivery that can't be stored is in the next request all the same, and the call passes", async () => {
      await using host = await start({ rules: { "rust.md": RUST }, persist: () => "fails" })
      const turn = await host.session().prompt("go", [NEW, NEW, NEW, "done"])
      expect(turn.errors).toEqual([held("*Rust*")])
      expect(counts(turn, IN_RUST)).toEqual([0, 1, 1, 1])
    })

    test("two copies of the plugin hold as one", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      await host.loadTwice()
      const turn = await host.session().prompt("go", [NEW, NEW, "done"])
      expect(turn.errors).toEqual([held("*Rust*")])
      expect(counts(turn, IN_RUST)).toEqual([0, 1, 1])
    })

    test("where nothing is held, every request is as it is without `hold`", async () => {
      const play = async (rule: string) => {
        await using host = await start({ rules: { "rust.md": rule, "unsafe.md": UNSAFE.replace("hold: true\n", "") } })
        const session = host.session()
        await session.prompt("go", [read(host, "a.rs", "x"), NEW, [NEW, shell("ls")], "done"])
        await session.compact()
        await session.prompt("on", [NEW, edit("b.rs", "a", "unsafe {"), "done"])
        return session.dispatches.map((dispatch) => dispatch.map((message) => message.replaceAll(host.path(""), "")))
      }
      expect(await play(RUST)).toEqual(await play(RUST.replace("hold: true\n", "")))
    })

    test("the sidebar's state names the file that a held call was about to write", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const session = host.session()
      await session.prompt("go", [NEW, NEW, "done"])
      const [rule] = (await session.state())?.rules ?? []
      expect(rule).toMatchObject({ id: "project:rust.md", status: "delivered", by: "src/new.rs" })
    })
  })

function section(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")
}
