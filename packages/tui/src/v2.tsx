import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { homeFolder } from "@opencode-rulebook/rule-schema"
import { createRulesApp } from "./app.tsx"
import { RULES_COMMAND } from "./command.ts"
import { sessionPlaces } from "./directories.ts"
import type { SessionPlaces } from "./host.ts"
import type { V2TuiContext } from "./v2-host.ts"

/** The events at which a session's state may have changed; behind some a request has been answered. */
const EVENTS: Readonly<Record<string, { readonly hasAnswered: boolean }>> = {
  "session.step.ended": { hasAnswered: true },
  "session.execution.succeeded": { hasAnswered: true },
  "session.execution.failed": { hasAnswered: false },
  "session.execution.interrupted": { hasAnswered: false },
  "session.compaction.ended": { hasAnswered: false },
}

/**
 * The plugin on the TUI of OpenCode 2: the same section and dialog as on OpenCode 1.
 *
 * @returns ends everything that was set up, but for the command, which ends with the plugin.
 */
export function setup(context: V2TuiContext): () => void {
  const app = createRulesApp({
    places: (sessionID) => placesOf(context, sessionID),
    currentSession() {
      const route = context.ui.router.current()
      return route.type === "session" ? route.sessionID : undefined
    },
    theme() {
      const { base, muted, feedback } = context.theme.text
      const { success, warning, error } = feedback
      return { text: base, textMuted: muted, success: success.base, warning: warning.base, error: error.base }
    },
  })

  const offs = [
    context.ui.slot({ append: "sidebar.content", render: (input) => app.section(() => input.sessionID) }),
    ...Object.entries(EVENTS).map(([type, { hasAnswered }]) =>
      context.data.on(type, ({ data }) => {
        if (data?.sessionID !== undefined) app.sessions.wentOn(data.sessionID, hasAnswered)
      }),
    ),
  ]
  context.keymap.layer(() => ({
    commands: [
      {
        id: RULES_COMMAND.id,
        title: RULES_COMMAND.title,
        group: RULES_COMMAND.group,
        palette: true,
        slash: { name: RULES_COMMAND.slash },
        run() {
          context.ui.dialog.show(app.dialog)
          context.ui.dialog.set({ size: "large" })
        },
      },
    ],
  }))
  return () => {
    for (const off of offs) off()
    app.sessions.stop()
  }
}

function placesOf(context: V2TuiContext, sessionID: string): SessionPlaces {
  const env = { ...process.env }
  const home = homeFolder(env, homedir())
  const locations = [
    context.data.session.get(sessionID)?.location,
    context.location,
    context.data.location?.default?.(),
  ]
  const directory = locations.find((location) => location !== undefined)?.directory ?? process.cwd()
  return sessionPlaces({ env, home, directory, worktree: worktreeOf(directory) }, context.options ?? {})
}

/** The root of the git working tree around a folder; undefined outside one. The TUI tells it of no session. */
function worktreeOf(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder
    if (dirname(folder) === folder) return undefined
  }
}
