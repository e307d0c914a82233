import { homedir } from "node:os"
import type { TuiPluginApi } from "@opencode-ai/plugin/tui"
import { homeFolder, instructionProblems } from "@opencode-rulebook/rule-schema"
import { createRulesApp } from "./app.tsx"
import { RULES_COMMAND } from "./command.ts"
import { sessionPlaces } from "./directories.ts"
import type { SessionPlaces } from "./host.ts"

/** Behind the host's Context (100), before its MCP (200), LSP, Todo and Modified files (measured on OpenCode 1.18.33). */
const ORDER = 150

/** The plugin on the TUI of OpenCode 1: a section in the sidebar, which only looks, and the same list as a dialog. */
export async function tui(api: TuiPluginApi): Promise<void> {
  const app = createRulesApp({
    places: () => placesOf(api),
    currentSession() {
      const { current } = api.route
      const id: unknown = current.name === "session" ? current.params?.["sessionID"] : undefined
      return typeof id === "string" ? id : undefined
    },
    theme: () => api.theme.current,
  })

  api.slots.register({
    order: ORDER,
    slots: { sidebar_content: (_, props) => app.section(() => props.session_id) },
  })
  const removeCommand = api.keymap.registerLayer({
    commands: [
      {
        namespace: "palette",
        name: RULES_COMMAND.id,
        title: RULES_COMMAND.title,
        category: RULES_COMMAND.group,
        slashName: RULES_COMMAND.slash,
        run() {
          api.ui.dialog.replace(app.dialog)
          api.ui.dialog.setSize("large")
        },
      },
    ],
  })
  const offs = [
    api.event.on("message.updated", ({ properties: { sessionID, info } }) =>
      app.sessions.wentOn(sessionID, info.role === "assistant" && info.time.completed !== undefined),
    ),
    api.event.on("session.status", ({ properties }) => app.sessions.wentOn(properties.sessionID, false)),
    api.event.on("session.compacted", ({ properties }) => app.sessions.wentOn(properties.sessionID, false)),
  ]
  api.lifecycle.onDispose(() => {
    removeCommand()
    for (const off of offs) off()
    app.sessions.stop()
  })
}

function placesOf(api: TuiPluginApi): SessionPlaces {
  const env = { ...process.env }
  const home = homeFolder(env, homedir())
  const { directory, worktree } = api.state.path
  const { instructions, plugin } = api.state.config
  const place = { env, home, directory, worktree }
  return {
    ...sessionPlaces(place, serverOptions(plugin)),
    problemsOf: (rulebook, directories) => instructionProblems(rulebook, directories, instructions, place),
  }
}

/** Options that no other plugin has. */
const SERVER_OPTIONS = ["projectCommands", "projectLinks", "rulesOf", "packs"]

/** The server part's options: the host's configuration has them beside the plugin's name. */
function serverOptions(plugins: unknown): Readonly<Record<string, unknown>> {
  const entries = Array.isArray(plugins) ? plugins : []
  const options = entries.flatMap((entry: unknown) => (Array.isArray(entry) ? [entry[1] as unknown] : []))
  const isOwn = (one: unknown): one is Readonly<Record<string, unknown>> =>
    typeof one === "object" && one !== null && SERVER_OPTIONS.some((name) => name in one)
  return options.findLast(isOwn) ?? {}
}
