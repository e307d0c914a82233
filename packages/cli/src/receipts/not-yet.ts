import { type CompiledRule, describeHooks, type FamilyName, REASONS } from "@opencode-rulebook/rule-schema"
import { isThere, newestRequest, type RuleHistory, type SessionHistory } from "./history.ts"

/** A rule that the newest request does not carry, and why. */
export interface NotYet {
  readonly rule: RuleHistory
  readonly why: string
  /** Empty where no condition has been looked at. */
  readonly conditions: readonly ConditionSeen[]
  /** Its hooks, one line each, as the file on disk has them; empty where that is another text than the session's. */
  readonly hooks: readonly string[]
  /** Whether the file on disk is the one that the session has; undefined: there is no such file. */
  readonly isCurrent: boolean | undefined
}

/** A condition, and the newest verdict of it. */
export interface ConditionSeen {
  readonly family: FamilyName
  readonly met: boolean
  /** What the fact was; undefined where it is not one name, and for prompts. */
  readonly seen: string | undefined
  /** What the rule asks for; undefined where the file on disk is another text than the session's. */
  readonly declared: string | undefined
}

/** The session's rules that its newest request does not carry, in their order. */
export function notYet(history: SessionHistory, onDisk: ReadonlyMap<string, CompiledRule>): readonly NotYet[] {
  const newest = newestRequest(history)
  const missing = Array.from(history.rules.values()).filter((rule) => !isThere(rule, newest))
  return missing.map((rule) => {
    const file = onDisk.get(rule.id)
    const isCurrent = file && isSameText(rule, file)
    const same = isCurrent ? file : undefined
    return {
      rule,
      why: whyNot(rule, same),
      conditions: conditionsOf(rule, same),
      hooks: same ? describeHooks(same) : [],
      isCurrent,
    }
  })
}

/** Receipts have the first characters of a digest. */
function isSameText({ digest }: RuleHistory, file: CompiledRule): boolean {
  return digest !== "" && file.digest.startsWith(digest)
}

function conditionsOf({ verdicts = [] }: RuleHistory, file: CompiledRule | undefined): readonly ConditionSeen[] {
  const declared = new Map(file?.conditions.map(({ family, summary }) => [family, summary]))
  return verdicts.map(({ family, met, seen }) => ({ family, met, seen, declared: declared.get(family) }))
}

function whyNot(rule: RuleHistory, file: CompiledRule | undefined): string {
  const last = rule.arrivals.at(-1)
  if (last?.until !== undefined)
    return last.leftBy ? `${last.leftBy}: ${REASONS[last.leftBy]}` : "it left with the process that ended"
  if (rule.matchedAfter !== undefined) return "it has matched, and comes with the next request"
  switch (rule.activation) {
    case "always":
      return "it comes with the first request"
    case "hooks":
      return "no call has fired one of its hooks"
    case "onRequest":
      return "on request: the index names it, and the model reads it if it needs it"
    case "conditions":
      if (rule.verdicts === undefined) return "its conditions have not been looked at yet"
      return file?.match === "all" || rule.verdicts.some(({ met }) => met)
        ? "not all of its conditions are met"
        : "none of its conditions is met"
    default:
      return rule.activation satisfies never
  }
}
