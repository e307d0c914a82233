import type { CompiledRule, Reason, RuleId } from "@opencode-rulebook/rule-schema"
import { deliveryOfId, type Further } from "../again.ts"
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
  /** A further delivery, beside the one that is there. */
  | ({ readonly kind: "further"; readonly how: How } & Pick<Further, "rule" | "of" | "count" | "reason">)

type How = "stored" | "request"

/** The rules that requests have carried so far. */
export interface Deliveries {
  readonly known: ReadonlyMap<RuleId, Delivered>
  /** How often a rule has been delivered, further deliveries included. */
  countOf(rule: RuleId): number
  /** The host took something back. */
  reverted(): void
  /** Takes in what a request carries of the durable rules, and returns what is new. */
  note(request: CarryingRequest): readonly DeliveryNews[]
}

export interface CarryingRequest {
  readonly number: number
  readonly durable: readonly CompiledRule[]
  /** What is delivered beside them, as it was before the request. */
  readonly further: readonly Further[]
  readonly history: VisibleHistory
  readonly placements: readonly Placement[]
  /** Rules that this process has handed to the host. */
  readonly attempted: ReadonlySet<RuleId>
}

export function createDeliveries(): Deliveries {
  const known = new Map<RuleId, Delivered>()
  /** Of rules that were delivered further. */
  const counts = new Map<RuleId, number>()
  /** The messages of the request before. */
  let before: readonly string[] = []
  let isReverted = false

  /** An undo takes the end of a conversation; what stands before it stays. A compaction takes the beginning. */
  function whyGone({ messages }: Delivered, now: readonly string[]): "compacted" | "reverted" {
    const at = before.findIndex((id) => messages.includes(id))
    // The first message can be one of the host's own, which is always there.
    const older = new Set(before.slice(1, at))
    return isReverted || now.some((id) => older.has(id)) ? "reverted" : "compacted"
  }

  function countOf(rule: RuleId): number {
    return Math.max(known.get(rule)?.count ?? 0, counts.get(rule) ?? 0)
  }

  /**
   * The newest delivery of a rule is the one that counts.
   *
   * @param request the one that carried it first; left out where that is not known.
   */
  function count(rule: RuleId, times: number, request?: number): void {
    if (times <= countOf(rule)) return
    counts.set(rule, times)
    const last = known.get(rule)
    if (last) known.set(rule, { ...last, count: times, request: request ?? last.request })
  }

  return {
    known,
    countOf,
    reverted() {
      isReverted = true
    },
    note({ number, durable, further, history, placements, attempted }) {
      const carriers = carriersOf(history, placements)
      const own = new Set(further.map(({ rule }) => rule.id))
      // Of a process before this one.
      for (const id of carriers.keys()) {
        const { rule, count: times } = deliveryOfId(id)
        if (times > 1 && !own.has(id)) count(rule, times)
      }
      const news = durable.flatMap((rule): readonly DeliveryNews[] => {
        const carrier = carriers.get(rule.id)
        if (carrier === undefined) return []
        const { stored, placed } = carrier
        const messages = [...stored, ...placed]
        const how = stored.length > 0 ? "stored" : "request"
        const last = known.get(rule.id)
        if (last === undefined) {
          const isFound = placed.length === 0 && !attempted.has(rule.id)
          const times = isFound ? Math.max(countOf(rule.id), 1) : countOf(rule.id) + 1
          known.set(rule.id, { count: times, request: isFound ? 0 : number, messages })
          return [isFound ? { kind: "found", rule } : { kind: "first", rule, how, count: times }]
        }
        if (last.messages.some((id) => messages.includes(id))) {
          known.set(rule.id, { ...last, messages })
          return []
        }
        const times = countOf(rule.id) + 1
        known.set(rule.id, { count: times, request: number, messages })
        return [{ kind: "again", rule, how, count: times, reason: whyGone(last, history.messages) }]
      })
      const more = further.flatMap((one): readonly DeliveryNews[] => {
        const carrier = carriers.get(one.rule.id)
        if (one.isSeen || carrier === undefined) return []
        count(one.of.id, one.count, number)
        const { rule, of, reason } = one
        const how = carrier.stored.length > 0 ? "stored" : "request"
        return [{ kind: "further", rule, of, count: one.count, reason, how }]
      })
      before = [...history.messages]
      isReverted = false
      return [...news, ...more]
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
