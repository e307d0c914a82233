/** @jsxImportSource @opentui/solid */
import { expect, test } from "bun:test"
import { createSignal } from "solid-js"
import { draw, THEME } from "../test/render.tsx"
import { viewOf } from "../test/rules.ts"
import { withToggled } from "./collections.ts"
import { RulesDialog } from "./dialog.tsx"
import type { RulesView } from "./rows.ts"

const HELP = "  ↑↓ move · enter unfolds and folds · esc closes"
const MANY = viewOf(Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`${index + 10}.md`, "Text."])))

/** The dialog of a view, on a terminal of that size. */
async function open(view: RulesView, width: number, height: number) {
  const [toggled, setToggled] = createSignal<ReadonlySet<string>>(new Set())
  const followed: string[] = []
  let ended = 0
  const [session, setSession] = createSignal("ses_1")
  const drawn = await draw(
    () => (
      <RulesDialog
        sessionID={session()}
        theme={THEME}
        toggled={toggled()}
        onToggle={(name) => void setToggled((before) => withToggled(before, name))}
        follow={(sessionID, onChange) => {
          followed.push(sessionID)
          onChange(view)
          return () => void ended++
        }}
      />
    ),
    width,
    height,
  )
  const lines = async () => (await drawn.frame()).split("\n")
  return { ...drawn, lines, setSession, followed, ended: () => ended }
}

/** A frame's lines: the rows with the numbers from `first` to `last`, the cursor at one of them. */
function numbered(first: number, last: number, cursor: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index
    return `  ${number === cursor ? "› " : "  "}• ${number}  always`
  })
}

test.each([
  ["the list takes the larger part of the terminal's height, and the keys stand below it", 20, 19],
  ["a terminal of a few rows has at least five of the list", 7, 12],
])("%s", async (_name, height, last) => {
  const drawn = await open(MANY, 60, height)
  expect(await drawn.lines()).toEqual(["  › ▼ Rules 0 of 15 matched", "    Project", ...numbered(10, last, 0), HELP])
  drawn.end()
})

test("keys move the cursor by one and by ten, and the list goes with it", async () => {
  const drawn = await open(MANY, 60, 10)
  const cursorAt = async () => (await drawn.lines()).find((line) => line.includes("›"))?.trim()
  const moves: [key: Parameters<typeof drawn.press>[0], at: string][] = [
    ["down", "› • 10  always"],
    ["j", "› • 11  always"],
    ["up", "› • 10  always"],
    ["pagedown", "› • 20  always"],
    ["pagedown", "› • 24  always"],
    ["pageup", "› • 14  always"],
    ["k", "› • 13  always"],
    ["pageup", "› ▼ Rules 0 of 15 matched"],
  ]
  for (const [key, at] of moves) {
    await drawn.press(key)
    expect([key, await cursorAt()]).toEqual([key, at])
  }
  await drawn.press("down", { meta: true })
  await drawn.press("j", { ctrl: true })
  expect(await cursorAt()).toBe("› ▼ Rules 0 of 15 matched")
  drawn.end()
})

test("an unfolded rule's lines are indented, the cursor stays at its head", async () => {
  const drawn = await open(viewOf({ "a.md": "---\nci: true\n---\nText.", "b.md": "Text." }), 60, 20)
  await drawn.press("down")
  await drawn.press("enter")
  expect(await drawn.lines()).toEqual([
    "    ▼ Rules 0 of 2 matched",
    "    Project",
    "  › • a",
    "      not matched yet",
    "      ci: running in CI",
    "      match: any",
    "      lifetime: durable",
    "      path: .opencode/rules/a.md",
    "    • b  always",
    HELP,
  ])
  await drawn.press(" ")
  expect((await drawn.lines())[3]).toBe("    • b  always")
  drawn.end()
})

test("rows use the width that the dialog has beside the cursor", async () => {
  const drawn = await open(viewOf({ "a.md": "---\nglobs: 'packages/*/src/**/*.ts'\n---\nText." }), 40, 20)
  // 40 columns without 2 of padding on each side and 2 of the cursor: the row takes 31.
  expect((await drawn.lines())[2]).toBe("    • a  packages/*/src/**/*.ts")
  drawn.end()
  const narrow = await open(viewOf({ "a.md": "---\nglobs: 'packages/*/src/**/*.ts'\n---\nText." }), 32, 20)
  await narrow.waitFor((frame) => frame.split("\n")[3]?.trimStart().startsWith("packages") === true)
  expect((await narrow.lines()).slice(2, 4)).toEqual(["    • a", "      packages/*/src/**/*.ts"])
  narrow.end()
})

test("another session is followed in place of the one before, which is ended", async () => {
  const drawn = await open(MANY, 60, 20)
  await drawn.frame()
  drawn.setSession("ses_2")
  await drawn.frame()
  expect([drawn.followed, drawn.ended()]).toEqual([["ses_1", "ses_2"], 1])
  drawn.end()
  expect(drawn.ended()).toBe(2)
})
