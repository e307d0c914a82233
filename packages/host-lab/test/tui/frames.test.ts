import { afterAll, beforeAll, setDefaultTimeout, test } from "bun:test"
import { type Lab, say, startLab, startTui } from "../../src/index.ts"
import { RULEBOOK } from "../rulebook/support.ts"

setDefaultTimeout(300_000)

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

/** The narrowest terminal with a sidebar, one a little wider, and one with much room: the section has the same columns on each. */
const TERMINALS = [121, 125, 160]
const SECTION_COLUMNS = 37

function ruleLines(first: number, last: number): string[] {
  return Array.from(
    { length: last - first + 1 },
    (_, index) => `• Rule ${first + index}  src/part${first + index}/*.ts`,
  )
}

for (const [count, lines] of [
  [0, ["Rules", "No rules in .opencode/rules"]],
  [1, ["▼ Rules 0 of 1 matched", "Project", ...ruleLines(1, 1)]],
  [13, ["▼ Rules 0 of 13 matched", "Project", ...ruleLines(1, 13)]],
  [60, ["▼ Rules 0 of 60 matched", "Project", ...ruleLines(1, 12), "… 48 more"]],
  [1000, ["▼ Rules 0 of 1000 matched", "Project", ...ruleLines(1, 12), "… 988 more"]],
] as const) {
  test(`${count} rules on terminals of ${TERMINALS.join(", ")} columns`, async () => {
    const rules = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `rule-${index + 1}.md`,
        `---\nname: Rule ${index + 1}\nglobs: src/part${index + 1}/*.ts\n---\nText.`,
      ]),
    )
    const project = await lab.project({ rules, plugins: [RULEBOOK], tuiPlugins: [RULEBOOK] })
    lab.provider.script({ project: project.key }, [say("done")])
    await using tui = await startTui(project.directory, lab.env, { args: ["--prompt", "hello there"] })
    await tui.waitFor("the prompt", (frame) => frame.includes("hello there"))
    await tui.press("Enter")
    for (const columns of TERMINALS) {
      await tui.resize(columns)
      // A frame may be taken while rules are loading or the screen is being drawn.
      await tui.waitFor(`the section on ${columns} columns: ${lines.join(" / ")}`, (frame) => {
        const shown = section(frame, columns)
        const from = shown.indexOf(lines[0])
        return from >= 0 && Bun.deepEquals(shown.slice(from, from + lines.length + 1), [...lines, ""])
      })
    }
  })
}

/** What stands in the sidebar, line by line: three columns remain on its right (measured on OpenCode 1.18.33). */
function section(frame: string, columns: number): string[] {
  const from = columns - SECTION_COLUMNS - 3
  return frame.split("\n").map((line) => line.slice(from).trim())
}
