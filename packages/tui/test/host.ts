import type { TuiPluginApi, TuiSlotContext } from "@opencode-ai/plugin/tui"
import type { JSX } from "@opentui/solid"
import { tui } from "../src/index.ts"
import { THEME } from "./render.tsx"

type Slot = (context: TuiSlotContext, props: { readonly session_id: string }) => JSX.Element
type Handler = (event: { readonly properties: { readonly sessionID: string } }) => void

/** The parts of the host's TUI that the plugin uses, and what it registers there. */
export async function startTuiHost(directory: () => string, config: object = {}) {
  const slots: { order: number | undefined; sidebar_content: Slot }[] = []
  const handlers = new Map<string, Set<Handler>>()
  const disposers: (() => unknown)[] = []
  const api = {
    state: {
      config,
      get path() {
        return { directory: directory(), worktree: "/", state: "", config: "" }
      },
    },
    slots: {
      register(plugin: { order?: number; slots: { sidebar_content: Slot } }) {
        slots.push({ order: plugin.order, sidebar_content: plugin.slots.sidebar_content })
        return "id"
      },
    },
    event: {
      on(type: string, handler: Handler) {
        const own = handlers.get(type) ?? new Set()
        handlers.set(type, own.add(handler))
        return () => own.delete(handler)
      },
    },
    lifecycle: { signal: new AbortController().signal, onDispose: (dispose: () => unknown) => disposers.push(dispose) },
  }
  // The plugin uses no more of the host than this.
  await tui(api as unknown as TuiPluginApi)
  const context = { theme: { current: THEME } } as unknown as TuiSlotContext
  return {
    slots,
    /** What the plugin puts into the sidebar of the session that `sessionID` gives at that time. */
    sidebar: (sessionID: () => string): JSX.Element => {
      const props = {
        get session_id() {
          return sessionID()
        },
      }
      return slots[0]?.sidebar_content(context, props)
    },
    emit(type: string, sessionID: string) {
      for (const handler of handlers.get(type) ?? []) handler({ properties: { sessionID } })
    },
    listeners: () => [...handlers.values()].reduce((sum, own) => sum + own.size, 0),
    dispose: () => Promise.all(disposers.map((dispose) => dispose())),
  }
}
