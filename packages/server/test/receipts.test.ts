import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { hosts } from "./support/host.ts"
import { receiptLines } from "./support/receipt-lines.ts"
import { runs } from "./support/runs.ts"
import { startV2Host } from "./support/v2-host.ts"
import { v2Tools } from "./support/v2-tools.ts"

// On a busy machine, random rules take a while.
setDefaultTimeout(60_000)

const RULES = {
  "always.md": "Rule always.",
  "build.md": "---\nagent: [build]\n---\nRule for builders.",
  "deploy.md": "---\nkeywords: [deploy]\n---\nRule for deploys.",
  "rust.md": '---\nglobs: "*.rs"\n---\nRule for Rust.',
}
const GUARD =
  "---\nhooks:\n  - type: PreToolUse\n    tool: write\n    match: secret\n    block: true\n---\nWrite no secrets."
const AFTER = "---\nagent: [plan]\nhooks:\n  - type: PostToolUse\n    tool: bash\n---\nRead what it says."

for (const { name, start, tools } of hosts)
  describe(name, () => {
    const { read, write, shell } = tools
    const bash = shell("ls").tool
    /** v1 stores with the prompt what it has matched; v2 after the turn's first calls. */
    const isV1 = name === "OpenCode v1"
    const first = isV1 ? "stored" : "request"

    test("a session of two turns", async () => {
      await using host = await start({ rules: { ...RULES, "bad.md": "---\nglobs: [\n---\nText" } })
      const session = host.session()
      await session.prompt("deploy it", [read(host, "src/a.rs", "x"), shell("ls"), "done"])
      await session.prompt("and plan", [write("src/b.rs", "x"), "done"], { agent: "plan" })
      expect(receiptLines(await session.receipts())).toEqual([
        "0 session begins: always build deploy rust, broken: bad",
        "1 request prompted",
        "1 matched always by always",
        "1 matched deploy by keywords",
        `1 delivered always ${first} matched 1`,
        `1 delivered deploy ${first} matched 1`,
        "1 matched build by agent build",
        "1 transient build on matched",
        "1 matched rust by file src/a.rs",
        isV1 ? "1 store rust stored" : "1 store always deploy rust stored",
        "2 request (read src/a.rs)",
        "2 delivered rust stored matched 1",
        `3 request (${bash})`,
        "3 verdicts build+agent=build deploy+keywords rust+file=src/a.rs",
        "4 request prompted",
        "4 transient build off ended",
        "5 request (write src/b.rs)",
        "5 verdicts build-agent=plan deploy-keywords",
      ])
    })

    test("a blocked call, and hooks of durable and transient rules", async () => {
      await using host = await start({ rules: { "after.md": AFTER, "guard.md": GUARD } })
      const session = host.session()
      await session.prompt("go", [write("src/secret.rs", "x"), shell("ls"), shell("pwd"), "done"])
      await session.prompt("more", ["done"])
      const stored = "store guard stored"
      expect(receiptLines(await session.receipts())).toEqual([
        "0 session begins: after guard",
        "1 request prompted",
        "1 hook guard PreToolUse write",
        "1 matched guard by hook write",
        "1 stopped guard blocked write src/secret.rs",
        ...(isV1 ? [`1 ${stored}`] : []),
        "2 request (write src/secret.rs stopped)",
        `2 delivered guard ${first} hook 1`,
        `2 hook after PostToolUse ${bash}`,
        ...(isV1 ? [] : [`2 ${stored}`]),
        `3 request (${bash})`,
        `3 matched after by hook ${bash}`,
        "3 transient after on hook",
        `3 hook after PostToolUse ${bash}`,
        `4 request (${bash})`,
        "4 verdicts after-agent=build",
        "5 request prompted",
        "5 transient after off ended",
      ])
    })

    test("a held call", async () => {
      await using host = await start({ rules: { "rust.md": '---\nglobs: "*.rs"\nhold: true\n---\nRule for Rust.' } })
      const session = host.session()
      await session.prompt("go", [write("src/a.rs", "x"), write("src/a.rs", "x"), "done"])
      expect(receiptLines(await session.receipts()).filter((line) => !line.includes(" store "))).toEqual([
        "0 session begins: rust",
        "1 request prompted",
        "1 matched rust by file src/a.rs",
        "1 stopped rust held write src/a.rs",
        "2 request (write src/a.rs stopped)",
        `2 delivered rust ${first} held 1`,
        "3 request (write src/a.rs)",
        "3 verdicts rust+file=src/a.rs",
      ])
    })

    test("a compaction takes rules, and they are delivered again", async () => {
      await using host = await start({ rules: RULES })
      const session = host.session()
      await session.prompt("deploy", [write("src/a.rs", "x"), "done"])
      await session.compact()
      await session.prompt("go on", [shell("ls"), "done"])
      const lines = receiptLines(await session.receipts())
      expect(lines.slice(lines.indexOf("3 request prompted"))).toEqual([
        "3 request prompted",
        ...["always", "deploy", "rust"].flatMap((rule) => [
          `3 gone ${rule} compacted`,
          `3 delivered ${rule} ${first} compacted 2`,
        ]),
        ...(isV1 ? [] : ["3 store always deploy rust stored"]),
        `4 request (${bash})`,
        "4 verdicts deploy-keywords",
      ])
    })

    test("an undo takes rules, and they are delivered again; those before it stay", async () => {
      await using host = await start({ rules: RULES })
      const session = host.session()
      await session.prompt("hello", ["done"])
      await session.prompt("please deploy", [write("a.rs", "x"), "done"])
      session.revert(1)
      await session.prompt("something else", [shell("ls"), "done"])
      const lines = receiptLines(await session.receipts())
      expect(lines.slice(lines.indexOf("4 request prompted"))).toEqual([
        "4 request prompted",
        ...["deploy", "rust"].flatMap((rule) => [`4 gone ${rule} reverted`, `4 delivered ${rule} ${first} reverted 2`]),
        ...(isV1 ? [] : ["4 store deploy rust stored"]),
        `5 request (${bash})`,
        "5 verdicts deploy-keywords",
      ])
    })

    test("a store that fails and is tried again", async () => {
      let isFailing = true
      await using host = await start({
        rules: { "rust.md": RULES["rust.md"] },
        persist: () => (isFailing ? "fails" : "ok"),
      })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), "done"])
      isFailing = false
      await session.prompt("more", [shell("ls"), "done"])
      const lines = receiptLines(await session.receipts())
      const stores = lines.filter((line) => line.includes(" store "))
      expect(stores[0]).toBe("1 store rust retry")
      expect(stores.slice(1).filter((line) => line.endsWith("stored"))).toHaveLength(1)
      expect(lines.filter((line) => line.includes("delivered"))).toEqual(["2 delivered rust request matched 1"])
    })

    test("a stored delivery whose answer was lost: it is found in the history", async () => {
      await using host = await start({ rules: { "rust.md": RULES["rust.md"] }, persist: () => "stored, answer lost" })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), "done"])
      const stores = receiptLines(await session.receipts()).filter((line) => line.includes(" store "))
      expect(stores).toEqual(isV1 ? ["1 store rust stored"] : ["1 store rust retry", "2 store rust stored"])
    })

    test("after a restart the file goes on: what the conversation has is found, and delivered anew only if it goes", async () => {
      await using host = await start({ rules: RULES })
      const session = host.session()
      await session.prompt("deploy", [write("a.rs", "x"), "done"])
      await host.restart()
      await session.prompt("more", ["done"])
      await session.compact()
      await session.prompt("and more", ["done"])
      const lines = receiptLines(await session.receipts())
      const again = lines.indexOf("0 session begins: always build deploy rust", 1)
      // When the preview stores, an idle session is a safe point too.
      expect(lines.slice(again).filter((line) => !line.includes(" store "))).toEqual([
        "0 session begins: always build deploy rust",
        "1 request prompted",
        "1 found always deploy rust",
        "1 matched build by agent build",
        "1 transient build on matched",
        "1 verdicts build+agent=build deploy-keywords rust-file",
        "2 request prompted",
        ...["always", "deploy", "rust"].flatMap((rule) => [
          `2 gone ${rule} compacted`,
          `2 delivered ${rule} ${first} compacted 2`,
        ]),
      ])
    })

    test("rules of a nested folder are noted when they are found", async () => {
      await using host = await start({
        rules: RULES,
        files: { "packages/api/.opencode/rules/api.md": "Rule of the folder." },
      })
      const session = host.session()
      await session.prompt("go", [write("packages/api/a.ts", "x"), "done"])
      const lines = receiptLines(await session.receipts())
      expect(lines).toContain("1 session grows: packages/api/api")
      expect(lines).toContain("2 delivered packages/api/api stored matched 1")
    })

    test("the receipts of a deleted session go with it, also those of an earlier process", async () => {
      await using host = await start({ rules: RULES })
      const session = host.session()
      const other = host.session()
      await session.prompt("deploy", ["done"])
      await other.prompt("deploy", ["done"])
      expect(await session.receipts()).toBeDefined()
      await session.remove()
      await other.prompt("deploy", ["done"])
      await other.remove()
      expect(await session.receipts()).toBeUndefined()
      expect(await other.receipts()).toBeUndefined()
    })

    test("the state has the size of what requests carry, since when, and how often it came", async () => {
      await using host = await start({ rules: RULES })
      const session = host.session()
      await session.prompt("go", [write("a.rs", "x"), "done"])
      await session.compact()
      await session.prompt("more", [write("b.rs", "x"), "done"])
      const rules = (await session.state())?.rules.map(({ id, tokens, request, count }) => ({
        id,
        tokens,
        request,
        count,
      }))
      expect(rules).toEqual([
        { id: "project:always.md", tokens: 3, request: 3, count: 2 },
        { id: "project:build.md", tokens: 4, request: 1, count: undefined },
        { id: "project:rust.md", tokens: 4, request: 3, count: 2 },
      ])
    })

    test("above maxTokens one warning for each session names the rules by size, and nothing is left out", async () => {
      const rules = { "small.md": "Rule small.", "large.md": `Rule large. ${"word ".repeat(50)}` }
      await using host = await start({ rules, pluginOptions: { maxTokens: 40 } })
      const session = host.session()
      const turn = await session.prompt("go", [shell("ls"), "done"])
      for (const text of ["Rule small.", "Rule large."]) expect(turn.at(-1)?.join("\n")).toContain(text)
      await host.session().prompt("go", ["done"])
      const warnings = host.log.filter((line) => line.startsWith("warn"))
      expect(warnings).toHaveLength(2)
      expect(warnings[0]).toContain(
        'have about 56 tokens, above "maxTokens" (40): project:large.md (53), project:small.md (3). Nothing is left out',
      )
      expect((await session.state())?.notices?.[0]).toContain('above "maxTokens"')
    })

    test("without the option nothing is written", async () => {
      await using host = await start({ rules: RULES, pluginOptions: { receipts: false } })
      const session = host.session()
      const turn = await session.prompt("deploy", [write("a.rs", "x"), "done"])
      expect(turn[1]?.join("\n")).toContain("Rule for Rust.")
      expect(await session.receipts()).toBeUndefined()
    })

    test("no text of rules, prompts or files is in any line", async () => {
      const MARK = "zqxmark"
      const condition = fc.constantFrom(
        "",
        `---\nkeywords: [${MARK}]\n---\n`,
        `---\nglobs: "*.rs"\nfileContains: "${MARK}"\n---\n`,
        `---\ndescription: ${MARK}\nalwaysApply: false\n---\n`,
        `---\nhooks:\n  - type: PreToolUse\n    tool: "*"\n    match: ${MARK}\n---\n`,
        `---\nhooks:\n  - type: PreToolUse\n    tool: "*"\n    match: ${MARK}\n    block: true\n---\n`,
        `---\nbranch: [${MARK}]\n---\n`,
        `---\nbroken: [${MARK}\n---\n`,
      )
      const text = fc.string({ unit: "binary", maxLength: 30 }).map((around) => `${MARK}${around}`)
      const session = fc.record({
        conditions: fc.array(condition, { minLength: 1, maxLength: 5 }),
        texts: fc.array(text, { minLength: 3, maxLength: 3 }),
      })
      const holds = async ({
        conditions,
        texts: [a = "", b = "", c = ""],
      }: {
        conditions: string[]
        texts: string[]
      }) => {
        const rules = Object.fromEntries(
          conditions.map((one, index) => [`r${index}.md`, `${one}${MARK} body ${index}`]),
        )
        await using host = await start({ rules })
        const own = host.session()
        await own.prompt(a, [read(host, "a.rs", b), write("b.rs", c), shell(c, a), "done"])
        await own.compact()
        await own.prompt(b, [write("c.rs", a), `${MARK} done`])
        const receipts = await own.receipts()
        expect(receipts?.skipped).toBe(0)
        const folder = join(host.path(".."), ".local/state/opencode/rulebook/receipts")
        const files = await Array.fromAsync(new Bun.Glob("*").scan(folder))
        expect(files).toHaveLength(1)
        expect(await readFile(join(folder, files[0] ?? ""), "utf8")).not.toContain(MARK)
      }
      await fc.assert(fc.asyncProperty(session, holds), { numRuns: runs(15) })
    })
  })

test("OpenCode v2: a step that the host repeats is one request", async () => {
  await using host = await startV2Host({ rules: RULES })
  const session = host.session()
  const { write } = v2Tools
  await session.prompt("go", [write("a.rs", "x"), { kind: "retry" }, "done"])
  const requests = receiptLines(await session.receipts()).filter((line) => line.includes("request"))
  expect(requests).toEqual(["1 request prompted", "1 delivered always request matched 1", "2 request (write a.rs)"])
})
