import { argumentsJson, type RuleId } from "@opencode-rulebook/rule-schema"
import { deliveryOfId } from "../../engine/again.ts"
import type { DispatchEdits, VisibleHistory } from "../../engine/port.ts"
import type { MessageTokens } from "../shared/message-tokens.ts"
import { field, text } from "../shared/untyped.ts"
import type { V2Message } from "./host.ts"
import { createIDReader, isOwnID } from "./ids.ts"
import { shownText } from "./read.ts"

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
 * @param tokens estimates the messages; without it they have no sizes.
 */
export function visibleHistory(
  messages: readonly V2Message[],
  rules: readonly RuleId[],
  known: KnownDeliveries = new Map(),
  tokens?: MessageTokens,
): VisibleHistory {
  const named = groupsOf(messages).flatMap(({ id, members }) => (id === undefined ? [] : [{ id, members }]))
  const ids = named.map(({ id }) => id)
  const own = new Set(rules)
  const rulesOf = createIDReader(rules)
  return {
    messages: ids,
    tokensOf: tokens && ((index) => tokensOf(named[index], tokens)),
    deliveries: ids.flatMap((messageID) => {
      const delivered = rulesOf(messageID) ?? known.get(messageID)?.filter((id) => own.has(deliveryOfId(id).rule))
      return delivered ? [{ messageID, part: 0, rules: delivered }] : []
    }),
  }
}

/** A message as it is shown stays so, but for the results that come behind it. Rules do not count. */
function tokensOf(group: (Group & { readonly id: string }) | undefined, tokens: MessageTokens): number {
  if (group === undefined || isOwnID(group.id)) return 0
  const { id, members } = group
  const textOf = (part: unknown) => {
    if (typeof part === "string") return part
    const own = text(part, "text") ?? shownText(field(part, "result"))
    return own ?? [text(part, "name") ?? "", argumentsJson(field(part, "input") ?? part)].join(" ")
  }
  return tokens.tokensOf(id, members.length, () =>
    members.flatMap(({ content }) => [content].flat().map(textOf)).join("\n"),
  )
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
