import { describe, expect, test } from "bun:test"
import { hosts, type Step } from "./support/host.ts"

const BOTH = '---\nmatch: all\nglobs: "*.rs"\nkeywords: [ffi]\n---\nText.'

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { write } = tools

    test("the state says which conditions of an unmatched `match: all` rule the latest request met", async () => {
      const rules = {
        "both.md": BOTH,
        "any.md": '---\nglobs: "*.rs"\nkeywords: [ffi]\nos: [plan9]\n---\nText.',
        "one.md": "---\nmatch: all\nkeywords: [ffi]\n---\nText.",
        "while.md": "---\nmatch: all\nkeywords: [ffi]\nagent: [build]\n---\nText.",
      }
      await using host = await start({ rules })
      /** After these prompts of a session: to look at the state ends the plugin, which then knows nothing of earlier files. */
      async function partlyMetAfter(...prompts: readonly [text: string, agent: string, ...steps: Step[]][]) {
        const session = host.session()
        for (const [text, agent, ...steps] of prompts) await session.prompt(text, [...steps, "done"], { agent })
        return (await session.state())?.partlyMet?.map(({ id, met }) => [id.replace("project:", ""), ...met])
      }
      const touched = ["hello", "build", write("a.rs", "fn a() {}")] as const
      expect(await partlyMetAfter(["hello", "plan"])).toBeUndefined()
      expect(await partlyMetAfter(["make it ffi", "plan"])).toEqual([
        ["both.md", "keywords"],
        ["while.md", "keywords"],
      ])
      expect(await partlyMetAfter(["make it ffi", "plan", write("a.rs", "x")])).toEqual([["while.md", "keywords"]])
      expect(await partlyMetAfter([...touched])).toEqual([
        ["both.md", "file"],
        ["while.md", "agent"],
      ])
      expect(await partlyMetAfter([...touched], ["make it ffi", "build"])).toBeUndefined()
    })

    test("the state names at most 50 of them", async () => {
      const names = Array.from({ length: 60 }, (_, index) => `${index + 10}.md`)
      await using host = await start({ rules: Object.fromEntries(names.map((file) => [file, BOTH])) })
      const session = host.session()
      await session.prompt("make it ffi", ["done"])
      const { partlyMet } = (await session.state()) ?? {}
      expect(partlyMet?.map(({ id }) => id)).toEqual(names.slice(0, 50).map((file) => `project:${file}`))
    })

    test("a rule that a hook activated is in the state as matched, and in part again when the next request is without it", async () => {
      const hooked = `---\nmatch: all\nkeywords: [ffi]\nagent: [plan]\nhooks: [{type: PostToolUse, tool: ${write("a", "b").tool}}]\n---\nText.`
      await using host = await start({ rules: { "hooked.md": hooked } })
      const session = host.session()
      await session.prompt("make it ffi", [write("a.rs", "x"), "done"], { agent: "build" })
      const state = await session.state()
      expect(state?.rules.map(({ status }) => status)).toEqual(["transient"])
      expect(state?.partlyMet).toBeUndefined()
      await session.prompt("make it ffi", ["done"], { agent: "build" })
      expect((await session.state())?.rules).toEqual([])
      expect((await session.state())?.partlyMet).toEqual([{ id: "project:hooked.md", met: ["keywords"] }])
    })
  })
