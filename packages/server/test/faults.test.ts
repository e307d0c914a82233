import { describe, expect, test } from "bun:test"
import { count, counts, expectExtending } from "./support/dispatches.ts"
import { type Fault, hosts } from "./support/host.ts"
import { until } from "./support/until.ts"

const RULES = {
  "css.md": '---\nglobs: "*.css"\n---\nRule for styles.',
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  "unsafe.md": '---\nfileContains: "unsafe {"\n---\nRule for unsafe.',
}
const RUST = "Rule for Rust."
const UNSAFE = "Rule for unsafe."

/** Answers with each fault in turn, the last one from then on. */
function inTurn(...faults: readonly [Fault, ...Fault[]]): () => Fault {
  let next = 0
  return () => faults[Math.min(next++, faults.length - 1)] ?? "ok"
}

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { write, shell } = tools

    for (const fault of ["fails", "throws"] as const) {
      test(`storing ${fault} once: the rule is in the next dispatch and stored once, at the next safe point`, async () => {
        await using host = await start({ rules: RULES, persist: inTurn(fault, "ok") })
        const session = host.session()
        const turn = await session.prompt("go", [write("a.rs", "x"), shell("ls"), shell("ls"), "done"])
        expect(turn.errors).toEqual([])
        expect(counts(turn, RUST)).toEqual([0, 1, 1, 1])
        expect(session.storedWith(RUST)).toHaveLength(1)
        expect(host.prompts).toHaveLength(2)
        const next = await session.prompt("more", [write("b.rs", "x"), "done"])
        expect(counts(next, RUST)).toEqual([1, 1])
        expect(session.storedWith(RUST)).toHaveLength(1)
        expectExtending(session.dispatches)
      })

      test(`storing ${fault} always: the rule is in every dispatch, and no call fails for it`, async () => {
        await using host = await start({ rules: RULES, persist: () => fault })
        const session = host.session()
        const first = await session.prompt("go", [write("a.rs", "x"), write("b.rs", "x"), "done"])
        expect(first.errors).toEqual([])
        expect(counts(first, RUST)).toEqual([0, 1, 1])
        expect(counts(await session.prompt("more", ["done"]), RUST)).toEqual([1])
        expectExtending(session.dispatches)
        expect(host.log.filter((line) => line.includes("project:rust.md"))).not.toEqual([])
      })
    }

    test("one rule that the host won't take does not hold back the others", async () => {
      await using host = await start({ rules: RULES, persist: (text) => (text.includes(UNSAFE) ? "fails" : "ok") })
      const session = host.session()
      const turn = await session.prompt("go", [write("a.rs", "unsafe { }"), shell("ls"), "done"])
      for (const rule of [RUST, UNSAFE]) expect(counts(turn, rule)).toEqual([0, 1, 1])
      expect(session.storedWith(RUST)).toHaveLength(1)
      expect(session.storedWith(UNSAFE)).toHaveLength(0)
      expectExtending(turn)
    })

    test("an answer that is lost after the host has stored the delivery is no reason to store it again", async () => {
      await using host = await start({ rules: RULES, persist: inTurn("stored, answer lost", "ok") })
      const session = host.session()
      const turn = await session.prompt("go", [write("a.rs", "unsafe { }"), write("b.rs", "x"), "done"])
      for (const rule of [RUST, UNSAFE]) {
        expect(counts(turn, rule)).toEqual([0, 1, 1])
        expect(session.storedWith(rule)).toHaveLength(1)
      }
      expect(host.prompts).toHaveLength(1)
    })

    test("storing slowly: the dispatch does not wait for it, holds the rule once, and so does the history", async () => {
      const gate = Promise.withResolvers<void>()
      await using host = await start({ rules: RULES, persist: (text) => (text.includes(RUST) ? gate.promise : "ok") })
      const session = host.session()
      await session.prompt("hello", ["done"])
      const writing = session.callTool(write("a.rs", "x"))
      await until(() => host.prompts.length > 0)
      expect(count(await session.dispatch(), RUST)).toBe(1)
      gate.resolve()
      await writing
      expect(counts(await session.prompt("more", [write("b.rs", "x"), "done"]), RUST)).toEqual([1, 1])
      expect(session.storedWith(RUST)).toHaveLength(1)
    })
  })
