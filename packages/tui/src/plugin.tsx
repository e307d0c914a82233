/** @jsxImportSource @opentui/solid */
import { homedir } from "node:os"
import type { TuiPluginApi } from "@opencode-ai/plugin/tui"
import { instructionProblems, ruleDirectories, stateDirectory } from "@opencode-rulebook/rule-schema"
import { createSignal } from "solid-js"
import { withToggled } from "./collections.ts"
import { type FollowedSession, followSession } from "./follow.ts"
import { Panel } from "./panel.tsx"
import type { RulesView } from "./rows.ts"

/** Behind the host's Context (100), before its MCP (200), LSP, Todo and Modified files (measured on OpenCode 1.18.33). */
const ORDER = 150
const BURST_MS = 40

/** The plugin on OpenCode's TUI: one section in the sidebar, which only looks. Its state is files; nothing is asked of the host. */
export async function tui(api: TuiPluginApi): Promise<void> {
  const followed = new Set<FollowedSession>()
  const [toggled, setToggled] = createSignal<ReadonlySet<string>>(new Set())

  function toggle(name: string): void {
    setToggled((before) => withToggled(before, name))
  }

  function follow(sessionID: string, onChange: (view: RulesView) => void): () => void {
    const env = { ...process.env }
    const home = env["HOME"] ?? homedir()
    const { directory, worktree } = api.state.path
    const { instructions, plugin } = api.state.config
    const directories = ruleDirectories({ env, home, directory, worktree, projectLinks: trustsLinks(plugin) })
    const session = followSession({
      sessionID,
      directories,
      problemsOf: (rulebook) => instructionProblems(rulebook, directories, instructions, { home, directory, worktree }),
      stateDirectory: stateDirectory(env, home),
      delayMs: BURST_MS,
      onChange,
    })
    followed.add(session)
    const unsubscribe = onSessionEvents(api, sessionID, session.refresh)
    return () => {
      unsubscribe()
      session.stop()
      followed.delete(session)
    }
  }

  api.slots.register({
    order: ORDER,
    slots: {
      sidebar_content: ({ theme }, props) => (
        <Panel
          sessionID={props.session_id}
          theme={theme.current}
          toggled={toggled()}
          onToggle={toggle}
          follow={follow}
        />
      ),
    },
  })
  api.lifecycle.onDispose(() => {
    for (const session of followed) session.stop()
  })
}

/** The option `projectLinks`, which is the server part's: the host's configuration has it beside the plugin's name. */
function trustsLinks(plugins: unknown): boolean {
  const entries = Array.isArray(plugins) ? plugins : []
  const options = entries.flatMap((entry: unknown) => (Array.isArray(entry) ? [entry[1] as unknown] : []))
  const told = options.filter((one) => typeof one === "object" && one !== null && "projectLinks" in one)
  return told.some(({ projectLinks }) => projectLinks === true)
}

/** What the host tells when a session has gone a step on. Returns the function that ends it. */
function onSessionEvents(api: TuiPluginApi, sessionID: string, refresh: () => void): () => void {
  function take({ properties }: { readonly properties: { readonly sessionID: string } }): void {
    if (properties.sessionID === sessionID) refresh()
  }
  const offs = [
    api.event.on("message.updated", take),
    api.event.on("session.status", take),
    api.event.on("session.compacted", take),
  ]
  return () => {
    for (const off of offs) off()
  }
}
