import type { TuiPluginApi } from "@opencode-ai/plugin/tui"
import type { JSX } from "@opentui/solid"
import { setup, tui } from "../src/index.ts"
import type { V2TuiContext } from "../src/v2-host.ts"
import { THEME } from "./render.tsx"

/** The parts of a host's TUI that the plugin uses, and what it registers there. */
export interface TestTui {
  /** What the plugin puts into the sidebar of the session that `sessionID` gives at that time. */
  sidebar(sessionID: () => string): JSX.Element
  /** Runs the plugin's command, named as a person would, and gives what it opens. */
  rulesCommand(slash: string): () => JSX.Element
  /** The plugin's command, without what it does, and the size of what it opened. */
  command(): object
  dialogSize(): string | undefined
  /** Gives an event to those that listen to it. */
  emit(type: string, event: object): void
  /** Tells that a session went on, or that a request of it was answered. */
  wentOn(sessionID: string): void
  answered(sessionID: string): void
  listeners(): number
  dispose(): unknown
}

export interface TuiOptions {
  /** The folder that the sessions work in. */
  readonly directory: () => string
  /** v1: the host's configuration. */
  readonly config?: object
  /** v2: the plugin's options. */
  readonly options?: Readonly<Record<string, unknown>>
  /** The session on the screen. */
  readonly current?: string
  /** v2: what the host knows of places beside the session's own, which it does not know then. */
  readonly v2Locations?: Pick<V2TuiContext, "location"> & { readonly default?: string }
}

/** Handlers by event, and how many there are. */
function createBus<E>() {
  const handlers = new Map<string, Set<(event: E) => void>>()
  return {
    on(type: string, handler: (event: E) => void) {
      const own = handlers.get(type) ?? new Set()
      handlers.set(type, own.add(handler))
      return () => own.delete(handler)
    },
    emit(type: string, event: E) {
      for (const handler of handlers.get(type) ?? []) handler(event)
    },
    listeners: () => [...handlers.values()].reduce((sum, own) => sum + own.size, 0),
  }
}

type V1Slot = (context: object, props: { readonly session_id: string }) => JSX.Element

/** As OpenCode 1.18.33's plugin package declares it. */
export async function startV1Tui(options: TuiOptions): Promise<TestTui & { readonly orders: readonly unknown[] }> {
  const bus = createBus<object>()
  const slots: { order: number | undefined; sidebar_content: V1Slot }[] = []
  const commands: { namespace: string; slashName: string; run?: () => void }[] = []
  let size: string | undefined
  const disposers: (() => unknown)[] = []
  let shown: (() => JSX.Element) | undefined
  const api = {
    state: {
      config: options.config ?? {},
      get path() {
        return { directory: options.directory(), worktree: "/", state: "", config: "" }
      },
    },
    route: {
      current: options.current ? { name: "session", params: { sessionID: options.current } } : { name: "home" },
    },
    theme: { current: THEME },
    slots: {
      register(plugin: { order?: number; slots: { sidebar_content: V1Slot } }) {
        slots.push({ order: plugin.order, sidebar_content: plugin.slots.sidebar_content })
        return "id"
      },
    },
    keymap: {
      registerLayer(layer: { commands: typeof commands }) {
        commands.push(...layer.commands)
        return () => commands.splice(0)
      },
    },
    ui: {
      dialog: {
        replace(render: () => JSX.Element) {
          shown = render
        },
        setSize(next: string) {
          size = next
        },
      },
    },
    event: bus,
    lifecycle: { signal: new AbortController().signal, onDispose: (dispose: () => unknown) => disposers.push(dispose) },
  }
  await tui(api as unknown as TuiPluginApi)
  return {
    orders: slots.map(({ order }) => order),
    sidebar(sessionID) {
      const props = {
        get session_id() {
          return sessionID()
        },
      }
      return slots[0]?.sidebar_content({}, props)
    },
    rulesCommand(slash) {
      commands.find(({ namespace, slashName }) => namespace === "palette" && slashName === slash)?.run?.()
      return () => shown?.()
    },
    command: () => ({ ...commands[0], run: undefined }),
    dialogSize: () => size,
    emit: bus.emit,
    wentOn: (sessionID) => bus.emit("session.status", { properties: { sessionID } }),
    answered: (sessionID) =>
      bus.emit("message.updated", { properties: { sessionID, info: { role: "assistant", time: { completed: 1 } } } }),
    listeners: () => bus.listeners() + commands.length,
    dispose: () => Promise.all(disposers.map((dispose) => dispose())),
  }
}

/** As the TUI of OpenCode 2.0.26 has it (docs/opencode-2.md, The TUI). */
export async function startV2Tui(options: TuiOptions): Promise<TestTui> {
  const bus = createBus<{ readonly data?: { readonly sessionID?: string } }>()
  const { v2Locations } = options
  let size: string | undefined
  let slot: Parameters<V2TuiContext["ui"]["slot"]>[0] | undefined
  let layer: Parameters<V2TuiContext["keymap"]["layer"]>[0] | undefined
  let shown: (() => JSX.Element) | undefined
  const { text, textMuted, success, warning, error } = THEME
  const feedback = { success: { base: success }, warning: { base: warning }, error: { base: error } }
  const context: V2TuiContext = {
    options: options.options ?? {},
    location: v2Locations?.location,
    theme: { text: { base: text, muted: textMuted, feedback } },
    data: {
      on: bus.on,
      session: { get: () => (v2Locations ? undefined : { location: { directory: options.directory() } }) },
      location: { default: () => (v2Locations?.default ? { directory: v2Locations.default } : undefined) },
    },
    keymap: {
      layer(factory) {
        layer = factory
      },
    },
    ui: {
      slot(claim) {
        slot = claim
        return () => {
          slot = undefined
        }
      },
      router: {
        current: () =>
          options.current ? { type: "session", sessionID: options.current } : { type: "plugin", sessionID: "ses_none" },
      },
      dialog: {
        show(render) {
          shown = render
        },
        set(next) {
          size = next.size
        },
      },
    },
  }
  const dispose = setup(context)
  return {
    sidebar(sessionID) {
      const input = {
        get sessionID() {
          return sessionID()
        },
      }
      return slot?.append === "sidebar.content" ? slot.render(input) : null
    },
    rulesCommand(slash) {
      const command = layer?.().commands.find((one) => one.palette && one.slash.name === slash)
      command?.run()
      return () => shown?.()
    },
    command: () => ({ ...layer?.().commands[0], run: undefined }),
    dialogSize: () => size,
    emit: bus.emit,
    wentOn: (sessionID) => bus.emit("session.execution.failed", { data: { sessionID } }),
    answered: (sessionID) => bus.emit("session.step.ended", { data: { sessionID } }),
    listeners: () => bus.listeners() + (slot ? 1 : 0),
    dispose,
  }
}
