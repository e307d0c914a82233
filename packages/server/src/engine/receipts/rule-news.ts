import {
  type CompiledRule,
  type ReceiptRule,
  type RuleId,
  ruleLifetime,
  type SessionChange,
} from "@opencode-rulebook/rule-schema"

/** Remembers which of a session's rules are noted. Rules that were there before keep their places. */
export interface RuleNews {
  /** What is new: the first time, that the session begins, whatever it has. */
  take(rules: readonly CompiledRule[], broken: readonly RuleId[]): readonly SessionChange[]
}

/** @param session what each change says of the session. */
export function createRuleNews(session: Pick<SessionChange, "sessionID" | "directory" | "host" | "plugin">): RuleNews {
  let noted: { readonly rules: number; readonly broken: number } | undefined
  return {
    take(rules, broken) {
      const before = noted
      if (before?.rules === rules.length && before.broken === broken.length) return []
      noted = { rules: rules.length, broken: broken.length }
      return [
        {
          kind: "session",
          begins: before === undefined,
          ...session,
          broken: broken.slice(before?.broken),
          rules: rules.slice(before?.rules).map(described),
        },
      ]
    },
  }
}

/** 48 bits tell two versions of a rule apart. */
const DIGEST_LENGTH = 12

function described(rule: CompiledRule): ReceiptRule {
  const { id, name, digest, activation } = rule
  return { id, name, digest: digest.slice(0, DIGEST_LENGTH), lifetime: ruleLifetime(rule), activation }
}
