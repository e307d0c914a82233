/** @jsxImportSource @opentui/solid */
import { expect, test } from "bun:test"
import { draw, THEME } from "../test/render.tsx"
import { viewOf } from "../test/rules.ts"
import { RulesDialog } from "./dialog.tsx"
import { Panel } from "./panel.tsx"

test.each([
  ["the section", Panel],
  ["the dialog", RulesDialog],
])("what fails while rows are made is shown in their place: %s", async (_name, Shown) => {
  const view = viewOf({ "a.md": "Text." })
  let isBroken = false
  const host = {
    get toggled(): ReadonlySet<string> {
      if (isBroken) throw new Error("no luck\u001b[2J")
      return new Set()
    },
  }
  const follow = (_: string, onChange: (shown: typeof view) => void) => {
    isBroken = true
    onChange(view)
    return () => undefined
  }
  const drawn = await draw(
    () => <Shown sessionID="ses_1" theme={THEME} toggled={host.toggled} onToggle={() => undefined} follow={follow} />,
    60,
    10,
  )
  await drawn.waitFor((frame) => frame.includes("Rules can't be shown: no luck\\u001b[2J"))
  drawn.end()
  expect(isBroken).toBeTrue()
})
