/** @jsxImportSource @opentui/solid */
import { useKeyboard, useTerminalDimensions } from "@opentui/solid"
import { createMemo, createSignal, ErrorBoundary, type JSX } from "solid-js"
import { moveCursor, visibleRows } from "./cursor.ts"
import { createFollowedView, type Follow, failureOf } from "./followed-view.ts"
import { type Row, sectionRows } from "./rows.ts"
import { Section, type SectionTheme } from "./section.tsx"

/** The part of the terminal's height that the list may take. */
const PART_OF_HEIGHT = 0.6
const LEAST_ROWS = 5
const USUAL_COLUMNS = 76
const CURSOR = "› "
const HELP = "↑↓ move · enter unfolds and folds · esc closes"

const STEPS: Readonly<Record<string, number>> = { up: -1, k: -1, down: 1, j: 1, pageup: -10, pagedown: 10 }

interface DialogProps {
  readonly sessionID: string
  readonly theme: SectionTheme
  /** What was folded or unfolded, as `sectionRows` takes it. */
  readonly toggled: ReadonlySet<string>
  readonly onToggle: (name: string) => void
  readonly follow: Follow
}

/**
 * The sidebar's list as a dialog, for the keyboard and for terminals that have no room for a sidebar. Whatever fails in it is shown in
 * its place.
 */
export function RulesDialog(props: DialogProps): JSX.Element {
  function Failed(failed: { readonly error: unknown }): JSX.Element {
    const rows = () => sectionRows(failureOf(failed.error), new Set(), USUAL_COLUMNS)
    return <Section rows={rows()} theme={props.theme} onToggle={props.onToggle} onWidth={() => undefined} />
  }
  return (
    <box paddingLeft={2} paddingRight={2} paddingBottom={1}>
      <ErrorBoundary fallback={(error: unknown) => <Failed error={error} />}>
        <RuleList {...props} />
      </ErrorBoundary>
    </box>
  )
}

function RuleList(props: DialogProps): JSX.Element {
  const view = createFollowedView(() => props.sessionID, props.follow)
  const terminal = useTerminalDimensions()
  const [columns, setColumns] = createSignal(USUAL_COLUMNS)
  const [at, setAt] = createSignal<string>()
  const list = createMemo(() => sectionRows(view(), props.toggled, columns() - CURSOR.length))
  const cursor = () => moveCursor(list(), at(), 0)
  const height = () => Math.max(Math.floor(terminal().height * PART_OF_HEIGHT), LEAST_ROWS)
  const rows = createMemo(() => [
    ...visibleRows(list(), cursor(), height()).map((row, index, all) =>
      marked(row, isHead(row, all[index - 1], cursor())),
    ),
    { spans: [{ text: HELP, tone: "textMuted" as const }], indent: 0, toggle: undefined },
  ])

  useKeyboard(({ name, ctrl, meta }) => {
    if (ctrl || meta) return
    const current = cursor()
    const step = STEPS[name]
    if (step !== undefined) setAt(moveCursor(list(), current, step))
    else if ((name === "return" || name === "space") && current !== undefined) props.onToggle(current)
  })

  return <Section rows={rows()} theme={props.theme} onToggle={props.onToggle} onWidth={setColumns} />
}

/** Whether a row is the first of the group that the cursor is on. */
function isHead(row: Row, before: Row | undefined, cursor: string | undefined): boolean {
  return row.toggle === cursor && before?.toggle !== cursor
}

function marked(row: Row, isCurrent: boolean): Row {
  const mark = { text: isCurrent ? CURSOR : " ".repeat(CURSOR.length), tone: "text" } as const
  return { ...row, spans: [mark, { text: " ".repeat(row.indent), tone: "text" }, ...row.spans], indent: 0 }
}
