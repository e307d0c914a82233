import { createHash } from "node:crypto"
import { isRecord } from "../record.ts"
import type { stateSchema } from "./schema.ts"

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
  if (["at", "blocked"].some((key) => Object.hasOwn(value, key) && !isNumber(value[key]))) return false
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
  return typeof value === "number" && !Number.isNaN(value)
}

/** A file name that any session id is safe in. Ids with other than letters, digits, `_` and `-` are told apart by a digest. */
export function stateFileName(sessionID: string): string {
  // Windows keeps the names of its devices for itself, whatever their ending; the others are shorter.
  if (/^(?!(?:com|lpt)\d$)[a-z0-9][\w-]{3,99}$/i.test(sessionID)) return `${sessionID}.json`
  const readable = sessionID.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)
  return `x-${readable}-${createHash("sha256").update(sessionID).digest("hex").slice(0, 16)}.json`
}

/** Is this one of our files: a state, or one that was being written? */
export function isStateFile(name: string): "state" | "temporary" | undefined {
  if (/^[A-Za-z0-9][\w-]*\.json$/.test(name)) return "state"
  return /^\.[A-Za-z0-9][\w-]*\.json\.[0-9a-f-]+\.tmp$/.test(name) ? "temporary" : undefined
}
