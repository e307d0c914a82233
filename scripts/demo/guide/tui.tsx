/** @jsxImportSource @opentui/solid */
import type { TuiPluginApi } from "@opencode-ai/plugin/tui"
import { For } from "solid-js"

/** The demo's own TUI plugin: it says at the bottom of the screen what to type. Its option `lines` has the words. */
async function tui(api: TuiPluginApi, options: Record<string, unknown> | undefined): Promise<void> {
  const lines = Array.isArray(options?.["lines"]) ? options["lines"].map(String) : []
  api.slots.register({
    order: 100,
    slots: {
      app_bottom: ({ theme }) => (
        <box flexDirection="column" flexShrink={0} paddingLeft={2} backgroundColor={theme.current.backgroundElement}>
          <For each={lines}>{(line) => <text fg={theme.current.text}>{line}</text>}</For>
        </box>
      ),
    },
  })
}

export default { id: "rulebook-demo-guide", tui }
