/** @jsxImportSource @opentui/solid */
import type { TuiThemeCurrent } from "@opencode-ai/plugin/tui"
import type { BoxRenderable, RGBA } from "@opentui/core"
import { For, Index, type JSX } from "solid-js"
import type { Row, StyledText } from "./rows.ts"

/** The colours that the section takes from the host's theme. */
export type SectionTheme = Pick<TuiThemeCurrent, StyledText["tone"]>

/** The section as it stands in the sidebar: it shows rows and tells clicks and its width, and decides nothing. */
export function Section(props: {
  readonly rows: readonly Row[]
  readonly theme: SectionTheme
  readonly onToggle: (toggle: string) => void
  readonly onWidth: (columns: number) => void
}): JSX.Element {
  function tellWidth(this: BoxRenderable): void {
    if (this.width > 0) props.onWidth(this.width)
  }
  return (
    <box flexDirection="column" onSizeChange={tellWidth}>
      <Index each={props.rows}>{(row) => <Line row={row()} theme={props.theme} onToggle={props.onToggle} />}</Index>
    </box>
  )
}

function Line(props: {
  readonly row: Row
  readonly theme: SectionTheme
  readonly onToggle: (toggle: string) => void
}): JSX.Element {
  function click(): void {
    const { toggle } = props.row
    if (toggle !== undefined) props.onToggle(toggle)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a terminal's elements have no roles
    <box paddingLeft={props.row.indent} onMouseDown={click}>
      <text wrapMode="none">
        {/* An element of its own for each span: the style of one can be added to, but not taken back. */}
        <For each={props.row.spans}>{(span) => <span style={styleOf(span, props.theme)}>{span.text}</span>}</For>
      </text>
    </box>
  )
}

function styleOf({ tone, bold }: StyledText, theme: SectionTheme): { readonly fg: RGBA; readonly bold: boolean } {
  return { fg: theme[tone], bold: bold === true }
}
