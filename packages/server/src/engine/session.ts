import type { CompiledRule, Facts, FamilyName, Rulebook, RuleId, RuleStatus } from "@opencode-rulebook/rule-schema"
import { createFileObservations, type FileObservations } from "./file-observations.ts"
import { createWorkingContext, type WorkingContext } from "./working-context.ts"

export type ModelRef = NonNullable<Facts["model"]>

/** What one session has seen. Knows nothing of delivery. */
export interface Session {
  readonly id: string
  /** The rules as they were at the session's first evaluation. */
  readonly rulebook: Rulebook
  /** The families that some rule of it declares. */
  readonly declared: ReadonlySet<FamilyName>
  /** Its rules with hooks. */
  readonly hookedRules: readonly CompiledRule[]
  /** Its rules that can match for one dispatch. */
  readonly transientRules: readonly CompiledRule[]
  readonly observations: FileObservations
  readonly workingContext: WorkingContext
  /** Durable rules that have become matched: for good. */
  readonly matched: Set<RuleId>
  /** The same, in the rulebook's order; taken anew when there are more. */
  matchedRules: readonly CompiledRule[]
  /** Transient rules that a hook activated, for the next dispatch only. */
  readonly activatedOnce: Set<RuleId>
  /** What of them the latest dispatch took, and the newest message that it showed. */
  consumed: { readonly at: string | undefined; readonly rules: ReadonlySet<RuleId> }
  /** Transient rules in the latest dispatch. */
  transient: ReadonlySet<RuleId>
  /** The newest prompt's facts. */
  turn: Turn
  /** What the durable rules were last compared with: with the same again, nothing new can match. */
  evaluated: { readonly turn: Turn; readonly observed: number; readonly project: ProjectTags } | undefined
  /** The project's tags as they were asked for last, and in which turn. */
  project: { readonly turn: Turn; readonly tags: ProjectTags } | undefined
  /** The statuses published last, of rules that are not unmatched. */
  published: ReadonlyMap<RuleId, RuleStatus> | undefined
  /** The rulebook as the published states name it. */
  snapshot: string | undefined
  /** How many dispatches there have been. */
  dispatches: number
}

type ProjectTags = Facts["project"]

export interface Turn {
  readonly prompt: string | undefined
  readonly command: string | undefined
  readonly agent: string | undefined
  readonly model: ModelRef | undefined
}

const NO_TURN: Turn = { prompt: undefined, command: undefined, agent: undefined, model: undefined }

/**
 * A session as it begins.
 *
 * @param id the host's session id.
 * @param directory the folder that relative paths start from, absolute.
 * @param load takes the snapshot of the rules.
 */
export async function createSession(id: string, directory: string, load: () => Promise<Rulebook>): Promise<Session> {
  const rulebook = await load()
  return {
    id,
    rulebook,
    declared: new Set(rulebook.rules.flatMap((rule) => rule.conditions.map(({ family }) => family))),
    hookedRules: rulebook.rules.filter((rule) => rule.hooks.length > 0),
    transientRules: rulebook.rules.filter((rule) => rule.conditions.some(({ lifetime }) => lifetime === "transient")),
    observations: createFileObservations(rulebook.rules, directory),
    workingContext: createWorkingContext(),
    matched: new Set(),
    matchedRules: [],
    activatedOnce: new Set(),
    consumed: { at: undefined, rules: new Set() },
    transient: new Set(),
    turn: NO_TURN,
    evaluated: undefined,
    project: undefined,
    published: undefined,
    snapshot: undefined,
    dispatches: 0,
  }
}

/** Takes in what is new of a turn. What is as before leaves the session's turn the same object. */
export function updateTurn(session: Session, news: Partial<Turn>): void {
  const before = session.turn
  const next = { ...before, ...news }
  const isSame =
    next.prompt === before.prompt &&
    next.command === before.command &&
    next.agent === before.agent &&
    next.model?.providerID === before.model?.providerID &&
    next.model?.modelID === before.model?.modelID
  if (!isSame) session.turn = next
}
