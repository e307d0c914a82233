import { describe, expect, test } from "bun:test"
import { count, counts, expectExtending } from "./support/dispatches.ts"
import { failing, hosts, type ToolStep } from "./support/host.ts"
import { receiptLines } from "./support/receipt-lines.ts"

const LOG = '---\nname: No logging\nglobs: "**/*.ts"\nforbid: ["console.log(", debugger]\n---\nUse the logger.'
const BODY = "Use the logger."
const HOLDING = LOG.replace("forbid", "hold: true\nforbid")
const added = (where: string, literal = "console.log(") =>
  `"${literal}" was added to ${where}. This rule forbids it: take it out.`

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { read, write, edit, patch, shell } = tools
    const BAD = write("src/a.ts", "one()\nconsole.log(2)\n")

    test("the next request says what a write added, and brings the rule if it is not there", async () => {
      await using host = await start({ rules: { "log.md": LOG } })
      const session = host.session()
      const turn = await session.prompt("go", [BAD, shell("ls"), write("src/b.ts", "debugger"), "done"])
      expect(counts(turn, added("src/a.ts, line 2"))).toEqual([0, 1, 1, 1])
      expect(counts(turn, added("src/b.ts, line 1", "debugger"))).toEqual([0, 0, 0, 1])
      expect(counts(turn, BODY)).toEqual([0, 1, 1, 1])
      for (const text of [BODY, "src/a.ts, line 2", "src/b.ts, line 1"])
        expect(session.storedWith(text)).toHaveLength(1)
      expect(turn).toHaveLength(4)
      await session.prompt("on", [shell("ls"), "done"])
      expectExtending(session.dispatches)
    })

    for (const [what, before, call, lines] of [
      [
        "a Write of a file that was read without",
        "a()\n",
        write("src/a.ts", "a()\ndebugger\n"),
        [added("src/a.ts, line 2", "debugger")],
      ],
      ["a Write that keeps what was there", "debugger\n", write("src/a.ts", "debugger\nb()\n"), []],
      [
        "a Write with one more of it",
        "debugger\n",
        write("src/a.ts", "debugger\ndebugger\n"),
        [added("src/a.ts", "debugger")],
      ],
      ["an edit that adds", "a()\n", edit("src/a.ts", "a()", "console.log(a())"), [added("src/a.ts")]],
      ["an edit that repeats", "debugger\n", edit("src/a.ts", "debugger", "debugger // x"), []],
      ["an edit that takes away", "debugger\n", edit("src/a.ts", "debugger", ""), []],
      ["an edit that moves it", "debugger\na()\n", edit("src/a.ts", "debugger\na()", "a()\ndebugger"), []],
      [
        "a patch that adds",
        "a()\n",
        patch(section("*** Update File: src/a.ts", "@@", " a()", "+debugger")),
        [added("src/a.ts", "debugger")],
      ],
      ["context of a patch", "debugger\n", patch(section("*** Update File: src/a.ts", "@@", " debugger", "+a()")), []],
      [
        "a patch that moves it to another file",
        "debugger\n",
        patch(section("*** Update File: src/a.ts", "@@", "-debugger", "*** Add File: b.ts", "+debugger")),
        [added("b.ts, line 1", "debugger")],
      ],
      [
        "a patch that moves the file",
        "debugger\n",
        patch(section("*** Update File: src/a.ts", "*** Move to: src/b.ts")),
        [],
      ],
      ["a deletion", "debugger\n", patch(section("*** Delete File: src/a.ts", "-debugger")), []],
      ["another file", "a()\n", write("src/a.md", "debugger"), []],
      ["another case", "a()\n", write("src/a.ts", "DEBUGGER"), []],
      ["a call that fails", "a()\n", failing(write("src/a.ts", "debugger")), []],
      ["a command", "a()\n", shell("echo 'debugger' > src/a.ts"), []],
    ] as const) {
      test(`${what} ${lines.length > 0 ? "breaks the rule" : "does not break the rule"}`, async () => {
        await using host = await start({ rules: { "log.md": LOG } })
        const session = host.session()
        const turn = await session.prompt("go", [read(host, "src/a.ts", before), call, "done"])
        const told =
          turn
            .at(-1)
            ?.join("\n")
            .match(/.* was added to .*/g) ?? []
        expect(told).toEqual([...lines])
      })
    }

    test("what the host shows of a change tells the line, and finds what comes about at a fragment's edge", async () => {
      await using host = await start({ rules: { "log.md": LOG } })
      const diff = "@@ -4,3 +4,3 @@\n a()\n-console.debug(b)\n+console.log(b)\n c()\n"
      const call = showing(edit("src/a.ts", "debug", "log"), "src/a.ts", diff)
      const turn = await host.session().prompt("go", [call, "done"])
      expect(counts(turn, added("src/a.ts, line 5"))).toEqual([0, 1])
    })

    test("a rule with `hold` refuses the call each time, before anything is written", async () => {
      await using host = await start({ rules: { "log.md": HOLDING } })
      const session = host.session()
      const turn = await session.prompt("go", [
        BAD,
        BAD,
        [write("src/b.ts", "fine()"), write("src/c.ts", "debugger")],
        "done",
      ])
      const refused = (literal: string, file: string) =>
        `Refused: *No logging* forbids "${literal}" in ${file}. Leave it out and repeat the call`
      expect(turn.errors).toEqual([
        `${refused("console.log(", "src/a.ts")}; the rule comes with the next message.`,
        `${refused("console.log(", "src/a.ts")}.`,
        `${refused("debugger", "src/c.ts")}.`,
      ])
      expect(counts(turn, BODY)).toEqual([0, 1, 1, 1])
      expect(count(turn.at(-1), "was added to")).toBe(0)
      expect(turn).toHaveLength(4)
      expectExtending(turn)
    })

    test("one call can be refused by a rule and held by another: one answer says both", async () => {
      const other = '---\nname: Types\nglobs: "**/*.ts"\nhold: true\n---\nNo any.'
      await using host = await start({ rules: { "log.md": HOLDING, "types.md": other } })
      const turn = await host.session().prompt("go", [BAD, write("src/a.ts", "fine()"), "done"])
      expect(turn.errors).toEqual([
        'Refused: *No logging* forbids "console.log(" in src/a.ts. Leave it out and repeat the call; the rule comes with the next message.\n' +
          "Held: *Types* applies to src/a.ts and comes with the next message. Read it and repeat the call.",
      ])
      for (const text of [BODY, "No any."]) expect(counts(turn, text)).toEqual([0, 1, 1])
    })

    test("a `reminder` stands beside the notice once the rule is there, in place of its text", async () => {
      await using host = await start({
        rules: { "log.md": LOG.replace("forbid", "reminder: Logger, please.\nforbid") },
      })
      const turn = await host.session().prompt("go", [BAD, write("src/b.ts", "debugger"), "done"])
      expect(counts(turn, "Logger, please.")).toEqual([0, 0, 1])
      expect(counts(turn, BODY)).toEqual([0, 1, 1])
    })

    test("the rule's other conditions count: all under `match: all`, one where no file is asked for", async () => {
      const rules = {
        "all.md": LOG.replace("globs", "match: all\nkeywords: [ship]\nglobs").replace(BODY, "Rule of all."),
        "word.md": "---\nkeywords: [ship]\nforbid: debugger\n---\nRule of a word.",
        "agent.md": "---\nagent: [plan]\nforbid: debugger\n---\nRule of an agent.",
        "any.md": "---\nforbid: debugger\n---\nRule of every file.",
      }
      await using host = await start({ rules })
      const names = async (prompt: string, settings: { agent?: string } = {}) => {
        const turn = await host.session().prompt(prompt, [write("src/a.ts", "debugger"), "done"], settings)
        return turn[1]
          ?.join("\n")
          .match(/(?<=<rule name=")[^"]+(?=">\n"debugger)/g)
          ?.toSorted()
      }
      expect(await names("go")).toEqual(["any"])
      expect(await names("ship it")).toEqual(["No logging", "any", "word"])
      expect(await names("go", { agent: "plan" })).toEqual(["agent", "any"])
    })

    test("a transient rule comes for one request, its notice stays", async () => {
      const rule = LOG.replace("globs", "match: all\nagent: [build]\nglobs")
      await using host = await start({ rules: { "log.md": rule } })
      const session = host.session()
      const turn = await session.prompt("go", [BAD, "done"])
      expect(counts(turn, added("src/a.ts, line 2"))).toEqual([0, 1])
      expect(counts(turn, BODY)).toEqual([0, 1])
      const next = await session.prompt("on", ["done"], { agent: "plan" })
      expect(counts(next, added("src/a.ts, line 2"))).toEqual([1])
      expect(counts(next, BODY)).toEqual([0])
      expect(session.storedWith(BODY)).toEqual([])
    })

    test("a compaction takes a notice for good, and brings the rule back once", async () => {
      await using host = await start({ rules: { "log.md": LOG } })
      const session = host.session()
      await session.prompt("go", [BAD, "done"])
      await session.compact()
      const turn = await session.prompt("on", [shell("ls"), shell("ls"), "done"])
      expect(counts(turn, "was added to")).toEqual([0, 0, 0])
      expect(counts(turn, BODY)).toEqual([1, 1, 1])
      expectExtending(turn)
      expect(session.storedWith("was added to")).toHaveLength(1)
    })

    test("an undo takes a notice for good, and brings the rule back", async () => {
      await using host = await start({ rules: { "log.md": LOG } })
      const session = host.session()
      await session.prompt("hello", ["done"])
      await session.prompt("go", [BAD, "done"])
      session.revert(1)
      const turn = await session.prompt("other", [shell("ls"), "done"])
      expect(counts(turn, "was added to")).toEqual([0, 0])
      expect(counts(turn, BODY)).toEqual([1, 1])
    })

    test("after a restart a notice is what it was, and the count goes on", async () => {
      await using host = await start({ rules: { "log.md": LOG } })
      const session = host.session()
      await session.prompt("go", [BAD, shell("ls"), "done"])
      await host.restart()
      const turn = await session.prompt("on", [write("src/b.ts", "debugger"), "done"])
      expect(counts(turn, added("src/a.ts, line 2"))).toEqual([1, 1])
      expect(counts(turn, added("src/b.ts, line 1", "debugger"))).toEqual([0, 1])
      expect(counts(turn, BODY)).toEqual([1, 1])
      expectExtending(turn)
      expect((await session.state())?.rules.map(({ id, count: times }) => [id, times])).toEqual([["project:log.md", 3]])
    })

    test("a notice that can't be stored is in each request until it is", async () => {
      let isDown = true
      await using host = await start({ rules: { "log.md": LOG }, persist: () => (isDown ? "fails" : "ok") })
      const session = host.session()
      const turn = await session.prompt("go", [BAD, shell("ls"), "done"])
      expect(counts(turn, added("src/a.ts, line 2"))).toEqual([0, 1, 1])
      isDown = false
      const next = await session.prompt("on", [shell("ls"), "done"])
      expect(counts(next, added("src/a.ts, line 2"))).toEqual([1, 1])
      expect(session.storedWith("was added to")).toHaveLength(1)
      expectExtending([...turn, ...next])
    })

    test("two copies of the plugin say it once", async () => {
      await using host = await start({ rules: { "log.md": LOG } })
      await host.loadTwice()
      const session = host.session()
      expect(counts(await session.prompt("go", [BAD, "done"]), added("src/a.ts, line 2"))).toEqual([0, 1])
      expect(session.storedWith("was added to")).toHaveLength(1)
    })

    test("a rule whose file looks like another's further delivery is one of its own", async () => {
      await using host = await start({
        rules: { "log.md": LOG, "log.md#2.md": "Rule two.", "2:project:log.md": "Rule three." },
      })
      const session = host.session()
      const turn = await session.prompt("go", [BAD, shell("ls"), "done"])
      for (const text of ["Rule two.", "Rule three."]) expect(counts(turn, text)).toEqual([1, 1, 1])
      expect(counts(turn, "was added to")).toEqual([0, 1, 1])
    })

    test("where nothing is forbidden, every request is as it is without `forbid`", async () => {
      const play = async (rule: string) => {
        await using host = await start({ rules: { "log.md": rule } })
        const session = host.session()
        await session.prompt("go", [
          read(host, "src/a.ts", "debugger"),
          write("src/a.ts", "debugger\nx"),
          [edit("src/b.ts", "a", "b"), shell("ls")],
          "done",
        ])
        return session.dispatches.map((dispatch) => dispatch.map((message) => message.replaceAll(host.path(""), "")))
      }
      expect(await play(LOG)).toEqual(await play(LOG.replace(/forbid: .*\n/, "")))
    })

    test("receipts of what broke the rule, what followed it, and what it refused", async () => {
      await using host = await start({
        rules: { "log.md": LOG, "held.md": HOLDING.replace("**/*.ts", "lib/**").replace(BODY, "Never here.") },
      })
      const session = host.session()
      await session.prompt("go", [BAD, write("src/b.ts", "fine()"), write("lib/a.js", "debugger"), "done"])
      const lines = receiptLines(await session.receipts()).filter((line) =>
        /forbid|followed|refused|delivered/.test(line),
      )
      expect(lines).toEqual([
        "1 forbidden log src/a.ts:2 literal 0",
        "2 delivered log stored matched 1",
        "2 delivered log stored forbidden 2",
        "2 followed log src/b.ts",
        "3 stopped held refused write lib/a.js literal 1",
        expect.stringMatching(/^4 delivered held (?:stored|request) matched 1$/),
      ])
      expect(host.log.filter((line) => line.includes("forbidden: a call of write"))).toHaveLength(1)
      expect(host.log.filter((line) => line.includes("refused: a call of write"))).toHaveLength(1)
    })
  })

function section(...lines: string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")
}

/** A call of which the host shows the change, as each major does. */
function showing(step: ToolStep, file: string, diff: string): ToolStep {
  return {
    ...step,
    metadata: { filediff: { file, patch: diff } },
    structured: { files: [{ file, patch: diff, status: "modified" }] },
  }
}
