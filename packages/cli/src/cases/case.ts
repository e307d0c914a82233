import type { GivenCall } from "../play/turn.ts"

/** One case: what happens in a turn, and what is expected of the rules. */
export interface Case {
  readonly name: string
  /** 1-based line of the case in its file. */
  readonly line: number
  readonly prompt: string | undefined
  readonly command: string | undefined
  readonly agent: string | undefined
  readonly model: string | undefined
  readonly branch: string | undefined
  readonly os: string | undefined
  readonly ci: boolean | undefined
  readonly project: readonly string[] | undefined
  readonly tools: readonly string[] | undefined
  /** Files that the agent reads, with their text; without one, the text is the file's own. */
  readonly read: readonly { readonly path: string; readonly text: string | undefined }[]
  /** Files that the agent writes after that, with their new text. */
  readonly writes: readonly { readonly path: string; readonly text: string }[]
  /** Tool calls after that. */
  readonly calls: readonly GivenCall[]
  /** A session that `opencode export` wrote, relative to the cases' file; it is played in place of prompt, files and calls. */
  readonly session: string | undefined
  readonly delivered: readonly Expected[]
  readonly notDelivered: readonly Expected[]
  readonly blocked: readonly Expected[]
  readonly held: readonly Expected[]
  readonly refused: readonly Expected[]
  readonly forbidden: readonly Expected[]
}

/** A rule that a case names, with the moment at which it is to arrive. */
export interface Expected {
  /** The rule's name, its file's name or its path in the rules folder. */
  readonly rule: string
  readonly when: Moment | undefined
}

export const MOMENTS = ["first-request", "after-file", "after-call"] as const

export type Moment = (typeof MOMENTS)[number]
