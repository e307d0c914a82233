import { describe, expect, test } from "bun:test"
import { counts, expectExtending } from "./support/dispatches.ts"
import { hosts } from "./support/host.ts"
import { until } from "./support/until.ts"

const RULES = {
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
  "css.md": '---\nglobs: "*.css"\n---\nRule for styles.',
  "unsafe.md": '---\nfileContains: "unsafe {"\n---\nRule for unsafe.',
}
const RUST = "Rule for Rust."
const ALL = [RUST, "Rule for styles.", "Rule for unsafe."]

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { write, shell } = tools

    test("64 sessions at once: each gets its own rules, once, and no one else's", async () => {
      await using host = await start({ rules: RULES, persist: () => Bun.sleep(0) })
      const sessions = Array.from({ length: 64 }, () => host.session())
      await Promise.all(
        sessions.map(async (session, index) => {
          const file = index % 2 === 0 ? "a.rs" : "a.css"
          const turn = await session.prompt(`go ${index}`, [write(file, "x"), [shell("ls"), write(file, "y")], "done"])
          expect(turn.errors).toEqual([])
        }),
      )
      for (const [index, session] of sessions.entries()) {
        const own = index % 2
        for (const [other, rule] of ALL.entries()) {
          expect(counts(session.dispatches, rule)).toEqual(other === own ? [0, 1, 1] : [0, 0, 0])
          expect(session.storedWith(rule)).toHaveLength(other === own ? 1 : 0)
        }
        expectExtending(session.dispatches)
      }
      expect(host.log.filter((line) => !line.startsWith("info"))).toEqual([])
    })

    test("200 calls that end at the same time in one session: each rule once, in the next dispatch", async () => {
      await using host = await start({ rules: RULES, persist: () => Bun.sleep(0) })
      const session = host.session()
      const calls = Array.from({ length: 200 }, (_, index) =>
        write(`f${index}.${["rs", "css", "txt"][index % 3]}`, index % 5 === 0 ? "unsafe { }" : "x"),
      )
      const turn = await session.prompt("go", [calls, "done"])
      expect(turn.errors).toEqual([])
      for (const rule of ALL) {
        expect(counts(turn, rule)).toEqual([0, 1])
        expect(session.storedWith(rule)).toHaveLength(1)
      }
    })

    test("a plugin that ends while a delivery is being stored breaks no call, and its successor delivers nothing twice", async () => {
      const gate = Promise.withResolvers<void>()
      await using host = await start({ rules: RULES, persist: (text) => (text.includes(RUST) ? gate.promise : "ok") })
      const session = host.session()
      await session.prompt("hello", ["done"])
      const writing = session.callTool(write("a.rs", "x"))
      await until(() => host.prompts.length > 0)
      // Disposes of the plugin, then reads.
      const state = await session.state()
      expect(state?.rules.find(({ id }) => id === "project:rust.md")?.status).not.toBe("delivered")
      gate.resolve()
      await writing
      await host.restart()
      expect(counts(await session.prompt("more", [write("b.rs", "x"), "done"]), RUST)).toEqual([1, 1])
      expect(session.storedWith(RUST)).toHaveLength(1)
    })
  })
