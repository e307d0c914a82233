import type {
  Change,
  DidCall,
  Lifetime,
  MatchedBy,
  Reason,
  ReceiptRule,
  ReceiptVerdict,
  RuleId,
  StoppedChange,
} from "@opencode-rulebook/rule-schema"

/** One session as its receipts have it. Times in milliseconds since 1970. */
export interface SessionHistory {
  readonly id: string
  /** The session's folder, absolute. */
  readonly directory: string
  readonly startedAt: number
  readonly endedAt: number
  readonly runs: readonly Run[]
  /** In the order of their numbers. The last one may be a request that was never sent: see `isSent`. */
  readonly steps: readonly Step[]
  /** By identity, in the order in which the session had them. */
  readonly rules: ReadonlyMap<RuleId, RuleHistory>
  /** Rule files that can't be understood. */
  readonly broken: readonly RuleId[]
  /** Whether the file of receipts reached its size, so that its end is missing. */
  readonly isFull: boolean
}

/** A process that worked on the session. Requests are numbered on over all of them. */
export interface Run {
  readonly at: number
  readonly host: string
  readonly plugin: string
  /** The number of its first request, whether it has sent one or not. */
  readonly firstRequest: number
}

/** A request, and what the agent did since the one before. */
export interface Step {
  /** From 1, over the whole session. */
  readonly number: number
  readonly at: number
  /** False: it holds what happened after the newest request. */
  readonly isSent: boolean
  readonly agent: string | undefined
  readonly model: string | undefined
  readonly prompted: boolean
  readonly did: readonly DidCall[]
  /** Estimated tokens of all rules that the request carries. */
  readonly tokens: number
  readonly arrived: readonly Arrival[]
  readonly left: readonly Departure[]
  readonly stopped: readonly StoppedChange[]
  readonly forbidden: readonly ForbiddenChange[]
  readonly followed: readonly FollowedChange[]
}

export type ForbiddenChange = Extract<Change, { kind: "forbidden" }>
export type FollowedChange = Extract<Change, { kind: "followed" }>

/** A rule that came into the requests. */
export interface Arrival {
  readonly rule: RuleId
  readonly request: number
  /** "found": it was in the conversation before, after a restart or in a fork. */
  readonly reason: Reason | "found"
  readonly lifetime: Lifetime
  /** Whether it is in the stored history; a transient one never is. */
  readonly isStored: boolean
  /** Estimated; 0 where it is not known, with "found". */
  readonly tokens: number
  /** What matched it; empty where that is not known. */
  readonly by: readonly MatchedBy[]
  /** The first request that no longer carries it; undefined: each request to the newest does. */
  readonly until: number | undefined
  /** Why it left; undefined where that is not known: another delivery took its place, or its process ended. */
  readonly leftBy: Reason | undefined
}

export interface Departure {
  readonly rule: RuleId
  readonly reason: Reason
}

/** One rule of the session. */
export interface RuleHistory extends ReceiptRule {
  /** The newest request when it first matched; undefined: it never did. */
  readonly matchedAfter: number | undefined
  readonly arrivals: readonly Arrival[]
  /** The newest verdict of each of its conditions; undefined where there is none. */
  readonly verdicts: readonly ReceiptVerdict[] | undefined
  /** How many attempts to store it failed. */
  readonly retries: number
}

/** Whether a request carries a rule. */
export function isThere({ arrivals }: RuleHistory, request: number): boolean {
  return arrivals.some((arrival) => arrival.request <= request && request < (arrival.until ?? Number.POSITIVE_INFINITY))
}

/** The number of the newest request that was sent; 0 before the first. */
export function newestRequest({ steps }: SessionHistory): number {
  return steps.findLast(({ isSent }) => isSent)?.number ?? 0
}

/** Requests from one number to another, both included. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The requests that carry a rule, without gaps or overlaps. */
export function spansOf({ arrivals }: RuleHistory, newest: number): readonly Span[] {
  const spans: Span[] = []
  for (const { request, until } of arrivals) {
    const to = (until ?? newest + 1) - 1
    const last = spans.at(-1)
    if (last && request <= last.to + 1) spans.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) })
    else if (to >= request) spans.push({ from: request, to })
  }
  return spans
}

/** How many requests carried a rule, and its estimated tokens in all of them together. */
export function carriedBy(rule: RuleHistory, newest: number): { readonly requests: number; readonly tokens: number } {
  const tokens = rule.arrivals.map(({ request, until, tokens: own }) => own * ((until ?? newest + 1) - request))
  const requests = spansOf(rule, newest).map(({ from, to }) => to - from + 1)
  return { requests: sum(requests), tokens: sum(tokens) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
