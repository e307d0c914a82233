import { expect } from "bun:test"
import type { Dispatch } from "./host.ts"

/** How often a text is in a dispatch. */
export function count(dispatch: Dispatch | undefined, text: string): number {
  return (dispatch ?? []).join("\n").split(text).length - 1
}

/** How often a text is in each of the dispatches, in order. */
export function counts(dispatches: readonly Dispatch[], text: string): number[] {
  return dispatches.map((dispatch) => count(dispatch, text))
}

/** Each dispatch must begin with all of the one before it: providers' prompt caches live on that. */
export function expectExtending(dispatches: readonly Dispatch[]): void {
  for (const [index, dispatch] of dispatches.entries()) {
    const before = dispatches[index - 1] ?? []
    const differs = before.findIndex((message, at) => message !== dispatch[at])
    expect([differs, dispatch[differs]]).toEqual([-1, before[differs]])
  }
}

/** Whether a line of a host's log complains; that the plugin is loaded is no complaint. */
export function isComplaint(line: string): boolean {
  return !line.startsWith("info ")
}
