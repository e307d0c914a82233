import type {
  Change,
  Lifetime,
  MatchedBy,
  Reason,
  Receipt,
  ReceiptRule,
  RequestChange,
  RuleId,
  SessionChange,
} from "@opencode-rulebook/rule-schema"
import type { Arrival, RuleHistory, Run, SessionHistory, Step } from "./history.ts"

/** The same while it grows. */
type Open<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] }
type OpenArrival = { -readonly [Key in keyof Arrival]: Arrival[Key] }
type OpenStep = Open<Omit<Step, "arrived">> & { readonly arrived: OpenArrival[] }
type OpenRule = Open<Omit<RuleHistory, "arrivals">> & { readonly arrivals: OpenArrival[] }

/** The latest time that a date can be, in milliseconds since 1970. */
const LATEST = 8.64e15

/** Builds one session's history, receipt by receipt in the order of the file. */
export interface HistoryBuilder {
  add(receipt: Receipt): void
  /** The history so far; undefined before the session is known. */
  end(): SessionHistory | undefined
}

export function createHistoryBuilder(): HistoryBuilder {
  let session: SessionChange | undefined
  let startedAt = Number.POSITIVE_INFINITY
  let endedAt = 0
  let isFull = false
  /** How many requests earlier processes have sent: each one numbers from 1. */
  let before = 0
  let newest = 0
  const runs: Run[] = []
  const steps = new Map<number, OpenStep>()
  const rules = new Map<RuleId, OpenRule>()
  const broken = new Set<RuleId>()
  /** What matched a rule last. */
  const matchedBy = new Map<RuleId, readonly MatchedBy[]>()

  return {
    add(receipt) {
      const at = Math.min(Math.max(receipt.at, 0), LATEST)
      startedAt = Math.min(startedAt, at)
      endedAt = Math.max(endedAt, at)
      if (receipt.kind === "session" && receipt.begins) begin(receipt, at)
      const request = before + receipt.request
      newest = Math.max(newest, request)
      apply(receipt, request, at)
    },
    end() {
      if (session === undefined) return undefined
      const { sessionID: id, directory } = session
      const ordered = Array.from(steps.values()).toSorted((a, b) => a.number - b.number)
      return { id, directory, startedAt, endedAt, runs, steps: ordered, rules, broken: [...broken], isFull }
    },
  }

  function begin({ host, plugin }: SessionChange, at: number): void {
    before = newest
    runs.push({ at, host, plugin, firstRequest: before + 1 })
    // What no history holds was in the memory of the process that ended.
    for (const { arrivals } of rules.values()) end(arrivals, before + 1, ({ isStored }) => !isStored)
  }

  function apply(change: Change, request: number, at: number): void {
    switch (change.kind) {
      case "session":
        session ??= change
        for (const rule of change.rules) declare(rule)
        for (const id of change.broken) broken.add(id)
        break
      case "request":
        send(change, request, at)
        break
      case "matched":
        match(change.rule, request, change.by)
        break
      case "hook":
        match(change.rule, request, [{ kind: "hook", tool: change.tool }])
        break
      case "found":
        for (const id of change.rules) find(id, request, at)
        break
      case "delivered": {
        const { reason, tokens, how } = change
        arrive(change.rule, request, at, { reason, lifetime: "durable", isStored: how === "stored", tokens })
        break
      }
      case "transient": {
        const { reason, tokens, rule } = change
        if (change.isOn) arrive(rule, request, at, { reason, lifetime: "transient", isStored: false, tokens })
        else leave(rule, "transient", reason, request, at)
        break
      }
      case "gone":
        leave(change.rule, "durable", change.reason, request, at)
        break
      case "store":
        for (const id of change.rules) store(ruleOf(id), change.outcome)
        break
      case "verdicts":
        for (const [id, verdicts] of Object.entries(change.rules)) ruleOf(id as RuleId).verdicts = verdicts
        break
      // What the agent does comes after the newest request, so it is shown with the next one.
      case "stopped":
        stepOf(request + 1, at).stopped.push(change)
        break
      case "forbidden":
        stepOf(request + 1, at).forbidden.push(change)
        break
      case "followed":
        stepOf(request + 1, at).followed.push(change)
        break
      case "full":
        isFull = true
        break
      default:
        change satisfies never
    }
  }

  function declare(rule: ReceiptRule): void {
    const known = rules.get(rule.id)
    if (known) Object.assign(known, rule)
    else rules.set(rule.id, withoutEvents(rule))
  }

  /** A rule of the session; one whose `session` line is lost goes by its identity. */
  function ruleOf(id: RuleId): OpenRule {
    const known = rules.get(id)
    if (known) return known
    const rule = withoutEvents({ id, name: id, digest: "", lifetime: "durable", activation: "conditions" })
    rules.set(id, rule)
    return rule
  }

  function stepOf(number: number, at: number): OpenStep {
    const known = steps.get(number)
    if (known) return known
    const step: OpenStep = {
      ...{ number, at, isSent: false, agent: undefined, model: undefined, prompted: false, did: [], tokens: 0 },
      ...{ arrived: [], left: [], stopped: [], forbidden: [], followed: [] },
    }
    steps.set(number, step)
    return step
  }

  function sentStep(number: number, at: number): OpenStep {
    const step = stepOf(number, at)
    step.isSent = true
    return step
  }

  function send({ agent, model, prompted, did, tokens }: RequestChange, request: number, at: number): void {
    Object.assign(sentStep(request, at), { at, agent, model, prompted, did, tokens })
  }

  function match(id: RuleId, request: number, by: readonly MatchedBy[]): void {
    matchedBy.set(id, by)
    ruleOf(id).matchedAfter ??= request
  }

  /** A rule that was in the conversation before the process began: from another process, or from the session of a fork. */
  function find(id: RuleId, request: number, at: number): void {
    const { arrivals } = ruleOf(id)
    if (arrivals.some(({ until }) => until === undefined)) return
    arrive(id, request, at, {
      ...{ reason: "found", lifetime: "durable", isStored: true, tokens: arrivals.at(-1)?.tokens ?? 0 },
    })
  }

  function arrive(
    id: RuleId,
    request: number,
    at: number,
    arrival: Pick<Arrival, "reason" | "lifetime" | "isStored" | "tokens">,
  ): void {
    const { arrivals } = ruleOf(id)
    const isBeside = arrival.reason === "reminded" || arrival.reason === "forbidden"
    end(arrivals, request, ({ lifetime }) => lifetime === "transient" || !isBeside)
    const added = { rule: id, request, ...arrival, by: matchedBy.get(id) ?? [], until: undefined, leftBy: undefined }
    arrivals.push(added)
    sentStep(request, at).arrived.push(added)
  }

  function leave(id: RuleId, lifetime: Lifetime, reason: Reason, request: number, at: number): void {
    for (const arrival of ruleOf(id).arrivals) {
      if (arrival.until === undefined && arrival.lifetime === lifetime)
        Object.assign(arrival, { until: request, leftBy: reason })
    }
    // A transient rule that is durable from here on stays.
    if (reason !== "matched") sentStep(request, at).left.push({ rule: id, reason })
  }
}

function withoutEvents({ id, name, digest, lifetime, activation }: ReceiptRule): OpenRule {
  const events = { matchedAfter: undefined, arrivals: [], verdicts: undefined, retries: 0 }
  return { id, name, digest, lifetime, activation, ...events }
}

function end(arrivals: readonly OpenArrival[], request: number, isMeant: (arrival: OpenArrival) => boolean): void {
  for (const arrival of arrivals) {
    if (arrival.until === undefined && isMeant(arrival)) arrival.until = request
  }
}

function store(rule: OpenRule, outcome: "stored" | "retry"): void {
  if (outcome === "retry") rule.retries += 1
  else {
    // What was in the memory of an earlier process has not become history.
    for (const arrival of rule.arrivals)
      if (arrival.lifetime === "durable" && arrival.until === undefined) arrival.isStored = true
  }
}
