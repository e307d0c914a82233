import type { RuleId } from "@opencode-rulebook/rule-schema"
import type { DispatchEdits, VisibleHistory } from "../../engine/port.ts"
import type { V2Message } from "./host.ts"
import { rulesOfID } from "./ids.ts"

/** The deliveries in messages whose id is not the plugin's any more, as in a fork: by message id. */
export type KnownDeliveries = ReadonlyMap<string, readonly RuleId[]>

/** An admission stands where it was promoted: none is moved. */
type Edits = Omit<DispatchEdits, "moves">

/** A message and the results of its calls, which have no id (measured). */
interface Group {
  /** Absent for a `system` message between the others, and for one that another plugin made for this dispatch. */
  readonly id: string | undefined
  readonly members: readonly V2Message[]
}

/** Names the first message if it has no id. */
const HEAD = "head"

/**
 * What a dispatch shows, as the engine wants to know it.
 *
 * @param rules the session's rules, which messages may deliver.
 * @param known what is known of messages that don't say it by their id.
 */
export function visibleHistory(
  messages: readonly V2Message[],
  rules: readonly RuleId[],
  known: KnownDeliveries = new Map(),
): VisibleHistory {
  const ids = groupsOf(messages).flatMap(({ id }) => id ?? [])
  const own = new Set(rules)
  return {
    messages: ids,
    deliveries: ids.flatMap((messageID) => {
      const delivered = rulesOfID(messageID, rules) ?? known.get(messageID)?.filter((rule) => own.has(rule))
      return delivered ? [{ messageID, part: 0, rules: delivered }] : []
    }),
  }
}

/**
 * Carries out a dispatch's edits on the host's list of messages, in place: the host sends that very list. The messages
 * themselves are replaced, never changed.
 */
export function applyEdits(messages: V2Message[], edits: Edits): void {
  const edited = groupsOf(messages).flatMap((group) => [...rewritten(group, edits), ...insertedAfter(group, edits)])
  messages.splice(0, messages.length, ...edited)
}

function groupsOf(messages: readonly V2Message[]): Group[] {
  const groups: { id: string | undefined; members: V2Message[] }[] = []
  for (const message of messages) {
    const open = groups.at(-1)
    if (open && message.id === undefined && message.role === "tool") open.members.push(message)
    else groups.push({ id: message.id ?? (open ? undefined : HEAD), members: [message] })
  }
  return groups
}

function rewritten({ id, members }: Group, edits: Edits): readonly V2Message[] {
  const rewrite = edits.rewrites.find(({ messageID }) => messageID === id)
  const [own, ...results] = members
  if (!rewrite || !own) return members
  return rewrite.text === undefined ? results : [{ ...own, content: textContent(rewrite.text) }, ...results]
}

/** Messages that exist in this dispatch only. */
function insertedAfter({ id }: Group, edits: Edits): V2Message[] {
  return edits.insertions
    .filter(({ after }) => after === id)
    .map(({ text }) => ({ role: "user", content: textContent(text) }))
}

function textContent(text: string) {
  return [{ type: "text", text }]
}
