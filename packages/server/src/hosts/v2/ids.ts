import { createHash } from "node:crypto"
import type { RuleId } from "@opencode-rulebook/rule-schema"

/**
 * Message ids that say which rules their message delivers: a dispatch on OpenCode v2 shows a stored message's id and text
 * but not its metadata (measured). After the host's own prefix and time come this plugin's name and a mark for each rule,
 * so that an id for one rule has the length of the host's.
 */
const OWN_ID = /^msg_[0-9a-f]{12}rulebook((?:[0-9A-Za-z]{6})*)$/
const MARK_LENGTH = 6

/** The longest id that the message API takes, in characters (the stable line). */
const LONGEST = 100
const WITHOUT_MARKS = "msg_".length + 12 + "rulebook".length

/** How many rules one message can deliver: what its id has room for. */
export const MOST_RULES = Math.floor((LONGEST - WITHOUT_MARKS) / MARK_LENGTH)

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/**
 * Makes the ids, each newer than the one before. They begin as the host's do: milliseconds times 4096, the low 48 bits.
 *
 * @param now the time in milliseconds.
 */
export function createMessageIDs(now: () => number): (rules: readonly RuleId[]) => string {
  let latest = 0n
  return (rules) => {
    const time = BigInt(now()) * 4096n
    latest = time > latest ? time : latest + 1n
    const stamp = BigInt.asUintN(48, latest).toString(16).padStart(12, "0")
    return `msg_${stamp}rulebook${rules.map(markOf).join("")}`
  }
}

export function isOwnID(id: string | undefined): boolean {
  return id !== undefined && OWN_ID.test(id)
}

/**
 * The rules that a message of this plugin delivers; undefined when it is not ours.
 *
 * @param known the rules that can be meant; a mark of any other is ignored.
 */
export function rulesOfID(id: string, known: readonly RuleId[]): RuleId[] | undefined {
  const marks = OWN_ID.exec(id)?.[1]
  if (marks === undefined) return undefined
  const byMark = new Map(known.map((rule) => [markOf(rule), rule]))
  const count = marks.length / MARK_LENGTH
  return Array.from({ length: count }, (_, index) =>
    byMark.get(marks.slice(index * MARK_LENGTH, (index + 1) * MARK_LENGTH)),
  ).filter((rule) => rule !== undefined)
}

/** Stands for a rule's identity: some 35 bits of its digest, so that two rules of one rulebook don't share a mark. */
function markOf(rule: RuleId): string {
  let rest = createHash("sha256").update(rule).digest().readUIntBE(0, 6)
  let mark = ""
  while (mark.length < MARK_LENGTH) {
    mark += DIGITS.charAt(rest % DIGITS.length)
    rest = Math.floor(rest / DIGITS.length)
  }
  return mark
}
