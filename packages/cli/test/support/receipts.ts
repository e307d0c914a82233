import {
  type Change,
  RECEIPT_VERSION,
  type Receipt,
  type ReceiptRule,
  type RequestChange,
  type RuleId,
} from "@opencode-rulebook/rule-schema"

/** Writes one session's receipts as the plugin would, for tests. */
export interface SessionScript {
  readonly id: string
  readonly receipts: readonly Receipt[]
  /** A process begins: requests are numbered from 1 again. */
  begin(rules?: readonly ReceiptRule[], broken?: readonly string[]): SessionScript
  request(request?: Partial<Omit<RequestChange, "kind">>): SessionScript
  add(...changes: readonly Change[]): SessionScript
}

export interface ScriptOptions {
  readonly id?: string
  readonly directory?: string
  /** In milliseconds since 1970. */
  readonly at?: number
  /** How much later each line is than the one before, in milliseconds. */
  readonly every?: number
}

/** 2026-11-30 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 30, 12)

export function script({
  id = "ses_1",
  directory = "/home/dev/app",
  at = NOON,
  every = 1000,
}: ScriptOptions = {}): SessionScript {
  const receipts: Receipt[] = []
  let request = 0
  const self: SessionScript = {
    id,
    receipts,
    begin(rules = [], broken = []) {
      request = 0
      const session = {
        kind: "session",
        begins: true,
        sessionID: id,
        directory,
        host: "OpenCode 1",
        plugin: "0.1.0",
      } as const
      return self.add({ ...session, rules, broken: broken.map(ruleId) })
    },
    request({ prompted = false, did = [], tokens = 0, ...names } = {}) {
      request += 1
      return self.add({ kind: "request", agent: "build", model: "anthropic/claude", ...names, prompted, did, tokens })
    },
    add(...changes) {
      for (const change of changes) {
        receipts.push({ v: RECEIPT_VERSION, at: at + receipts.length * every, request, ...change })
      }
      return self
    },
  }
  return self
}

export function ruleId(path: string): RuleId {
  return (path.includes(":") ? path : `project:${path}`) as RuleId
}

/** A rule of a session, by its path in the rules folder. */
export function receiptRule(path: string, rule: Partial<Omit<ReceiptRule, "id">> = {}): ReceiptRule {
  const name = path.replace(/\.md$/, "")
  return { id: ruleId(path), name, digest: "0000", lifetime: "durable", activation: "conditions", ...rule }
}

/** Matched by a condition. */
export function matched(path: string, family: "file" | "keywords" | "agent" = "file", seen?: string): Change {
  return {
    kind: "matched",
    rule: ruleId(path),
    by: [{ kind: "condition", family, ...(seen !== undefined && { seen }) }],
  }
}

/** Carried for the first time, or again. */
export function delivered(
  path: string,
  rest: Partial<Omit<Extract<Change, { kind: "delivered" }>, "kind" | "rule">> = {},
): Change {
  return { kind: "delivered", rule: ruleId(path), how: "stored", reason: "matched", count: 1, tokens: 100, ...rest }
}
