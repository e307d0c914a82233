import { isRecord } from "../record.ts"
import type { stateSchema } from "./schema.ts"
import { sessionFileName } from "./session-file.ts"

type State = typeof stateSchema.infer

/** What the sidebar reads of one session. */
export type MatchedRuleState = Readonly<
  Omit<State, "rules" | "partlyMet" | "rulesOf" | "packs" | "nested" | "notices">
> & {
  readonly rules: readonly Readonly<State["rules"][number]>[]
  readonly partlyMet?: readonly PartlyMet[]
  readonly rulesOf?: readonly string[]
  readonly packs?: readonly string[]
  readonly nested?: readonly string[]
  readonly notices?: readonly string[]
}

/** An unmatched rule with `match: all`, by its identity, and the condition families that are met. */
export interface PartlyMet {
  readonly id: string
  readonly met: readonly string[]
}

export type RuleStatus = State["rules"][number]["status"]

const RULE_NUMBERS = ["at", "blocked", "tokens", "request", "count"]
const TEXT_LISTS = ["rulesOf", "packs", "nested", "notices"]
const STATUSES: ReadonlySet<unknown> = new Set<RuleStatus>(["unmatched", "pending", "delivered", "transient"])

/** The state in a file's text, or undefined: half-written, foreign, of another version. */
export function parseState(text: string): MatchedRuleState | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isState(value) ? value : undefined
}

/** The check of the schema, by hand. */
export function isState(value: unknown): value is MatchedRuleState {
  if (!isRecord(value) || (value["version"] !== 1 && value["version"] !== 2)) return false
  const { sessionID, directory, updatedAt, rules } = value
  if (typeof sessionID !== "string" || typeof directory !== "string" || !isNumber(updatedAt)) return false
  if (Object.hasOwn(value, "projectCommands") && typeof value["projectCommands"] !== "boolean") return false
  if (Object.hasOwn(value, "snapshot") && typeof value["snapshot"] !== "string") return false
  if (Object.hasOwn(value, "partlyMet") && !isPartlyMet(value["partlyMet"])) return false
  if (TEXT_LISTS.some((key) => Object.hasOwn(value, key) && !isTexts(value[key]))) return false
  return Array.isArray(rules) && rules.every(isRuleState)
}

function isRuleState(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (Object.hasOwn(value, "by") && typeof value["by"] !== "string") return false
  if (RULE_NUMBERS.some((key) => Object.hasOwn(value, key) && !isNumber(value[key]))) return false
  return typeof value["id"] === "string" && typeof value["digest"] === "string" && STATUSES.has(value["status"])
}

function isPartlyMet(value: unknown): boolean {
  const isOne = (entry: unknown) => isRecord(entry) && typeof entry["id"] === "string" && isTexts(entry["met"])
  return Array.isArray(value) && value.every(isOne)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string")
}

function isNumber(value: unknown): boolean {
  return typeof value === "number"
}

/** The file's name for a session. */
export function stateFileName(sessionID: string): string {
  return sessionFileName(sessionID, ".json")
}

/** Is this one of our files: a state, or one that was being written? */
export function stateFileKind(name: string): "session" | "temporary" | undefined {
  if (/^[A-Za-z0-9][\w-]*\.json$/.test(name)) return "session"
  return /^\.[A-Za-z0-9][\w-]*\.json\.[0-9a-f-]+\.tmp$/.test(name) ? "temporary" : undefined
}
