import { FAMILIES } from "../families/table.ts"
import { isRecord } from "../record.ts"
import { type Change, RECEIPT_VERSION, type Receipt } from "./format.ts"
import { REASONS, type Reason } from "./reasons.ts"

/** The receipts of one file, and how many of its lines are none: torn, of another version or of an unknown kind. */
export interface ParsedReceipts {
  readonly receipts: readonly Receipt[]
  readonly skipped: number
}

/** Reads a file's text line by line. Never throws. */
export function parseReceipts(text: string): ParsedReceipts {
  const receipts: Receipt[] = []
  let skipped = 0
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue
    const receipt = parseReceipt(line)
    if (receipt) receipts.push(receipt)
    else skipped += 1
  }
  return { receipts, skipped }
}

/** The receipt in one line, or undefined. */
export function parseReceipt(line: string): Receipt | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  return isReceipt(value) ? value : undefined
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === "string"
const isBoolean: Check = (value) => typeof value === "boolean"
const isNumber: Check = (value) => typeof value === "number"
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0
const isFamily: Check = (value) => typeof value === "string" && Object.hasOwn(FAMILIES, value)
const isReason = oneOf(...(Object.keys(REASONS) as Reason[]))

const isMatchedBy: Check = (value) => {
  if (!isRecord(value)) return false
  switch (value["kind"]) {
    case "always":
      return true
    case "hook":
      return isText(value["tool"])
    case "condition":
      return isFamily(value["family"]) && optional(isText)(value["seen"])
    default:
      return false
  }
}

/** What each kind has beside its name. */
export const RECEIPT_FIELDS: Readonly<Record<Change["kind"], Readonly<Record<string, Check>>>> = {
  session: {
    begins: isBoolean,
    sessionID: isText,
    directory: isText,
    host: isText,
    plugin: isText,
    rules: listOf(
      record({
        id: isText,
        name: isText,
        digest: isText,
        lifetime: oneOf("durable", "transient"),
        activation: oneOf("always", "conditions", "hooks", "onRequest"),
      }),
    ),
    broken: listOf(isText),
  },
  request: {
    agent: optional(isText),
    model: optional(isText),
    prompted: isBoolean,
    did: listOf(record({ tool: isText, paths: listOf(isText), stopped: optional((value) => value === true) })),
    tokens: isCount,
  },
  matched: { rule: isText, by: listOf(isMatchedBy) },
  found: { rules: listOf(isText) },
  delivered: { rule: isText, how: oneOf("stored", "request"), reason: isReason, count: isCount, tokens: isCount },
  transient: { rule: isText, isOn: isBoolean, reason: isReason, tokens: isCount },
  hook: { rule: isText, on: oneOf("PreToolUse", "PostToolUse"), tool: isText },
  stopped: {
    rule: isText,
    reason: oneOf("blocked", "held", "refused"),
    tool: isText,
    paths: listOf(isText),
    literal: optional(isCount),
    line: optional(isCount),
  },
  store: { rules: listOf(isText), outcome: oneOf("stored", "retry") },
  gone: { rule: isText, reason: oneOf("compacted", "reverted") },
  forbidden: { rule: isText, path: isText, line: optional(isCount), literal: isCount },
  followed: { rule: isText, path: isText },
  verdicts: {
    rules: (value) =>
      isRecord(value) &&
      Object.values(value).every(listOf(record({ family: isFamily, met: isBoolean, seen: optional(isText) }))),
  },
  full: {},
}

const KINDS = Object.fromEntries(Object.entries(RECEIPT_FIELDS).map(([kind, fields]) => [kind, record(fields)]))

/** Checks the form that `format.ts` declares. Further fields are ignored. */
export function isReceipt(value: unknown): value is Receipt {
  if (!isRecord(value) || value["v"] !== RECEIPT_VERSION) return false
  const { at, request, kind } = value
  if (!isNumber(at) || !isCount(request) || typeof kind !== "string") return false
  return Object.hasOwn(KINDS, kind) && KINDS[kind]?.(value) === true
}

function record(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields)
  return (value) => isRecord(value) && checks.every(([key, check]) => check(value[key]))
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

/** JSON has no undefined: what is absent. */
function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}

function oneOf(...texts: readonly string[]): Check {
  const known: ReadonlySet<unknown> = new Set(texts)
  return (value) => known.has(value)
}
