/** What the page shows. Times in milliseconds since 1970; tokens are estimates. The browser's code knows this file and no other. */
export interface PageData {
  readonly project: string
  readonly madeAt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly sessions: number
  readonly requests: number
  /** Of all rules in a request, on average. */
  readonly tokens: number
  /** All rules, in the order in which sessions refer to them. */
  readonly rules: readonly PageRule[]
  readonly findings: readonly PageFinding[]
  readonly days: readonly PageDay[]
  /** The newest sessions, newest first. */
  readonly shown: readonly PageSession[]
  /** What was left out. */
  readonly notes: readonly string[]
}

/** One rule over all sessions that had it and sent a request. */
export interface PageRule {
  readonly id: string
  readonly name: string
  readonly lifetime: "durable" | "transient"
  readonly activation: "always" | "conditions" | "hooks" | "onRequest"
  readonly isOnDisk: boolean
  /** How many sessions had it, and in how many it matched. */
  readonly sessions: number
  readonly matched: number
  /** Its size; undefined: it never came. */
  readonly tokens: number | undefined
  /** How many requests carried it, and its tokens in all of them together. */
  readonly carried: number
  readonly cost: number
  /** How many calls it stopped. */
  readonly stopped: number
  readonly forbidden: number
  readonly followed: number
  /** From 0 to 1; undefined where nothing was seen. */
  readonly adherence: number | undefined
}

/** Something to do about the rules. */
export interface PageFinding {
  readonly title: string
  readonly advice: string
  readonly items: readonly PageItem[]
}

export interface PageItem {
  readonly text: string
  readonly note: string
  /** The place of the rule in `rules`, where it is about one. */
  readonly rule?: number
}

export interface PageDay {
  readonly day: string
  readonly sessions: number
  readonly requests: number
  /** On average in a request. */
  readonly tokens: number
}

export interface PageSession {
  readonly id: string
  readonly startedAt: number
  readonly endedAt: number
  readonly host: string
  /** The folder that it was started in, relative to the project's. */
  readonly folder: string
  readonly requests: readonly PageRequest[]
  readonly rows: readonly PageRow[]
  readonly missing: readonly PageMissing[]
  readonly isFull: boolean
}

export interface PageRequest {
  readonly number: number
  readonly at: number
  readonly tokens: number
  /** Agent and model. */
  readonly by: string
  readonly prompted: boolean
  /** What the agent did before it, a line for each tool. */
  readonly did: readonly string[]
  /** Whether another process began with it. */
  readonly isRestart: boolean
}

/** A rule in a session. */
export interface PageRow {
  readonly rule: number
  /** The requests that carried it, from one number to another. */
  readonly spans: readonly (readonly [from: number, to: number])[]
  readonly marks: readonly PageMark[]
}

/** Something that happened with a rule, at a request or ahead of it. */
export interface PageMark {
  readonly request: number
  readonly kind: MarkKind
  readonly text: string
}

export type MarkKind = "came" | "hook" | "again" | "reminded" | "left" | "stopped" | "forbidden" | "followed"

/** A rule that the newest request of a session does not carry. */
export interface PageMissing {
  readonly rule: number
  readonly why: string
  /** The verdict of each condition. */
  readonly conditions: readonly { readonly met: boolean; readonly text: string }[]
}
