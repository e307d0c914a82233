import { describe, expect, test } from "bun:test"
import { count, counts, expectExtending } from "./support/dispatches.ts"
import { failing, hosts } from "./support/host.ts"

const RUST = '---\nglobs: "**/*.rs"\nfileContains: "unsafe {"\n---\nJustify every unsafe block.'
const JUSTIFY = "Justify every unsafe block."

for (const { name, start, tools, tellsCommand } of hosts)
  describe(name, () => {
    const { read, write, shell, tool } = tools

    test("a rule matched by a read is in the very next dispatch, once, and stays in the history", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const session = host.session()
      const turn = await session.prompt("look", [
        read(host, "src/main.rs", "fn main() {\n    unsafe { x() }\n}"),
        "done",
      ])
      expect(counts(turn, JUSTIFY)).toEqual([0, 1])
      expect(turn[1]?.at(-1)).toBe(
        `user: <system-message>\nThe rules below come from the opencode-rulebook plugin, not from the user. Follow them silently from here on: do not mention, quote or acknowledge them.\n<rule name="rust">\n${JUSTIFY}\n</rule>\n</system-message>`,
      )
      const next = await session.prompt("and now?", [read(host, "src/b.rs", "unsafe {"), "done"])
      expect(counts(next, JUSTIFY)).toEqual([1, 1])
      expect(session.storedWith(JUSTIFY)).toHaveLength(1)
      expectExtending(session.dispatches)
    })

    test("globs and fileContains must be met by one and the same observation", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const turn = await host
        .session()
        .prompt("look", [read(host, "src/safe.rs", "fn main() {}"), read(host, "notes.txt", "unsafe { }"), "done"])
      expect(counts(turn, JUSTIFY)).toEqual([0, 0, 0])
    })

    test("globs, fileContains and keywords under match: any are (globs and fileContains) or keywords", async () => {
      const rule = RUST.replace("---\nJ", "keywords: [ffi]\n---\nJ")
      await using host = await start({ rules: { "rust.md": rule } })
      expect(counts(await host.session().prompt("write FFI code", ["done"]), JUSTIFY)).toEqual([1])
      expect(counts(await host.session().prompt("look", [write("a.rs", "unsafe { }"), "done"]), JUSTIFY)).toEqual([
        0, 1,
      ])
      expect(counts(await host.session().prompt("look", [write("a.rs", "fn a() {}"), "done"]), JUSTIFY)).toEqual([0, 0])
    })

    test("under match: all an earlier observation combines with a later prompt", async () => {
      const rule = RUST.replace("---\nJ", "keywords: [ffi]\nmatch: all\n---\nJ")
      await using host = await start({ rules: { "rust.md": rule } })
      const session = host.session()
      expect(counts(await session.prompt("look", [write("a.rs", "unsafe { }"), "done"]), JUSTIFY)).toEqual([0, 0])
      expect(counts(await session.prompt("make it ffi", ["done"]), JUSTIFY)).toEqual([1])
    })

    test("match: all with a family that holds for a while and one that holds for good: while both hold", async () => {
      const rules = { "both.md": "---\nmatch: all\nkeywords: [deploy]\nagent: [build]\n---\nRule for both." }
      await using host = await start({ rules })
      const session = host.session()
      expect(counts(await session.prompt("go", ["done"]), "Rule for both.")).toEqual([0])
      expect(counts(await session.prompt("deploy", ["done"]), "Rule for both.")).toEqual([1])
      expect(counts(await session.prompt("deploy", ["done"], { agent: "plan" }), "Rule for both.")).toEqual([0])
    })

    test("in a folder of a repository its branch holds, and the rules of the folders above apply", async () => {
      const above = {
        ".git/HEAD": "ref: refs/heads/release/1\n",
        ".opencode/rules/up.md": "---\nglobs: project/src/*.rs\n---\nRule from above.",
      }
      await using host = await start({
        above,
        rules: { "b.md": '---\nbranch: ["release/*"]\n---\nRule for releases.' },
      })
      const turn = await host.session().prompt("go", [write("src/a.rs", "x"), "done"])
      expect(counts(turn, "Rule for releases.")).toEqual([1, 1])
      expect(counts(turn, "Rule from above.")).toEqual([0, 1])
    })

    test("a project's marker that appears while the host runs is seen by the next prompt, the same words or others", async () => {
      await using host = await start({ rules: { "node.md": "---\nproject: [node]\n---\nRule for Node." } })
      const session = host.session()
      expect(counts(await session.prompt("go on", ["done"]), "Rule for Node.")).toEqual([0])
      await Bun.write(host.path("package.json"), "{}")
      expect(counts(await session.prompt("go on", ["done"]), "Rule for Node.")).toEqual([1])
      expect(counts(await host.session().prompt("hello", ["done"]), "Rule for Node.")).toEqual([1])
    })

    test("rules that the prompt, the command, the project, os or ci match stand with the user's message", async () => {
      await using host = await start({
        files: { "package.json": "{}" },
        env: { CI: "true" },
        rules: {
          "always.md": "Rule always.",
          "ci.md": "---\nci: true\n---\nRule ci.",
          "command.md": "---\ncommand: [/deploy]\n---\nRule command.",
          "keyword.md": "---\nkeywords: [deploy]\n---\nRule keyword.",
          "os.md": `---\nos: [${process.platform}]\n---\nRule os.`,
          "project.md": "---\nproject: [node]\n---\nRule project.",
          "other.md": "---\nproject: [rust]\n---\nRule other.",
        },
      })
      const session = host.session()
      const [first] = await session.command("deploy", "Please deploy it", ["done"])
      expect(first?.every((message) => message.startsWith("user: "))).toBe(true)
      for (const name of ["always", "ci", "keyword", "os", "project"]) expect(count(first, `Rule ${name}.`)).toBe(1)
      expect(count(first, "Rule command.")).toBe(tellsCommand ? 1 : 0)
      expect(count(first, "Rule other.")).toBe(0)
      expect(count(first, "<system-message>")).toBe(1)
      const second = await session.prompt("thanks", ["done"])
      expect(counts(second, "Rule always.")).toEqual([1])
      expect(session.storedWith("Rule always.")).toHaveLength(1)
      expectExtending(session.dispatches)
    })

    test("a transient rule is in every dispatch at which it holds and in no stored message", async () => {
      await using host = await start({ rules: { "build.md": "---\nagent: [build]\n---\nRule for builders." } })
      const session = host.session()
      const turn = await session.prompt("go", [shell("ls", "a"), shell("ls", "b"), "done"])
      expect(counts(turn, "Rule for builders.")).toEqual([1, 1, 1])
      expectExtending(turn)
      expect(counts(await session.prompt("plan", ["done"], { agent: "plan" }), "Rule for builders.")).toEqual([0])
      expect(counts(await session.prompt("again", ["done"]), "Rule for builders.")).toEqual([1])
      expect(session.storedWith("Rule for builders.")).toEqual([])
    })

    test("parallel calls that match one rule deliver it once; later non-matches take nothing back", async () => {
      await using host = await start({
        rules: { "rust.md": RUST, "all-rust.md": '---\nglobs: "*.rs"\n---\nRust at all.' },
      })
      const session = host.session()
      const files = ["a", "b", "c"].map((name) => read(host, `src/${name}.rs`, "unsafe { }"))
      const turn = await session.prompt("look", [files, read(host, "src/d.rs", "safe"), "done"])
      expect(counts(turn, JUSTIFY)).toEqual([0, 1, 1])
      expect(counts(turn, "Rust at all.")).toEqual([0, 1, 1])
      expect(session.storedWith(JUSTIFY)).toHaveLength(1)
      expectExtending(turn)
    })

    test("failed calls, shell, grep, glob, custom tools and prose match no file rule", async () => {
      await using host = await start({
        rules: { "rust.md": RUST, "glob.md": '---\nglobs: "*.rs"\n---\nRust at all.' },
      })
      const path = host.path("src/main.rs")
      const turn = await host
        .session()
        .prompt(`see ${path}: unsafe { x() }`, [
          failing(read(host, "src/main.rs", "unsafe {")),
          shell(`cat ${path}`, "unsafe { }"),
          tool("grep", { pattern: "unsafe {", path }, `${path}:\n  Line 1: unsafe {`),
          tool("glob", { pattern: "**/*.rs" }, path),
          tool("my_custom_tool", { filePath: path, content: "unsafe {" }, "unsafe {"),
          `I looked at ${path}: unsafe {`,
        ])
      expect(counts(turn, JUSTIFY)).toEqual([0, 0, 0, 0, 0, 0])
      expect(counts(turn, "Rust at all.")).toEqual([0, 0, 0, 0, 0, 0])
    })

    test("rules of more tokens than the option says are all sent, and one warning names the largest", async () => {
      const rules = Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`r${10 + index}.md`, "Be careful. ".repeat(30 - index)]),
      )
      await using host = await start({ rules, pluginOptions: { maxTokens: 200 } })
      const session = host.session()
      const turn = await session.prompt("go", [shell("ls"), "done"])
      expect(counts(turn, "Be careful.").every((times) => times > 200)).toBeTrue()
      const warnings = host.log.filter((line) => line.includes("maxTokens"))
      expect(warnings).toHaveLength(1)
      const named = Array.from(warnings[0]?.matchAll(/project:(r\d+)\.md \((\d+)\)/g) ?? [])
      expect(named.map(([, rule]) => rule)).toEqual(Array.from({ length: 10 }, (_, index) => `r${10 + index}`))
      expect(Number(named[0]?.[2])).toBeGreaterThan(Number(named[9]?.[2]))
      expect(warnings[0]).toContain(" and 2 more")

      await using roomy = await start({ rules, pluginOptions: { maxTokens: 100_000 } })
      await roomy.session().prompt("go", ["done"])
      expect(roomy.log.filter((line) => line.includes("maxTokens"))).toEqual([])
    })

    test("sessions know nothing of each other", async () => {
      await using host = await start({ rules: { "rust.md": RUST } })
      const [parent, child] = [host.session(), host.session()]
      await parent.prompt("look", [write("a.rs", "unsafe {"), "done"])
      expect(counts(await child.prompt("look", ["done"]), JUSTIFY)).toEqual([0])
    })

    test("the Matched-rule state follows a rule through its session", async () => {
      await using host = await start({ rules: { "rust.md": RUST, "plan.md": "---\nagent: [build]\n---\nBuild." } })
      const session = host.session()
      const statuses = async () => (await session.state())?.rules.map(({ id, status }) => [id, status])
      await session.prompt("hello", ["done"])
      expect(await statuses()).toEqual([["project:plan.md", "transient"]])
      await session.prompt("look", [write("a.rs", "unsafe {"), "done"])
      expect(await statuses()).toEqual([
        ["project:plan.md", "transient"],
        ["project:rust.md", "delivered"],
      ])
    })
  })
