import type {
  CompiledRule,
  Facts,
  FamilyName,
  MatchedRuleState,
  NestedRules,
  Rulebook,
  RuleId,
  RuleStatus,
} from "@opencode-rulebook/rule-schema"
import type { Further } from "./again.ts"
import type { Cause } from "./cause.ts"
import { createFileObservations, type FileObservations } from "./file-observations.ts"
import { createForbiddenTexts, type ForbiddenTexts } from "./forbid.ts"
import { createHoldingRules, type HoldingRules } from "./hold.ts"
import { createNestedFolders, type FindNested, type NestedFolders } from "./nested-folders.ts"
import { onRequestIndex } from "./on-request.ts"
import { createDeliveries, type Deliveries } from "./receipts/deliveries.ts"
import type { Recorder } from "./receipts/recorder.ts"
import { createRemindingRules, type RemindingRules } from "./remind.ts"
import { createWorkingContext, type WorkingContext } from "./working-context.ts"

export type ModelRef = NonNullable<Facts["model"]>

/** What one session has seen. Knows nothing of delivery. */
export interface Session {
  readonly id: string
  /** The rules as they were at the session's first evaluation, and those of nested folders as they were when those were found. */
  rules: readonly CompiledRule[]
  /** The identities of rule files that can't be understood. */
  broken: readonly RuleId[]
  /** The same as `rules`, and the indexes of those that are left to the model's judgement: all that can be delivered. */
  deliverable: readonly CompiledRule[]
  /** The families that some rule declares. */
  declared: ReadonlySet<FamilyName>
  /** The rules with hooks. */
  hookedRules: readonly CompiledRule[]
  /** The rules that can match for one dispatch. */
  transientRules: readonly CompiledRule[]
  /** The rules with several conditions and `match: all`. */
  rulesNeedingAll: readonly CompiledRule[]
  /** Which of these were met in part, as of the latest dispatch. */
  partlyMet: PartlyMetRules | undefined
  /** The nested folders whose rules it has, relative to its own. */
  nested: readonly string[]
  readonly nestedFolders: NestedFolders
  readonly observations: FileObservations
  readonly holding: HoldingRules
  readonly reminding: RemindingRules
  readonly forbidden: ForbiddenTexts
  readonly workingContext: WorkingContext
  /** Durable rules that have become matched: for good. */
  readonly matched: Set<RuleId>
  /** What made rules match, as far as this process saw it. */
  readonly causes: Map<RuleId, Cause>
  /** How many calls each rule has blocked. */
  readonly blocked: Map<RuleId, number>
  /** The same as `matched`, in the order of `deliverable`; taken anew when there are more. */
  matchedRules: readonly CompiledRule[]
  /** Transient rules that a hook activated, for the next dispatch only, and by what. */
  readonly activatedOnce: Map<RuleId, Cause["by"]>
  /** What of them the latest dispatch took, and the newest message that it showed. */
  consumed: { readonly at: string | undefined; readonly rules: ReadonlyMap<RuleId, Cause["by"]> }
  /** The rules in the latest dispatch, which the model answers now. */
  answered: ReadonlySet<RuleId>
  /**
   * In which dispatch's step each rule held a call, and the newest message then: it holds none in another step as long as that
   * message is there, lest a call be held for ever.
   */
  readonly heldAt: Map<RuleId, { readonly dispatch: number; readonly message: string | undefined }>
  /** Transient rules in the latest dispatch, and the number of the one in which they came. */
  transient: ReadonlyMap<RuleId, number>
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
  /** How many dispatches there have been. One that the host repeats counts once. */
  dispatches: number
  /** What they have carried. */
  readonly deliveries: Deliveries
  /** What is delivered beside the matched rules: reminders, and notices of what broke a rule. */
  further: readonly Further[]
  /** The prompt of the newest dispatch. */
  answeredPrompt: Pick<Turn, "prompt" | "promptID">
  /** Whether it has been reported that they carry more than the budget. */
  isOverBudget: boolean
  /** Undefined: nothing is noted. */
  recorder: Recorder | undefined
}

type ProjectTags = Facts["project"]

/** Unmatched rules whose conditions a dispatch met in part, and the facts that this was taken from. */
interface PartlyMetRules extends Pick<Facts, "branch" | "tools"> {
  readonly evaluated: Session["evaluated"]
  readonly rules: NonNullable<MatchedRuleState["partlyMet"]>
}

export interface Turn {
  readonly prompt: string | undefined
  /** The message that has the prompt; undefined where that is not known. */
  readonly promptID?: string | undefined
  readonly command: string | undefined
  readonly agent: string | undefined
  readonly model: ModelRef | undefined
}

const NO_TURN: Turn = { prompt: undefined, command: undefined, agent: undefined, model: undefined }

/** What a session begins with: the rules of its own folders, and of nested ones that it knew before a restart. */
export interface Snapshot extends Rulebook {
  readonly nested?: readonly NestedRules[]
}

/**
 * A session as it begins.
 *
 * @param id the host's session id.
 * @param directory the folder that relative paths start from, absolute.
 * @param load takes the snapshot of the rules.
 * @param findNested finds the rules of folders below the directory.
 */
export async function createSession(
  id: string,
  directory: string,
  load: (id: string) => Promise<Snapshot>,
  findNested: FindNested,
): Promise<Session> {
  const { nested = [], ...rulebook } = await load(id)
  const session: Session = {
    id,
    rules: [],
    broken: [],
    deliverable: [],
    declared: new Set(),
    hookedRules: [],
    transientRules: [],
    rulesNeedingAll: [],
    partlyMet: undefined,
    nested: [],
    nestedFolders: createNestedFolders(
      directory,
      nested.map(({ folder }) => folder),
      findNested,
      (found) => addNested(session, found, directory),
    ),
    observations: createFileObservations(directory),
    holding: createHoldingRules(directory),
    reminding: createRemindingRules(directory),
    forbidden: createForbiddenTexts(directory),
    workingContext: createWorkingContext(),
    matched: new Set(),
    causes: new Map(),
    blocked: new Map(),
    matchedRules: [],
    activatedOnce: new Map(),
    consumed: { at: undefined, rules: new Map() },
    answered: new Set(),
    heldAt: new Map(),
    transient: new Map(),
    turn: NO_TURN,
    evaluated: undefined,
    project: undefined,
    published: undefined,
    snapshot: undefined,
    dispatches: 0,
    deliveries: createDeliveries(),
    further: [],
    answeredPrompt: NO_TURN,
    isOverBudget: false,
    recorder: undefined,
  }
  addRules(session, rulebook, "", directory)
  addNested(session, nested, directory)
  return session
}

function addNested(session: Session, found: readonly NestedRules[], directory: string): void {
  for (const { folder, rulebook } of found) {
    session.nested = [...session.nested, folder]
    addRules(session, rulebook, folder, directory)
  }
}

/** Takes rules into a session. Those that were there keep their places, and what was compared with them is compared anew. */
function addRules(session: Session, { rules, broken }: Rulebook, name: string, directory: string): void {
  const known = new Set(session.rules.map(({ id }) => id))
  const added = rules.filter(({ id }) => !known.has(id))
  const index = onRequestIndex(added, name, directory)
  session.rules = [...session.rules, ...added]
  session.broken = [...session.broken, ...broken.map(({ id }) => id)]
  session.deliverable = [...session.deliverable, ...added, ...(index ? [index] : [])]
  session.declared = new Set(session.rules.flatMap((rule) => rule.conditions.map(({ family }) => family)))
  session.hookedRules = session.rules.filter((rule) => rule.hooks.length > 0)
  session.transientRules = session.rules.filter((rule) =>
    rule.conditions.some(({ lifetime }) => lifetime === "transient"),
  )
  session.rulesNeedingAll = session.rules.filter(({ match, conditions }) => match === "all" && conditions.length > 1)
  session.observations.add(added)
  session.holding.add(added, name)
  session.reminding.add(added)
  session.forbidden.add(added)
  session.evaluated = undefined
  session.published = undefined
  session.snapshot = undefined
}

/** Takes in what is new of a turn. What is as before leaves the session's turn the same object. */
export function updateTurn(session: Session, news: Partial<Turn>): void {
  const before = session.turn
  const next = { ...before, ...news }
  const isSame =
    next.prompt === before.prompt &&
    next.promptID === before.promptID &&
    next.command === before.command &&
    next.agent === before.agent &&
    next.model?.providerID === before.model?.providerID &&
    next.model?.modelID === before.model?.modelID
  if (!isSame) session.turn = next
}

/** Takes the prompt that a dispatch answers. Returns whether it is another one than that of the dispatch before. */
export function takePrompt(session: Session, { prompt, promptID }: Turn): boolean {
  const { answeredPrompt: before } = session
  session.answeredPrompt = { prompt, promptID }
  return prompt !== before.prompt || promptID !== before.promptID
}
