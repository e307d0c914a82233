import type { DidCall } from "@opencode-rulebook/rule-schema"
import { notedTool } from "../cause.ts"

/** How many calls are noted of a request, and how many files of a call. */
const MOST_CALLS = 100
const MOST_PATHS = 20

/** What the agent has done since the request before. */
export interface Did {
  add(call: { readonly tool: string; readonly paths: readonly string[]; readonly isStopped: boolean }): void
  /** The calls so far; those that come belong to the next request. */
  take(): readonly DidCall[]
}

export function createDid(): Did {
  let calls: DidCall[] = []
  return {
    add({ tool, paths, isStopped }) {
      if (calls.length < MOST_CALLS)
        calls.push({ tool: notedTool(tool), paths: fewPaths(paths), ...(isStopped && { stopped: true }) })
    },
    take() {
      const taken = calls
      calls = []
      return taken
    },
  }
}

/** Each path once. */
export function fewPaths(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].slice(0, MOST_PATHS)
}
