import { createHash } from "node:crypto"
import type { RuleId } from "@opencode-rulebook/rule-schema"
import { type Again, againId, deliveryOfId } from "../../engine/again.ts"

/**
 * Message ids that say which rules their message delivers: a dispatch on OpenCode v2 shows a stored message's id and text
 * but not its metadata (measured). After the host's own prefix and time come this plugin's name and a mark for each rule,
 * so that an id for one rule has the length of the host's.
 */
const OWN_ID = /^msg_[0-9a-f]{12}rulebook((?:[0-9A-Za-z]{6})*)$/
const MARK_LENGTH = 6
const EACH_MARK = /[0-9A-Za-z]{6}/g

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
 * Makes the reader of the rules that a message of this plugin delivers; it answers undefined for an id that is not ours. A rule that was
 * delivered again is found by the mark of its first delivery.
 *
 * @param known the rules that can be meant; a mark of any other is ignored.
 */
export function createIDReader(known: readonly RuleId[]): (id: string) => RuleId[] | undefined {
  let byNumber: ReadonlyMap<number, RuleId> | undefined
  return (id) => {
    const marks = OWN_ID.exec(id)?.[1]
    if (marks === undefined) return undefined
    const rules = byNumber ?? new Map(known.map((rule) => [numberOf({ rule, count: 1 }), rule]))
    byNumber = rules
    return (marks.match(EACH_MARK) ?? []).flatMap((mark) => ruleOfNumber(numberOfMark(mark), rules) ?? [])
  }
}

/** More deliveries of one rule than a history that is shown can hold. */
const MOST_DELIVERIES = 10_000

function ruleOfNumber(number: number, rules: ReadonlyMap<number, RuleId>): RuleId | undefined {
  const own = rules.get(number)
  if (own !== undefined) return own
  for (let count = 2; count <= MOST_DELIVERIES; count += 1) {
    const rule = rules.get((number - (count - 1) * STEP + count * NUMBERS) % NUMBERS)
    if (rule !== undefined) return againId({ rule, count })
  }
  return undefined
}

/** All numbers that a mark can stand for. */
const NUMBERS = DIGITS.length ** MARK_LENGTH
/** From one delivery of a rule to the next. It has no factor with them in common, so that no two deliveries share a number. */
const STEP = 982_451_653

/** Stands for a rule's identity: some 35 bits of its digest, so that two rules of one rulebook don't share a mark. */
function numberOf({ rule, count }: Again): number {
  const digest = createHash("sha256").update(rule).digest().readUIntBE(0, 6)
  return ((digest % NUMBERS) + (count - 1) * STEP) % NUMBERS
}

function markOf(id: RuleId): string {
  let rest = numberOf(deliveryOfId(id))
  let mark = ""
  while (mark.length < MARK_LENGTH) {
    mark += DIGITS.charAt(rest % DIGITS.length)
    rest = Math.floor(rest / DIGITS.length)
  }
  return mark
}

function numberOfMark(mark: string): number {
  return [...mark].reduceRight((number, digit) => number * DIGITS.length + DIGITS.indexOf(digit), 0)
}
