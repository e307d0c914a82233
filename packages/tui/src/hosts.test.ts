import { describe, expect, test } from "bun:test"
import { link, mkdir, readFile, symlink } from "node:fs/promises"
import { startV1Tui, startV2Tui, type TuiOptions } from "../test/host.ts"
import { testProject } from "../test/project.ts"
import { draw } from "../test/render.tsx"

const { path, put, publish } = testProject()

/** Events behind which the state may have changed, as each host tells of them, with whether they tell of an answer. */
const EVENTS = [
  ...(["session.status", "session.compacted"] as const).map(
    (type) => [startV1Tui, type, { properties: { sessionID: "ses_1" } }, false] as const,
  ),
  [startV1Tui, "message.updated", updated({ role: "user", time: { created: 1, completed: 2 } }), false],
  [startV1Tui, "message.updated", updated({ role: "assistant", time: { created: 1 } }), false],
  [startV1Tui, "message.updated", updated({ role: "assistant", time: { created: 1, completed: 2 } }), true],
  ...(["session.execution.failed", "session.execution.interrupted", "session.compaction.ended"] as const).map(
    (type) => [startV2Tui, type, { data: { sessionID: "ses_1" } }, false] as const,
  ),
  ...(["session.step.ended", "session.execution.succeeded"] as const).map(
    (type) => [startV2Tui, type, { data: { sessionID: "ses_1" } }, true] as const,
  ),
] as const

function updated(info: object): object {
  return { properties: { sessionID: "ses_1", info } }
}

for (const [startTui, type, event, hasAnswered] of EVENTS)
  describe(`${startTui === startV1Tui ? "OpenCode 1" : "OpenCode 2"}: ${type} ${JSON.stringify(event)}`, () => {
    test("the state is read again, also where the file system tells of no change", async () => {
      // A file with a second name: what is written by that name changes without notice.
      await publish("elsewhere", "delivered")
      const written = (await readFile(path("state/opencode/rulebook/elsewhere.json"), "utf8")).replace(
        "elsewhere",
        "ses_1",
      )
      await put("linked.json", written.replaceAll("delivered", "unmatched"))
      await link(path("linked.json"), path("state/opencode/rulebook/ses_1.json"))
      const host = await startTui({ directory: () => path("app") })
      const drawn = await draw(() => host.sidebar(() => "ses_1"), 37, 20)
      await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
      await put("linked.json", written)
      host.emit(type, event)
      await drawn.waitFor((frame) => frame.includes("2 of 2 matched"))
      drawn.end()
      await host.dispose()
    })

    test(`it ${hasAnswered ? "tells" : "does not tell"} of an answer`, async () => {
      const host = await startTui({ directory: () => path("app") })
      const drawn = await draw(() => host.sidebar(() => "ses_1"), 37, 20)
      await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
      host.emit(type, event)
      // Both are in one frame then, or only the one.
      await put("app/.opencode/rules/new.md", "Text.")
      await drawn.waitFor((frame) => frame.includes("0 of 3 matched"))
      expect((await drawn.frame()).includes("Server part not seen")).toBe(hasAnswered)
      drawn.end()
      await host.dispose()
    })
  })

test("the command has the name, the place and the size that each host asks for", async () => {
  const v1 = await startV1Tui({ directory: () => path("app") })
  expect([v1.command(), v1.dialogSize()]).toEqual([
    {
      namespace: "palette",
      name: "opencode-rulebook.rules",
      title: "Show rules",
      category: "Session",
      slashName: "rules",
      run: undefined,
    },
    undefined,
  ])
  v1.rulesCommand("rules")
  expect(v1.dialogSize()).toBe("large")

  const v2 = await startV2Tui({ directory: () => path("app") })
  expect(v2.command()).toEqual({
    id: "opencode-rulebook.rules",
    title: "Show rules",
    group: "Session",
    palette: true,
    slash: { name: "rules" },
    run: undefined,
  })
  v2.rulesCommand("rules")
  expect(v2.dialogSize()).toBe("large")
})

describe("on OpenCode 1 the plugin's own options are found in the host's configuration", () => {
  const ON = ["opencode-rulebook", { projectLinks: true }]
  test.each<[plugin: unknown, isFollowed: boolean]>([
    [[ON], true],
    [[ON, ["other", { colour: "red" }], ["another", null], "third"], true],
    [[["opencode-rulebook", { rulesOf: [] }], ON], true],
    [[ON, ["opencode-rulebook", { packs: false }]], false],
    [[ON, ["opencode-rulebook", { projectCommands: true }]], false],
    [["opencode-rulebook"], false],
    [[["opencode-rulebook", { projectLinks: "yes" }]], false],
    ["opencode-rulebook", false],
    [undefined, false],
  ])("%j: links out of the project are followed: %p", async (plugin, isFollowed) => {
    await put("elsewhere/linked.md", "---\nname: Linked\n---\nText.")
    await symlink(path("elsewhere"), path("app/.opencode/rules/linked"))
    const host = await startV1Tui({ directory: () => path("app"), config: { plugin } })
    const drawn = await draw(() => host.sidebar(() => "ses_1"), 60, 20)
    await drawn.waitFor((frame) => frame.includes(isFollowed ? "• Linked" : "✗ linked"))
    drawn.end()
    await host.dispose()
  })
})

describe("on OpenCode 2", () => {
  async function frameOf(options: TuiOptions): Promise<string> {
    const host = await startV2Tui(options)
    const drawn = await draw(() => host.sidebar(() => "ses_1"), 60, 20)
    await drawn.waitFor((frame) => !frame.includes("Loading…"))
    const frame = await drawn.frame()
    drawn.end()
    host.dispose()
    return frame
  }

  test("rules of the folders above are shown up to the repository's root", async () => {
    await put(".opencode/rules/outside.md", "Text.")
    await put("app/.git", "gitdir: elsewhere")
    await mkdir(path("app/packages/web"), { recursive: true })
    expect(await frameOf({ directory: () => path("app/packages/web") })).toBe(
      "▼ Rules 0 of 2 matched\nProject\n• Rust  *.rs\nGlobal\n• Style  always",
    )
  })

  test("outside of a repository those of the folder alone", async () => {
    await put(".opencode/rules/outside.md", "Text.")
    expect(await frameOf({ directory: () => path("app") })).toBe(
      "▼ Rules 0 of 2 matched\nProject\n• Rust  *.rs\nGlobal\n• Style  always",
    )
  })

  test("a session that the host does not know is in the folder of the TUI, else in its default one", async () => {
    await put("other/.opencode/rules/other.md", "Text.")
    const directory = () => expect.unreachable()
    const app = { directory: path("app") }
    const other = path("other")
    expect(await frameOf({ directory, v2Locations: { location: app, default: other } })).toContain("• Rust")
    expect(await frameOf({ directory, v2Locations: { location: undefined, default: other } })).toContain("• other")
    expect(await frameOf({ directory, v2Locations: { location: undefined } })).not.toContain("• other")
  })
})
