import type { Facts, MatchedRuleState } from "@opencode-rulebook/rule-schema"
import type { Session } from "./session.ts"

/** Rules that the state names at most: it is a small file, and the sidebar folds long lists. */
const MOST = 50

/**
 * Notes which conditions of unmatched `match: all` rules a dispatch meets, for the next publication. To be called when the dispatch's
 * rules have been matched. Evaluates those rules only, and again only when a fact has changed.
 */
export function notePartlyMet(session: Session, facts: Facts): void {
  const { rulesNeedingAll, evaluated, partlyMet: before } = session
  const { branch, tools } = facts
  // The first stands for all facts that durable rules are compared with; the operating system and CI never change.
  const isSame = before?.evaluated === evaluated && before?.branch === branch && before?.tools === tools
  if (isSame) return
  const rules = rulesNeedingAll
    .filter(({ id }) => !session.matched.has(id))
    .map(({ id, conditions }) => ({ id, of: conditions.length, met: conditions.filter((one) => one.isMet(facts, id)) }))
    .filter(({ of, met }) => met.length > 0 && met.length < of)
    .map(({ id, met }) => ({ id, met: met.map(({ family }) => family) }))
    .slice(0, MOST)
  if (JSON.stringify(rules) !== JSON.stringify(before?.rules ?? [])) session.published = undefined
  session.partlyMet = { evaluated, branch, tools, rules }
}

/** What the state says of them: a rule can have been matched since the dispatch, or by a hook. Nothing when there are none. */
export function publishedPartlyMet(
  { partlyMet }: Session,
  statuses: ReadonlyMap<string, unknown>,
): Pick<MatchedRuleState, "partlyMet"> {
  const rules = (partlyMet?.rules ?? []).filter(({ id }) => !statuses.has(id))
  return rules.length > 0 ? { partlyMet: rules } : {}
}
