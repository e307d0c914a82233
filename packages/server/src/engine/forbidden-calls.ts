import {
  type CompiledRule,
  type Facts,
  type Lifetime,
  matchLifetime,
  ruleLifetime,
} from "@opencode-rulebook/rule-schema"
import type { FileWrite } from "./file-write.ts"
import type { AddedLiteral, Judgement } from "./forbid.ts"
import { dispatchFacts, type FactSources } from "./gather-facts.ts"
import type { Session } from "./session.ts"
import { literalsInWords, shownPath } from "./stop-message.ts"

/** A judgement of a rule that applies, and with what lifetime. */
export interface ApplyingJudgement extends Judgement {
  readonly lifetime: Lifetime
}

/** What a call that is about to run would add of what rules with `hold` forbid. */
export async function findRefusals(
  session: Session,
  writes: readonly FileWrite[],
  sources: FactSources,
): Promise<readonly ApplyingJudgement[]> {
  const broken = session.forbidden.broken(writes).filter(({ rule }) => rule.hold)
  return applying(session, broken, sources)
}

/** What a call that ended well comes to for the rules that forbid something in its files. */
export async function judgeWrites(
  session: Session,
  writes: readonly FileWrite[],
  sources: FactSources,
): Promise<readonly ApplyingJudgement[]> {
  return applying(session, session.forbidden.wrote(writes), sources)
}

/** The judgements of rules that apply to their file: its other conditions hold, too. Facts are gathered only where they decide. */
async function applying(
  session: Session,
  judgements: readonly Judgement[],
  sources: FactSources,
): Promise<readonly ApplyingJudgement[]> {
  const isSure = ({ rule }: Judgement) => sureLifetime(session, rule) !== undefined
  const facts = judgements.every(isSure) ? undefined : await dispatchFacts(session, sources)
  return judgements.flatMap((judgement) => {
    const { rule, path } = judgement
    const lifetime = sureLifetime(session, rule) ?? (facts && lifetimeWith(rule, path, facts))
    return lifetime === undefined ? [] : [{ ...judgement, lifetime }]
  })
}

function lifetimeWith(rule: CompiledRule, path: string, facts: Facts): Lifetime | undefined {
  return matchLifetime(rule, { ...facts, observed: new Map([...facts.observed, [rule.id, path]]) })
}

/** The lifetime of a rule that applies to a file that its file condition matches, whatever else is: else undefined. */
function sureLifetime({ matched }: Session, rule: CompiledRule): Lifetime | undefined {
  if (matched.has(rule.id)) return "durable"
  if (rule.activation !== "conditions") return ruleLifetime(rule)
  const isByFile = rule.match === "any" && rule.conditions.some(({ file }) => file !== undefined)
  return isByFile ? "durable" : undefined
}

/** How many files and literals a notice names, each on its line. */
const MOST_LINES = 10

/**
 * What the model reads of a call that broke a rule: a line for each literal in each file, and what reminds of the rule.
 *
 * @param judgements of that rule.
 * @param reminder undefined where the rule itself comes.
 * @param directory paths below it are shown relative to it, absolute.
 */
export function brokenNotice(
  { forbid = [] }: CompiledRule,
  judgements: readonly Judgement[],
  reminder: string | undefined,
  directory: string,
): string {
  const lineOf = (path: string, { literal, line }: AddedLiteral) => {
    const where = line === undefined ? "" : `, line ${line}`
    return `${literalsInWords([forbid[literal] ?? ""])} was added to ${shownPath(path, directory)}${where}. This rule forbids it: take it out.`
  }
  const lines = judgements.flatMap(({ path, added }) => added.map((one) => lineOf(path, one)))
  const rest = lines.length > MOST_LINES ? [`The same holds for ${lines.length - MOST_LINES} more places.`] : []
  return [...lines.slice(0, MOST_LINES), ...rest, ...(reminder === undefined ? [] : [reminder])].join("\n")
}
