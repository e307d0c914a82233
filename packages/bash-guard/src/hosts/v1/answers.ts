import type { PluginInput } from "@opencode-ai/plugin"

type Client = PluginInput["client"]

/** How long the reason stays beside a dialog, in milliseconds; the dialog itself stays until it is answered. */
const shownFor = 15_000

/** Shows why a dialog is there. The TUI's dialog of OpenCode 1.18.33 shows the command alone (measured), so the reason stands beside it. */
export function showReason(client: Client, why: string): void {
  const body = { title: "Why bash-guard asks", message: why, variant: "info" as const, duration: shownFor }
  client.tui.showToast({ body }).catch(() => {})
}

/** Lets a call run, once, that an open dialog asks about. */
export function answerOnce(client: Client, sessionID: string, requestID: string): void {
  const path = { id: sessionID, permissionID: requestID }
  client.postSessionIdPermissionsPermissionId({ path, body: { response: "once" } }).catch(() => {})
}
