import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { call, installOpencode, opencodeBinary, say, startLab, startTui } from "../../src/index.ts"
import { guardFolder } from "../bash-guard/guard-lab.ts"
import { counts, playFree, RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(240_000)

/** The oldest 1.18 of the registry, one between, and the newest, which every other test runs on. */
const VERSIONS = ["1.18.3", "1.18.17", "1.18.33"] as const
const INSTALLED = "1.18.33"

const RUST = "Rule for Rust."
const DEPLOY = "Rule for deploys."
const BUILD = "Rule for builders."
const NO_RM = "Never remove the keep file."
const files = { "a.rs": "fn a() { unsafe { x() } }\n", "keep.txt": "kept\n" }
const rules = {
  "rust.md": `---\nglobs: "*.rs"\nfileContains: "unsafe {"\n---\n${RUST}`,
  "deploy.md": `---\nkeywords: [deploy]\n---\n${DEPLOY}`,
  "build.md": `---\nagent: [build]\n---\n${BUILD}`,
  "rm.md": `---\nhooks: { type: PreToolUse, tool: bash, match: "rm keep", block: true }\n---\n${NO_RM}`,
}

test("both packages say that they work from the oldest version on", async () => {
  for (const folder of [RULEBOOK, guardFolder]) {
    const { engines } = await Bun.file(join(folder, "package.json")).json()
    expect(engines.opencode).toStartWith(`^${VERSIONS[0]} ||`)
  }
})

test("the README names the versions that these tests run on", async () => {
  const readme = await Bun.file(join(RULEBOOK, "../../README.md")).text()
  expect(readme).toContain(`| ${VERSIONS.join(", ")} |`)
})

describe.each([...VERSIONS])("on OpenCode %s", (version) => {
  const open = async () => {
    const binary = version === INSTALLED ? opencodeBinary() : await installOpencode(version)
    return { binary, lab: await startLab({ binary }) }
  }

  test("each kind of rule arrives in its request, without a request of its own", async () => {
    const { binary, lab } = await open()
    await using _ = lab
    const child = Bun.spawn([binary, "--version"], { env: { ...lab.env }, stdout: "pipe" })
    expect((await new Response(child.stdout).text()).trim()).toBe(version)
    const { requests, stored } = await playFree(
      lab,
      { files, rules, incomparable: "a blocked call has another result" },
      async (project) => {
        const session = await project.session()
        const read = call("read", { filePath: project.path("a.rs") })
        const remove = call("bash", { command: "rm keep.txt", description: "Remove" })
        await session.prompt("deploy", [read, remove, say("done")])
        await session.prompt("and now?", [say("nothing")])
        return { requests: session.requests(), stored: JSON.stringify(await session.messages()) }
      },
    )
    expect(counts(requests, DEPLOY)).toEqual([1, 1, 1, 1])
    expect(counts(requests, BUILD)).toEqual([1, 1, 1, 1])
    expect(counts(requests, RUST)).toEqual([0, 1, 1, 1])
    expect(requests[2]?.conversation).toContain(NO_RM)
    for (const rule of [DEPLOY, RUST]) expect(stored.split(rule)).toHaveLength(2)
    expect(await Bun.file(`${lab.root}/projects/p2/keep.txt`).exists()).toBe(true)
  })

  test("a durable rule comes back after a compaction", async () => {
    const { lab } = await open()
    await using _ = lab
    const project = await lab.project({ files, rules, plugins: [RULEBOOK] })
    const session = await project.session()
    await session.prompt("look", [call("read", { filePath: project.path("a.rs") }), say("done")])
    await session.summarize(say("Summary."))
    const { requests } = await session.prompt("go on", [say("done")])
    expect(counts(requests, RUST)).toEqual([1])
  })

  test("the sidebar shows what is matched", async () => {
    const { binary, lab } = await open()
    await using _ = lab
    const project = await lab.project({ files, rules, plugins: [RULEBOOK], tuiPlugins: [RULEBOOK] })
    lab.provider.script({ project: project.key }, [say("done")])
    const program = [binary]
    await using tui = await startTui(project.directory, lab.env, { program, args: ["--prompt", "deploy it"] })
    await tui.waitFor("the prompt", (frame) => frame.includes("deploy it"))
    await tui.press("Enter")
    const frame = await tui.waitFor("two matched rules", (shown) => shown.includes("2 of 4 matched"))
    expect(frame).toContain("✓ deploy")
    expect(frame).toContain("✓ build")
  })
})
