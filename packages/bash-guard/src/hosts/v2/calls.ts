import { setBounded } from "../../bounded-map.ts"
import type { PermissionRule } from "../../permissions/rules.ts"

/** A shell call that a person must answer for, until it has run. */
export interface ShellCall {
  readonly command: string
  readonly agent: string
  readonly cwd: string
  readonly rules: readonly PermissionRule[]
  /** Folders that the host has checked for it, as patterns. */
  readonly folders: Set<string>
}

/** The calls by the host's id. Calls inside of Code Mode share theirs, so an id can have several. */
export interface Calls {
  add(id: string, call: ShellCall): void
  of(id: string): readonly ShellCall[]
  /** One call of this command has ended. */
  remove(id: string, command: unknown): void
}

/** Refused and interrupted calls are never removed (2.0.26 calls no hook for them): the oldest ids go. */
const mostIDs = 500
const mostPerID = 50

export function createCalls(): Calls {
  const calls = new Map<string, readonly ShellCall[]>()
  return {
    add: (id, call) => setBounded(calls, id, [...(calls.get(id) ?? []), call].slice(-mostPerID), mostIDs),
    of: (id) => calls.get(id) ?? [],
    remove(id, command) {
      const all = calls.get(id) ?? []
      const ended = all.findIndex((call) => call.command === command)
      const others = all.filter((_, index) => index !== ended)
      if (others.length === 0) calls.delete(id)
      else calls.set(id, others)
    },
  }
}
