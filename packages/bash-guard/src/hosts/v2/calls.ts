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

/** Refused and interrupted calls are never removed (2.0.26 calls no hook for them): the oldest go. */
const mostCalls = 500

export function createCalls(): Calls {
  let calls: readonly { readonly id: string; readonly call: ShellCall }[] = []
  return {
    add(id, call) {
      calls = [...calls, { id, call }].slice(-mostCalls)
    },
    of: (id) => calls.filter((known) => known.id === id).map(({ call }) => call),
    remove(id, command) {
      const ended = calls.findIndex((known) => known.id === id && known.call.command === command)
      calls = calls.filter((_, index) => index !== ended)
    },
  }
}
