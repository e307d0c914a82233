import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { estimateTokens } from "@opencode-rulebook/rule-schema"
import { counts, expectExtending } from "./support/dispatches.ts"
import { type Dispatch, hosts, type Step } from "./support/host.ts"
import { receiptLines } from "./support/receipt-lines.ts"
import { rulesOfFrame } from "./support/whole-requests.ts"

setDefaultTimeout(60_000)

const BODY = "The whole rule for Rust."
const SHORT = "Mind the rule for Rust."
const RUST = `---\nname: Rust\nglobs: "**/*.rs"\nremind: 2000\nreminder: ${SHORT}\n---\n${BODY}`
/** Somewhat above 2,000 tokens, and somewhat below. */
const LONG = "some words ".repeat(1_100)
const BRIEF = "some words ".repeat(600)
/** A rule that is reminded of several times is there several times. */
const repeats = [SHORT, BODY]

for (const { name, start, tools, asksAtCompaction } of hosts)
  describe(name, () => {
    const { read, write, shell } = tools
    const talk = (text: string) => shell("make", text)

    test("a rule comes again when a matching file is handled and enough conversation lies behind it, in short", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      const session = host.session()
      const file = (at: number) => write(`src/${at}.rs`, "x")
      const turn = await session.prompt("go", [
        file(1),
        talk(LONG),
        shell("ls"),
        file(2),
        file(3),
        talk(LONG),
        file(4),
        "done",
      ])
      //                                        body      far behind  no event    again    near     far        again
      expect(counts(turn, SHORT)).toEqual([0, 0, 0, 0, 1, 1, 1, 2])
      expect(counts(turn, BODY)).toEqual([0, 1, 1, 1, 1, 1, 1, 1])
      expect(turn).toHaveLength(8)
      expect(session.storedWith(SHORT).length).toBeGreaterThan(0)
      const next = await session.prompt("on", [shell("ls"), "done"])
      expect(counts(next, SHORT)).toEqual([2, 2])
      expectExtending(session.dispatches)
    })

    test("less conversation than `remind` brings nothing, however often the rule is met", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      const turn = await host
        .session()
        .prompt("go", [write("a.rs", "x"), talk(BRIEF), write("b.rs", "x"), write("c.rs", "x"), "done"])
      expect(counts(turn, SHORT)).toEqual([0, 0, 0, 0, 0])
    })

    test("without a `reminder` the text itself comes again", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST.replace(/reminder: .*\n/, "") } })
      const session = host.session()
      const turn = await session.prompt("go", [write("a.rs", "x"), talk(LONG), read(host, "b.rs", "x"), "done"])
      expect(counts(turn, BODY)).toEqual([0, 1, 1, 2])
      expectExtending(turn)
    })

    for (const [what, frontmatter, prompts, expected] of [
      ["a keyword in a new prompt", "keywords: [deploy]", ["deploy", "go on", "deploy it"], [0, 0, 1]],
      ["the same prompt once more", "keywords: [deploy]", ["deploy", "deploy"], [0, 1]],
      ["a new prompt, for a rule without conditions", "name: All", ["go", "on"], [0, 1]],
      ["a new prompt, for a rule that no event meets", `os: [${process.platform}]`, ["go", "on"], [0, 1]],
      ["no prompt, for a rule of files", 'globs: "*.rs"', ["go", "on"], [0, 0]],
      ["no other prompt, for a rule of both", 'globs: "*.rs"\nkeywords: [ship]', ["go", "on", "ship"], [0, 0, 1]],
      [
        "nor one that meets half of `match: all`",
        'match: all\nglobs: "*.rs"\nkeywords: [go]',
        ["go", "on", "go"],
        [0, 0, 1],
      ],
    ] as const) {
      test(`${what}`, async () => {
        const rule = `---\n${frontmatter}\nremind: 2000\nreminder: ${SHORT}\n---\n${BODY}`
        await using host = await start({ repeats, rules: { "a.md": rule } })
        const session = host.session()
        const first: number[] = []
        for (const prompt of prompts) {
          const before = session.dispatches.length
          await session.prompt(prompt, [write("a.rs", "x"), talk(LONG), "done"])
          const own = counts(session.dispatches.slice(before), SHORT)
          first.push((own[0] ?? 0) - (counts(session.dispatches.slice(before - 1, before), SHORT)[0] ?? 0))
        }
        expect(first).toEqual([...expected])
      })
    }

    test("`match: all`: a file alone brings nothing, when its other conditions do not hold", async () => {
      const rule = RUST.replace("globs", "match: all\nkeywords: [ffi]\nglobs")
      await using host = await start({ repeats, rules: { "rust.md": rule } })
      const session = host.session()
      await session.prompt("ffi", [write("a.rs", "x"), talk(LONG), "done"])
      expect(counts(await session.prompt("other", [write("b.rs", "x"), "done"]), SHORT)).toEqual([0, 0])
      expect(counts(await session.prompt("ffi", [write("c.rs", "x"), "done"]), SHORT)).toEqual([1, 1])
    })

    test("a call that fires one of its hooks", async () => {
      const rule = `---\nremind: 2000\nreminder: ${SHORT}\nhooks:\n  - type: PostToolUse\n    tool: bash\n    match: push\n---\n${BODY}`
      await using host = await start({ repeats, rules: { "push.md": rule } })
      const push = shell("git push")
      const turn = await host.session().prompt("go", [push, push, talk(LONG), shell("ls"), push, "done"])
      expect(counts(turn, SHORT)).toEqual([0, 0, 0, 0, 0, 1])
    })

    test("a transient rule is never reminded of", async () => {
      const rule = RUST.replace("globs", "match: all\nagent: [build]\nglobs")
      await using host = await start({ repeats, rules: { "rust.md": rule } })
      const turn = await host.session().prompt("go", [write("a.rs", "x"), talk(LONG), write("b.rs", "x"), "done"])
      expect(counts(turn, SHORT)).toEqual([0, 0, 0, 0])
    })

    test("a compaction takes a reminder for good; the rule is there again, and it counts from there", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), talk(LONG), write("b.rs", "x"), talk(LONG), "done"])
      await session.compact()
      const turn = await session.prompt("on", [write("c.rs", "x"), talk(LONG), write("d.rs", "x"), "done"])
      expect(counts(turn, SHORT)).toEqual([0, 0, 0, 1])
      expect(counts(turn, BODY)).toEqual([1, 1, 1, 1])
      expectExtending(turn)
    })

    if (asksAtCompaction) {
      test("a compaction takes a reminder for good that was not stored yet", async () => {
        await using host = await start({ repeats, rules: { "rust.md": RUST } })
        const session = host.session()
        const before = await session.prompt("go", [write("a.rs", "x"), talk(LONG), write("b.rs", "x"), "done"])
        expect(counts(before, SHORT)).toEqual([0, 0, 0, 1])
        await session.compact()
        expect(counts(await session.prompt("on", [shell("ls"), "done"]), SHORT)).toEqual([0, 0])
      })

      // The preview's idle session has taken it by then, and keeps it through an undo.
      test("an undo takes a reminder for good that was not stored yet", async () => {
        await using host = await start({ repeats, rules: { "rust.md": RUST } })
        const session = host.session()
        await session.prompt("go", [write("a.rs", "x"), talk(LONG), "done"])
        expect(counts(await session.prompt("on", [write("b.rs", "x"), "done"]), SHORT)).toEqual([0, 1])
        session.revert(1)
        expect(counts(await session.prompt("other", [shell("ls"), "done"]), SHORT)).toEqual([0, 0])
      })
    }

    test("after a restart the conversation counts from the newest delivery that the history shows, and so does the number", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), talk(LONG), write("b.rs", "x"), talk(BRIEF), "done"])
      await host.restart()
      const turn = await session.prompt("on", [write("c.rs", "x"), talk(LONG), write("d.rs", "x"), shell("ls"), "done"])
      expect(counts(turn, SHORT)).toEqual([1, 1, 1, 2, 2])
      expect(counts(turn, BODY)).toEqual([1, 1, 1, 1, 1])
      expectExtending(turn)
      expect((await session.state())?.rules.map(({ count }) => count)).toEqual([3])
    })

    test("a reminder that can't be stored keeps its place in each request until it is", async () => {
      let isDown = false
      await using host = await start({ repeats, rules: { "rust.md": RUST }, persist: () => (isDown ? "fails" : "ok") })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), talk(LONG), "done"])
      isDown = true
      await session.prompt("on", [write("b.rs", "x"), shell("ls"), "done"])
      isDown = false
      await session.prompt("and on", [shell("ls"), "done"])
      expect(counts(session.dispatches.slice(-5), SHORT)).toEqual([0, 1, 1, 1, 1])
      expect(session.storedWith(SHORT)).toHaveLength(1)
      expectExtending(session.dispatches)
    })

    test("an undo takes a reminder for good", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), talk(LONG), "done"])
      await session.prompt("on", [write("b.rs", "x"), shell("ls"), "done"])
      session.revert(1)
      const turn = await session.prompt("other", [shell("ls"), "done"])
      expect(counts(turn, SHORT)).toEqual([0, 0])
      expect(counts(turn, BODY)).toEqual([1, 1])
      expect(counts(await session.prompt("on", [write("b.rs", "x"), "done"]), SHORT)).toEqual([0, 1])
    })

    test("two copies of the plugin remind once", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      await host.loadTwice()
      const session = host.session()
      const turn = await session.prompt("go", [write("a.rs", "x"), talk(LONG), write("b.rs", "x"), shell("ls"), "done"])
      expect(counts(turn, SHORT)).toEqual([0, 0, 0, 1, 1])
      expect(session.storedWith(SHORT)).toHaveLength(1)
    })

    test("receipts say so, with the count", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), talk(LONG), write("b.rs", "x"), "done"])
      expect(receiptLines(await session.receipts()).filter((line) => line.includes("delivered"))).toEqual([
        "2 delivered rust stored matched 1",
        "4 delivered rust request reminded 2",
      ])
    })

    test("in 300 steps no edit is ever made with more conversation behind its rule than `remind`, and no request is added", async () => {
      await using host = await start({ repeats, rules: { "rust.md": RUST } })
      const session = host.session()
      const steps = Array.from({ length: 299 }, (_, at): Step => {
        const file = `src/${at}.rs`
        // Half of the steps are long, and files are read before they are written.
        if (at % 3 === 0) return read(host, file, "x ".repeat((at * 37) % 400))
        return at % 3 === 1
          ? write(file, "y ".repeat((at * 91) % 300))
          : [talk("some words ".repeat((at * 53) % 250)), write(file, "x")]
      })
      const turn = await session.prompt("go", [...steps, "done"])
      expect(turn).toHaveLength(300)
      const distances = turn.flatMap((dispatch, at) => (at > 1 && isEdit(steps[at]) ? [distance(dispatch)] : []))
      expect(distances.length).toBeGreaterThan(190)
      expect(Math.max(...distances)).toBeLessThanOrEqual(2000)
      // And not much more often than that needs.
      const times = counts(turn.slice(-1), SHORT)[0] ?? 0
      const whole = estimateTokens((turn.at(-1) ?? []).join("\n"))
      expect(times).toBeGreaterThan(10)
      expect(times).toBeLessThan(whole / 1_500)
      expectExtending(turn)
    })
  })

function isEdit(step: Step | undefined): boolean {
  return [step].flat().some((one) => typeof one === "object" && one.tool === "write")
}

/** The tokens of conversation behind the newest text of the rule. */
function distance(dispatch: Dispatch): number {
  let tokens = 0
  for (const message of dispatch.toReversed()) {
    const parts = message.replace(/^\w+: /, "").split(/(?<=<\/system-message>)\n|\n(?=<system-message>)/)
    const at = parts.findLastIndex((part) => rulesOfFrame(part)?.some((rule) => rule.startsWith('<rule name="Rust">')))
    for (const part of parts.slice(at + 1)) tokens += estimateTokens(part)
    if (at >= 0) return tokens
  }
  throw new Error("the rule is not there")
}
