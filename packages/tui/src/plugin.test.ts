import { describe, expect, test } from "bun:test"
import { symlink } from "node:fs/promises"
import { createSignal } from "solid-js"
import { startV1Tui, startV2Tui, type TuiOptions } from "../test/host.ts"
import { testProject } from "../test/project.ts"
import { draw, THEME } from "../test/render.tsx"

const { path, put, publish } = testProject()

const majors = [
  { name: "OpenCode 1", startTui: startV1Tui },
  { name: "OpenCode 2", startTui: startV2Tui },
] as const

describe.each(majors)("$name", ({ startTui }) => {
  /** The whole plugin in a sidebar of a terminal, the session of which can be switched. */
  async function start(options: Partial<TuiOptions> = {}) {
    const host = await startTui({ directory: () => path("app"), ...options })
    const [session, setSession] = createSignal("ses_1")
    const drawn = await draw(() => host.sidebar(session), 37, 20)
    return { host, drawn, setSession }
  }

  test("the section shows rules as soon as they are read", async () => {
    const { drawn } = await start()
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    expect(await drawn.frame()).toBe("▼ Rules 0 of 2 matched\nProject\n• Rust  *.rs\nGlobal\n• Style  always")
    drawn.end()
  })

  test("colours are the theme's", async () => {
    await publish("ses_1", "delivered", ["a notice"])
    await put("app/.opencode/rules/bad.md", "---\nci: maybe\n---\nText.")
    const { drawn } = await start()
    await drawn.waitFor((frame) => frame.includes("2 of 2 matched") && frame.includes("a notice"))
    const spans = drawn.spans().lines.flatMap((line) => line.spans)
    const colourOf = (part: string) => spans.find(({ text }) => text.includes(part))?.fg
    expect(["✓", "Project", "✗", "notice", "Rust"].map(colourOf)).toEqual([
      THEME.success,
      THEME.textMuted,
      THEME.error,
      THEME.warning,
      THEME.text,
    ])
    drawn.end()
  })

  test("links out of the project are followed where the plugin's option says so", async () => {
    await put("elsewhere/linked.md", "---\nname: Linked\n---\nText.")
    await symlink(path("elsewhere"), path("app/.opencode/rules/linked"))
    const plugin = ["other", ["opencode-rulebook", { projectLinks: true }]]
    const { drawn } = await start({ config: { plugin }, options: { projectLinks: true } })
    await drawn.waitFor((frame) => frame.includes("0 of 3 matched") && frame.includes("Linked"))
    drawn.end()
  })

  test("it follows the session's state, switches with the session and comes back", async () => {
    await publish("ses_2", "pending")
    const { drawn, setSession } = await start()
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    await publish("ses_1", "delivered")
    await drawn.waitFor((frame) => frame.includes("2 of 2 matched"))
    await publish("ses_1", "unmatched")
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    setSession("ses_2")
    await drawn.waitFor((frame) => frame.includes("2 of 2 matched"))
    setSession("ses_1")
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    drawn.end()
  })

  test("what was folded stays folded in other sessions", async () => {
    const { drawn, setSession } = await start()
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    await drawn.click("▼ Rules")
    setSession("ses_2")
    await drawn.waitFor((frame) => frame.includes("▶ Rules 0 of 2 matched"))
    drawn.end()
  })

  test("rule files that change on disk are followed", async () => {
    const { drawn } = await start()
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    await put("app/.opencode/rules/new.md", "---\nci: maybe\n---\nText.")
    await drawn.waitFor((frame) => frame.includes("✗ new"))
    drawn.end()
  })

  test("an answered request without a state: the server part isn't there; with one, nothing is said", async () => {
    const { host, drawn } = await start()
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    host.wentOn("ses_1")
    host.answered("ses_other")
    host.answered("ses_1")
    await drawn.waitFor((frame) => frame.includes("Server part not seen: is the plugin\nin opencode.json?"))
    await publish("ses_1", "delivered")
    await drawn.waitFor((frame) => frame.includes("2 of 2 matched") && !frame.includes("Server part"))
    drawn.end()
  })

  test("the plugin's end leaves no listener behind", async () => {
    const { host, drawn } = await start()
    await drawn.waitFor((frame) => frame.includes("0 of 2 matched"))
    expect(host.listeners()).toBeGreaterThan(0)
    await host.dispose()
    drawn.end()
    expect(host.listeners()).toBe(0)
  })

  test("a failure is told in the section, and the host goes on", async () => {
    const directory = () => {
      throw new Error("no folder\u001b[31m")
    }
    const host = await startTui({ directory })
    const drawn = await draw(() => host.sidebar(() => "ses_1"), 60, 20)
    await drawn.waitFor((frame) => frame.includes("Rules can't be shown: no folder\\u001b[31m"))
    drawn.end()
  })

  test("/rules opens the list of the session on the screen, for the keyboard", async () => {
    await publish("ses_1", "delivered")
    const host = await startTui({ directory: () => path("app"), current: "ses_1" })
    const drawn = await draw(host.rulesCommand("rules"), 60, 30)
    await drawn.waitFor((frame) => frame.includes("› ▼ Rules 2 of 2 matched"))
    await drawn.press("down")
    await drawn.waitFor((frame) => frame.includes("› ✓ Rust"))
    await drawn.press("enter")
    await drawn.waitFor((frame) => frame.includes("lifetime: durable"))
    expect(await drawn.frame()).toContain("› ✓ Rust")
    await drawn.press("enter")
    await drawn.waitFor((frame) => !frame.includes("lifetime: durable"))
    await drawn.press("up")
    await drawn.press("enter")
    await drawn.waitFor((frame) => frame.includes("› ▶ Rules 2 of 2 matched"))
    await drawn.press(" ")
    await drawn.press("j")
    await drawn.waitFor((frame) => frame.includes("› ✓ Rust"))
    await drawn.press("k")
    await drawn.waitFor((frame) => frame.includes("› ▼ Rules 2 of 2 matched"))
    drawn.end()
  })

  test("in /rules the cursor stands at a rule's first row, and keys with a modifier are the host's", async () => {
    const conditions = 'globs: ["packages/*/src/**/*.ts", "*.tsx"]\nkeywords: [deploy, release]'
    await put("app/.opencode/rules/a.md", `---\nname: Two rows\n${conditions}\n---\nText.`)
    const host = await startTui({ directory: () => path("app") })
    const drawn = await draw(host.rulesCommand("rules"), 50, 30)
    await drawn.waitFor((frame) => frame.includes("› ▼ Rules 0 of 3 matched"))
    await drawn.press("down", { ctrl: true })
    await drawn.press("down")
    await drawn.waitFor((frame) => frame.includes("› • Two rows"))
    expect((await drawn.frame()).split("›")).toHaveLength(2)
    drawn.end()
  })

  test("a notice of the server part is shown when it comes", async () => {
    await publish("ses_1", "delivered")
    const { drawn } = await start()
    await drawn.waitFor((frame) => frame.includes("2 of 2 matched"))
    await publish("ses_1", "delivered", ["the disk is full"])
    await drawn.waitFor((frame) => frame.includes("the disk is full"))
    drawn.end()
  })

  test("without a session it shows the folder's rules", async () => {
    await publish("ses_none", "delivered")
    const host = await startTui({ directory: () => path("app") })
    const drawn = await draw(host.rulesCommand("rules"), 60, 30)
    await drawn.waitFor((frame) => frame.includes("› ▼ Rules 0 of 2 matched"))
    await drawn.click("Style")
    await drawn.waitFor((frame) => frame.includes("lifetime: durable"))
    drawn.end()
  })
})

test("on OpenCode 1 the section stands behind the host's Context", async () => {
  const host = await startV1Tui({ directory: () => path("app") })
  expect(host.orders).toEqual([150])
})

test("on OpenCode 1 rules that the host sends by itself too, and links out of the project, are told of", async () => {
  await put("elsewhere/linked.md", "---\nname: Linked\n---\nText.")
  await symlink(path("elsewhere"), path("app/.opencode/rules/linked"))
  const host = await startV1Tui({
    directory: () => path("app"),
    config: { instructions: [".opencode/rules/*.md"] },
  })
  const drawn = await draw(() => host.sidebar(() => "ses_1"), 38, 20)
  await drawn.waitFor((frame) => frame.includes("0 of 2 matched, 2 broken"))
  const frame = await drawn.frame()
  expect(frame).toContain("✗ linked\n  leads out of the project")
  expect(frame).toContain('✗ rules\n  is listed in "instructions"')
  expect(frame).not.toContain("Linked")
  drawn.end()
})
