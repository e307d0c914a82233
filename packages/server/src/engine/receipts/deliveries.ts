import type { CompiledRule, Reason, RuleId } from "@opencode-rulebook/rule-schema"
import type { Placement } from "../delivery/ledger.ts"
import type { VisibleHistory } from "../port.ts"

/** A durable rule in the requests of a session. */
export interface Delivered {
  /** Which delivery of it this is, from 1. */
  readonly count: number
  /** The number of the request that carried it first; 0 when it was in the conversation before this process began. */
  readonly request: number
  /** Ids of the messages that hold its text, or that it stands behind. */
  readonly messages: readonly string[]
}

/** What is new of a durable rule in a request. */
export type DeliveryNews =
  /** It was in the conversation before this process began. */
  | { readonly kind: "found"; readonly rule: CompiledRule }
  | { readonly kind: "first"; readonly rule: CompiledRule; readonly how: How; readonly count: number }
  /** What carried it is not in the request any more, and something else is. */
  | {
      readonly kind: "again"
      readonly rule: CompiledRule
      readonly how: How
      readonly count: number
      readonly reason: Extract<Reason, "compacted" | "reverted">
    }

type How = "stored" | "request"

/** The rules that requests have carried so far. */
export interface Deliveries {
  readonly known: ReadonlyMap<RuleId, Delivered>
  /** The host took something back. */
  reverted(): void
  /** Takes in what a request carries of the durable rules, and returns what is new. */
  note(request: CarryingRequest): readonly DeliveryNews[]
}

export interface CarryingRequest {
  readonly number: number
  readonly durable: readonly CompiledRule[]
  readonly history: VisibleHistory
  readonly placements: readonly Placement[]
  /** Rules that this process has handed to the host. */
  readonly attempted: ReadonlySet<RuleId>
}

export function createDeliveries(): Deliveries {
  const known = new Map<RuleId, Delivered>()
  /** The messages of the request before. */
  let before: readonly string[] = []
  let isReverted = false

  /** An undo takes the end of a conversation; what stands before it stays. A compaction takes the beginning. */
  function whyGone({ messages }: Delivered, now: readonly string[]): "compacted" | "reverted" {
    const at = before.findIndex((id) => messages.includes(id))
    // The first message can be one of the host's own, which is always there.
    const older = new Set(before.slice(1, Math.max(at, 1)))
    return isReverted || now.some((id) => older.has(id)) ? "reverted" : "compacted"
  }

  return {
    known,
    reverted() {
      isReverted = true
    },
    note({ number, durable, history, placements, attempted }) {
      const carriers = carriersOf(history, placements)
      const news = durable.flatMap((rule): readonly DeliveryNews[] => {
        const carrier = carriers.get(rule.id)
        if (carrier === undefined) return []
        const { stored, placed } = carrier
        const messages = [...stored, ...placed]
        const how = stored.length > 0 ? "stored" : "request"
        const last = known.get(rule.id)
        if (last === undefined) {
          const isFound = placed.length === 0 && !attempted.has(rule.id)
          known.set(rule.id, { count: 1, request: isFound ? 0 : number, messages })
          return [isFound ? { kind: "found", rule } : { kind: "first", rule, how, count: 1 }]
        }
        if (last.messages.some((id) => messages.includes(id))) {
          known.set(rule.id, { ...last, messages })
          return []
        }
        const count = last.count + 1
        known.set(rule.id, { count, request: number, messages })
        return [{ kind: "again", rule, how, count, reason: whyGone(last, history.messages) }]
      })
      before = [...history.messages]
      isReverted = false
      return news
    },
  }
}

interface Carrier {
  readonly stored: string[]
  readonly placed: string[]
}

function carriersOf(history: VisibleHistory, placements: readonly Placement[]): ReadonlyMap<RuleId, Carrier> {
  const carriers = new Map<RuleId, Carrier>()
  function of(rule: RuleId): Carrier {
    const carrier = carriers.get(rule) ?? { stored: [], placed: [] }
    carriers.set(rule, carrier)
    return carrier
  }
  for (const { messageID, rules } of history.deliveries) for (const rule of rules) of(rule).stored.push(messageID)
  for (const { after, rules } of placements) for (const rule of rules) of(rule).placed.push(after)
  return carriers
}
