import { visible } from "@opencode-rulebook/rule-schema"
import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js"
import type { RulesView } from "./rows.ts"

/** Follows a session; returns the function that ends it. */
export type Follow = (sessionID: string, onChange: (view: RulesView) => void) => () => void

/** What there is to show of a session, whichever that is at the time. For a component: ends with it. */
export function createFollowedView(sessionID: Accessor<string>, follow: Follow): Accessor<RulesView> {
  const [view, setView] = createSignal<RulesView>({ kind: "loading" })
  createEffect(() => {
    setView({ kind: "loading" })
    try {
      onCleanup(follow(sessionID(), setView))
    } catch (error) {
      setView(failureOf(error))
    }
  })
  return view
}

export function failureOf(error: unknown): RulesView {
  return { kind: "failed", message: visible(error instanceof Error ? error.message : String(error)) }
}
