import type { RGBA } from "@opentui/core"
import type { JSX } from "solid-js"

/**
 * The few shapes of OpenCode 2's TUI that the plugin uses (docs/opencode-2.md, The TUI): its packages are on no registry, so they are
 * declared here.
 */
export interface V2TuiContext {
  /** The plugin's options, not validated. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly location?: V2Location | undefined
  /** Of the moment: to be read while drawing. */
  readonly theme: {
    readonly text: {
      readonly base: RGBA
      readonly muted: RGBA
      readonly feedback: Readonly<Record<"success" | "warning" | "error", { readonly base: RGBA }>>
    }
  }
  readonly data: {
    on(type: string, handler: (event: V2TuiEvent) => void): () => void
    readonly session: { get(sessionID: string): { readonly location?: V2Location } | undefined }
    readonly location?: { default?(): V2Location | undefined }
  }
  readonly keymap: { layer(factory: () => { readonly commands: readonly V2TuiCommand[] }): void }
  readonly ui: {
    slot(claim: {
      readonly append: "sidebar.content"
      readonly render: (input: { readonly sessionID: string }) => JSX.Element
    }): () => void
    readonly router: { current(): { readonly type: string; readonly sessionID?: string } }
    readonly dialog: {
      show(render: () => JSX.Element): void
      set(options: { readonly size: "medium" | "large" | "xlarge" }): void
    }
  }
}

export interface V2Location {
  readonly directory: string
}

export interface V2TuiEvent {
  readonly data?: { readonly sessionID?: string }
}

export interface V2TuiCommand {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly palette: true
  readonly slash: { readonly name: string }
  readonly run: () => void
}
