import { createHash } from "node:crypto"
import type { CompiledRule } from "../rule.ts"
import type { MatchedRuleState } from "./format.ts"

type RuleVersion = Pick<CompiledRule, "id" | "digest">

/** Characters for each rule, 24 bits: enough to tell a rule from thousands of others, in a file that is read to show it. */
const MARK_LENGTH = 4

/** Which rules a session began with, each by its identity and text, in four characters each. Most of them it never matches. */
export function snapshotOf(rules: readonly RuleVersion[]): string {
  return rules.map(markOf).join("")
}

/** A rule on disk, compared with a session's snapshot: as it was, with another text, or not known there as it is. */
export type SnapshotVerdict = "same" | "edited" | "unknown"

/** Makes the function that tells it for one state. */
export function createSnapshotReader({
  rules,
  snapshot = "",
}: MatchedRuleState): (rule: RuleVersion) => SnapshotVerdict {
  const digests = new Map(rules.map(({ id, digest }) => [id, digest]))
  const marks = new Set(snapshot.match(/.{4}/gs))
  return (rule) => {
    const digest = digests.get(rule.id)
    if (digest !== undefined) return digest === rule.digest ? "same" : "edited"
    return marks.has(markOf(rule)) ? "same" : "unknown"
  }
}

function markOf({ id, digest }: RuleVersion): string {
  return createHash("sha1").update(`${digest} ${id}`).digest("base64").slice(0, MARK_LENGTH)
}
