import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { count, counts, expectExtending } from "./support/dispatches.ts"
import { failing, hosts } from "./support/host.ts"
import { until } from "./support/until.ts"

function hook(type: string, extra = "", frontmatter = ""): string {
  return `---\n${frontmatter}hooks:\n  - type: ${type}\n    tool: bash\n    match: git push\n${extra}---\nThink before you push.`
}

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { shell, write } = tools
    const PUSH = shell("git push --force")
    const LIST = shell("ls", "a listing")

    for (const type of ["PreToolUse", "PostToolUse"]) {
      test(`a ${type} hook delivers its rule with the next dispatch, durably`, async () => {
        await using host = await start({ rules: { "push.md": hook(type) } })
        const session = host.session()
        const turn = await session.prompt("go", [LIST, PUSH, PUSH, "done"])
        expect(counts(turn, "Think before you push.")).toEqual([0, 0, 1, 1])
        expect(session.storedWith("Think before you push.")).toHaveLength(1)
        expectExtending(turn)
      })
    }

    test("a hook names the shell as either major does", async () => {
      const named = hook("PostToolUse").replace("tool: bash", "tool: shell")
      await using host = await start({ rules: { "push.md": named } })
      expect(counts(await host.session().prompt("go", [PUSH, "done"]), "Think before you push.")).toEqual([0, 1])
    })

    test("a hook names a file's path as either major does", async () => {
      const named = (argument: string) =>
        `---\nhooks: [{ type: PreToolUse, tool: write, match: { ${argument}: '\\.env$' }, block: true }]\n---\nNo ${argument}.`
      await using host = await start({ rules: { "v1.md": named("filePath"), "v2.md": named("path") } })
      const turn = await host.session().prompt("go", [write("src/.env", "x"), write("src/a.ts", "x"), "done"])
      expect(turn.errors).toHaveLength(1)
      for (const text of ["No filePath.", "No path."]) expect(turn.errors[0]).toContain(text)
    })

    test("a hook's content is consumed by one dispatch when its rule is transient", async () => {
      await using host = await start({ rules: { "push.md": hook("PostToolUse", "", "agent: [plan]\n") } })
      const session = host.session()
      expect(counts(await session.prompt("go", [PUSH, LIST, PUSH, "done"]), "Think before you push.")).toEqual([
        0, 1, 0, 1,
      ])
      expect(session.storedWith("Think before you push.")).toEqual([])
    })

    test("a summary request does not consume a hook's content", async () => {
      await using host = await start({ rules: { "push.md": hook("PostToolUse", "", "agent: [plan]\n") } })
      const session = host.session()
      await session.prompt("hello", ["done"])
      await session.callTool(PUSH)
      await session.compact()
      expect(counts(await session.prompt("go", ["done"]), "Think before you push.")).toEqual([1])
    })

    test("the state says what made a rule match, and how many calls it blocked", async () => {
      const rules = {
        "push.md": hook("PreToolUse", "    block: true\n"),
        "rust.md": '---\nglobs: "*.rs"\n---\nText.',
        "deploy.md": "---\nkeywords: [deploy]\n---\nText.",
        "always.md": "Text.",
      }
      await using host = await start({ rules })
      const session = host.session()
      await session.prompt("deploy it", [PUSH, PUSH, write("src/a.rs", "fn a() {}"), "done"])
      const state = await session.state()
      const told = Object.fromEntries(
        state?.rules.map(({ id, by, at, blocked }) => [id, [by, typeof at, blocked]]) ?? [],
      )
      expect(told).toEqual({
        "project:always.md": [undefined, "undefined", undefined],
        "project:deploy.md": ["prompt", "number", undefined],
        "project:push.md": [`${PUSH.tool} call`, "number", 2],
        "project:rust.md": ["src/a.rs", "number", undefined],
      })
    })

    test("block: true rejects the call with the rule's body; the rest of the step and the turn go on", async () => {
      await using host = await start({ rules: { "push.md": hook("PreToolUse", "    block: true\n") } })
      const session = host.session()
      const turn = await session.prompt("go", [[PUSH, LIST], "done"])
      expect(turn.errors).toEqual(['This call was blocked by the rule "push".\n\nThink before you push.'])
      expect(count(turn[1], "a listing")).toBe(1)
      expect(count(turn[1], `[${PUSH.tool}] failed: This call was blocked`)).toBe(1)
      expect(session.storedWith("Think before you push.")).toHaveLength(1)
    })

    test("block: once holds a call until its rule is in the conversation, whatever the tool", async () => {
      await using host = await start({ rules: { "push.md": hook("PreToolUse", "    block: once\n", "name: Push\n") } })
      const session = host.session()
      const turn = await session.prompt("go", [LIST, [PUSH, LIST], PUSH, PUSH, "done"])
      expect(turn.errors).toEqual([
        "Held: *Push* applies to this call and comes with the next message. Read it and repeat the call.",
      ])
      expect(counts(turn, "Think before you push.")).toEqual([0, 0, 1, 1, 1])
      expect(session.storedWith("Think before you push.")).toHaveLength(1)
      expectExtending(turn)
      await session.compact()
      expect((await session.prompt("on", [PUSH, "done"])).errors).toEqual([])
      await session.compact()
      await host.restart()
      expect((await session.prompt("and on", [PUSH, PUSH, "done"])).errors).toHaveLength(1)
    })

    test("block: once of a transient rule holds one call, and its content is in one request for each", async () => {
      const rule = hook("PreToolUse", "    block: once\n", "agent: [plan]\n")
      await using host = await start({ rules: { "push.md": rule } })
      const turn = await host.session().prompt("go", [PUSH, LIST, PUSH, LIST, "done"])
      expect(turn.errors).toHaveLength(1)
      expect(counts(turn, "Think before you push.")).toEqual([0, 1, 0, 1, 0])
    })

    test("block: once of a call that also writes: one line for all of its rules", async () => {
      const rule = hook("PreToolUse", "    block: once\n", "name: Push\nglobs: '*.rs'\nhold: true\n")
      const rules = { "push.md": rule.replace("tool: bash", "tool: write").replace("git push", "x") }
      await using host = await start({
        rules: { ...rules, "rs.md": "---\nname: Rust\nglobs: '*.rs'\nhold: true\n---\nRust." },
      })
      const call = write("a.rs", "x")
      expect((await host.session().prompt("go", [call, call, "done"])).errors).toEqual([
        "Held: *Push* and *Rust* apply to a.rs and come with the next message. Read them and repeat the call.",
      ])
    })

    test("a failed call fires no PostToolUse hook", async () => {
      await using host = await start({ rules: { "push.md": hook("PostToolUse") } })
      expect(counts(await host.session().prompt("go", [failing(PUSH), "done"]), "Think before you push.")).toEqual([
        0, 0,
      ])
    })

    test("run: a global rule's command runs, with the event on its input; a project's only when the user allows it", async () => {
      const run = hook("PostToolUse", '    run: "cat > fired.json"\n')
      await using host = await start({ globalRules: { "push.md": run } })
      await host.session().prompt("go", [PUSH, "done"])
      const fired = host.path("fired.json")
      await until(() => existsSync(fired) && readFileSync(fired, "utf8").endsWith("\n"))
      expect(JSON.parse(readFileSync(fired, "utf8"))).toMatchObject({
        type: "PostToolUse",
        tool: PUSH.tool,
        args: PUSH.args,
        rule: "global:push.md",
      })

      await using untrusted = await start({ rules: { "push.md": run } })
      const session = untrusted.session()
      await session.prompt("go", [PUSH, PUSH, "done"])
      expect(untrusted.log.filter((line) => line.includes("projectCommands"))).toHaveLength(1)
      expect(existsSync(untrusted.path("fired.json"))).toBe(false)

      expect((await session.state())?.projectCommands).toBe(false)
      await using trusted = await start({ rules: { "push.md": run }, pluginOptions: { projectCommands: true } })
      await trusted.session().prompt("go", [PUSH, "done"])
      await until(() => existsSync(trusted.path("fired.json")))
    })

    test("run: a command that fails is logged", async () => {
      await using host = await start({
        globalRules: { "push.md": hook("PostToolUse", '    run: "echo broken >&2; exit 3"\n') },
      })
      await host.session().prompt("go", [PUSH, write("a.rs", ""), "done"])
      await until(() => host.log.some((line) => line.includes("exit code 3: broken")))
    })
  })
