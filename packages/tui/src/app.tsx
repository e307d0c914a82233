/** @jsxImportSource @opentui/solid */
import { createSignal, type JSX } from "solid-js"
import { withToggled } from "./collections.ts"
import { RulesDialog } from "./dialog.tsx"
import type { TuiHost } from "./host.ts"
import { Panel } from "./panel.tsx"
import { createFollowedSessions, type FollowedSessions } from "./sessions.ts"

/** What the plugin shows in a host's TUI, with what was folded in it. */
export interface RulesApp {
  readonly sessions: FollowedSessions
  /** The sidebar's section. @param sessionID gives the session of the moment. */
  section(sessionID: () => string): JSX.Element
  /** The same list, as a dialog's content: of the session on the screen, else of the folder's rules alone. */
  dialog(): JSX.Element
}

/** What of the rules is unfolded there: what is folded in the narrow sidebar need not be in a dialog. */
export function createRulesApp(host: TuiHost): RulesApp {
  const sessions = createFollowedSessions(host)
  const [inSidebar, setInSidebar] = createSignal<ReadonlySet<string>>(new Set())
  const [inDialog, setInDialog] = createSignal<ReadonlySet<string>>(new Set())
  return {
    sessions,
    section: (sessionID) => (
      <Panel
        sessionID={sessionID()}
        theme={host.theme()}
        toggled={inSidebar()}
        onToggle={(name) => void setInSidebar((before) => withToggled(before, name))}
        follow={sessions.follow}
      />
    ),
    dialog: () => (
      <RulesDialog
        sessionID={host.currentSession() ?? ""}
        theme={host.theme()}
        toggled={inDialog()}
        onToggle={(name) => void setInDialog((before) => withToggled(before, name))}
        follow={sessions.follow}
      />
    ),
  }
}
