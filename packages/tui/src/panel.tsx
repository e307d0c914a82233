/** @jsxImportSource @opentui/solid */
import { createMemo, createSignal, ErrorBoundary, type JSX } from "solid-js"
import { createFollowedView, type Follow, failureOf } from "./followed-view.ts"
import { sectionRows } from "./rows.ts"
import { Section, type SectionTheme } from "./section.tsx"

/** Columns of the host's sidebar beside its padding (measured on OpenCode 1.18.33); known for certain after the first layout. */
const USUAL_COLUMNS = 37
const NOTHING: ReadonlySet<string> = new Set()

/** The section of one session, whichever that is at the time. Whatever fails in it is shown in its place. */
export function Panel(props: {
  readonly sessionID: string
  readonly theme: SectionTheme
  /** What was clicked, as `sectionRows` takes it. */
  readonly toggled: ReadonlySet<string>
  readonly onToggle: (name: string) => void
  readonly follow: Follow
}): JSX.Element {
  const view = createFollowedView(() => props.sessionID, props.follow)
  const [columns, setColumns] = createSignal(USUAL_COLUMNS)

  function Shown(): JSX.Element {
    const rows = createMemo(() => sectionRows(view(), props.toggled, columns()))
    return <Section rows={rows()} theme={props.theme} onToggle={props.onToggle} onWidth={setColumns} />
  }

  function Failed(failed: { readonly error: unknown }): JSX.Element {
    const rows = createMemo(() => sectionRows(failureOf(failed.error), NOTHING, columns()))
    return <Section rows={rows()} theme={props.theme} onToggle={props.onToggle} onWidth={setColumns} />
  }

  return (
    <ErrorBoundary fallback={(error: unknown) => <Failed error={error} />}>
      <Shown />
    </ErrorBoundary>
  )
}
