/** @jsxImportSource @opentui/solid */
import { RGBA } from "@opentui/core"
import { testRender } from "@opentui/solid"
import { createMemo, createSignal, type JSX } from "solid-js"
import { withToggled } from "../src/collections.ts"
import { type RulesView, sectionRows } from "../src/rows.ts"
import { Section, type SectionTheme } from "../src/section.tsx"

/** Tells its colours apart, as a host's theme does. */
export const THEME: SectionTheme = {
  text: RGBA.fromHex("#eeeeee"),
  textMuted: RGBA.fromHex("#808080"),
  success: RGBA.fromHex("#00ff00"),
  warning: RGBA.fromHex("#ffff00"),
  error: RGBA.fromHex("#ff0000"),
}

type Key = "up" | "down" | "pageup" | "pagedown" | "enter" | "j" | "k" | " "
/** What a terminal sends for them. */
const PAGE_KEYS: Readonly<Record<string, string>> = { pageup: "\u001b[5~", pagedown: "\u001b[6~" }

/** How long a frame is waited for, below the time that a test has. */
const PATIENCE_MS = 4000

/** Draws an element on a terminal of the given size; frames come without the blanks at their ends. */
export async function draw(element: () => JSX.Element, width: number, height: number) {
  const screen = await testRender(element, { width, height })
  async function frame(): Promise<string> {
    await screen.flush()
    const lines = screen.captureCharFrame().split("\n")
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd()
  }
  return {
    frame,
    spans: () => screen.captureSpans(),
    /** Clicks the first place that shows this text. */
    async click(text: string): Promise<void> {
      const lines = (await frame()).split("\n")
      const y = lines.findIndex((line) => line.includes(text))
      if (y < 0) throw new Error(`nothing shows ${JSON.stringify(text)}:\n${lines.join("\n")}`)
      await screen.mockMouse.click(lines[y]?.indexOf(text) ?? 0, y)
    },
    /** Presses a key: an arrow, a page key, enter or a character. */
    async press(key: Key, modifiers: { readonly ctrl?: boolean; readonly meta?: boolean } = {}) {
      if (key === "enter") screen.mockInput.pressEnter(modifiers)
      else if (key === "up" || key === "down") screen.mockInput.pressArrow(key, modifiers)
      else screen.mockInput.pressKey(PAGE_KEYS[key] ?? key, modifiers)
      await screen.flush()
    },
    /** Resolves when a frame is like this: what changes it may be the file system. Rejects with the last frame. */
    async waitFor(fits: (frame: string) => boolean): Promise<void> {
      const end = performance.now() + PATIENCE_MS
      for (let shown = await frame(); !fits(shown); shown = await frame()) {
        if (performance.now() > end) throw new Error(`no such frame; the last one:\n${shown}`)
        await new Promise(setImmediate)
      }
    },
    end: () => screen.renderer.destroy(),
  }
}

/** Columns that OpenCode's sidebar leaves a section, whatever the terminal's width (measured on OpenCode 1.18.33). */
const SIDEBAR_COLUMNS = 37

/** Draws the section of one view where the sidebar is: at the right of a terminal. Frames have the whole terminal. */
export async function drawInTerminal(view: RulesView, columns: number, height = 100) {
  const [width, setWidth] = createSignal(SIDEBAR_COLUMNS)
  const rows = createMemo(() => sectionRows(view, new Set(), width()))
  const element = () => (
    <box flexDirection="row" width={columns}>
      <box flexGrow={1} />
      <box width={SIDEBAR_COLUMNS}>
        <Section rows={rows()} theme={THEME} onToggle={() => undefined} onWidth={setWidth} />
      </box>
    </box>
  )
  return draw(element, columns, height)
}

/** Draws the section where there is no room for it. `told` gets the widths that it tells. */
export async function drawNarrow(told: number[]) {
  const element = () => (
    <box width={0} overflow="hidden">
      <Section rows={[]} theme={THEME} onToggle={() => undefined} onWidth={(width) => void told.push(width)} />
    </box>
  )
  return draw(element, 40, 5)
}

/** Draws the section of one view, as wide as the terminal; clicks fold and unfold. */
export async function drawView(view: RulesView, width: number, height = 30) {
  const [columns, setColumns] = createSignal(width)
  const [toggled, setToggled] = createSignal<ReadonlySet<string>>(new Set())
  const rows = createMemo(() => sectionRows(view, toggled(), columns()))
  const toggle = (name: string) => void setToggled((before) => withToggled(before, name))
  return draw(() => <Section rows={rows()} theme={THEME} onToggle={toggle} onWidth={setColumns} />, width, height)
}
