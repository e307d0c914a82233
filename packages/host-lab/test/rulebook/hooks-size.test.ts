import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { call, type Lab, type Project, say, startLab } from "../../src/index.ts"
import { pluginLog } from "./log.ts"
import { counts, openPair, playIn } from "./support.ts"

setDefaultTimeout(180_000)

/** A rule that blocks each `write` that its `match` finds. */
function keepOut(match: string): string {
  return `---\nhooks:\n  - type: PreToolUse\n    tool: write\n    match: ${match}\n    block: true\n---\nKeep out.`
}

const PADDING = "x".repeat(70_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

test.each([
  ["plain", '\'"filePath":"[^"]*forbidden\''],
  ["lookahead", "'forbidden(?!.*allowed)'"],
  ["backtracking", "'(?<!not-)forbidden(?!.*allowed)'"],
  ["argument", "{ filePath: 'forbidden' }"],
])("a block is not evaded by 70,000 characters before the path: %s", async (name, match) => {
  const pair = await openPair(lab, { rules: { "keep-out.md": keepOut(match) } })
  const play = async (project: Project) => {
    const session = await project.session()
    const write = (file: string) => call("write", { content: PADDING, filePath: project.path(file) })
    await session.prompt("go", [write("forbidden.txt"), write("other.txt"), say("done")])
    return { requests: session.requests(), forbidden: await Bun.file(project.path("forbidden.txt")).exists() }
  }
  const { result } = await playIn(pair, play, { incomparable: "a blocked call has another result" })
  expect(result.forbidden).toBe(false)
  expect(counts(result.requests, "blocked by the rule")).toEqual([0, 1, 1])
  expect(await Bun.file(pair.plain.path("forbidden.txt")).exists()).toBe(true)
  expect(await Bun.file(pair.project.path("other.txt")).text()).toBe(PADDING)
  if (name === "backtracking") {
    const [warning] = await pluginLog(lab, pair.project.path(".opencode/rules/keep-out.md"))
    expect(warning).toContain("needs backtracking, so it looks only at the first 16384 characters")
  }
})
