/** @jsxImportSource @opentui/solid */
import { visible } from "@opencode-rulebook/rule-schema"
import { createEffect, createMemo, createSignal, ErrorBoundary, type JSX, onCleanup } from "solid-js"
import { type RulesView, sectionRows } from "./rows.ts"
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
  /** Follows a session; returns the function that ends it. */
  readonly follow: (sessionID: string, onChange: (view: RulesView) => void) => () => void
}): JSX.Element {
  const [view, setView] = createSignal<RulesView>({ kind: "loading" })
  const [columns, setColumns] = createSignal(USUAL_COLUMNS)
  createEffect(() => {
    setView({ kind: "loading" })
    try {
      onCleanup(props.follow(props.sessionID, setView))
    } catch (error) {
      setView(failureOf(error))
    }
  })

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

function failureOf(error: unknown): RulesView {
  return { kind: "failed", message: visible(error instanceof Error ? error.message : String(error)) }
}
