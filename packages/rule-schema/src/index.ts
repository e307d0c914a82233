export {
  declares,
  type Evaluation,
  evaluateRule,
  explainObservation,
  matchLifetime,
  ruleLifetime,
  type Verdict,
} from "./evaluate.ts"
export { type Facts, NO_FACTS } from "./facts.ts"
export { FAMILIES } from "./families/table.ts"
export { foldersAbove, pathForm, pathForms } from "./glob/path-form.ts"
export { groupBy } from "./group-by.ts"
export { argumentsJson } from "./hooks/arguments.ts"
export { explainHook, type HookVerdict } from "./hooks/explain.ts"
export { hookMatches } from "./hooks/match.ts"
export type { HookMatch } from "./hooks/pattern.ts"
export type { RuleDirectory, RuleId, Scope } from "./identity.ts"
export type { FileObservation } from "./observation.ts"
export {
  createFileMatcher,
  createFileObserver,
  type FileMatcher,
  type FileObserver,
} from "./observer/file-observer.ts"
export { createTextSearch, type TextSearch } from "./observer/text-search.ts"
export { parseRule } from "./parse.ts"
export { formatProblem, type RuleProblem, reasonAndEffect } from "./problems.ts"
export {
  appendReceipts,
  listReceipts,
  makeRoomForReceipts,
  pruneReceipts,
  readReceipts,
  removeReceipts,
  type SessionReceipts,
} from "./receipts/files.ts"
export type * from "./receipts/format.ts"
export { RECEIPT_VERSION } from "./receipts/format.ts"
export { type ParsedReceipts, parseReceipts } from "./receipts/parse.ts"
export { REASONS, type Reason } from "./receipts/reasons.ts"
export type * from "./rule.ts"
export { createRuleCache, type RuleCache } from "./rulebook/cache.ts"
export {
  type DirectoryInput,
  nestedDirectories,
  projectFolders,
  ruleDirectories,
} from "./rulebook/directories.ts"
export { fileGate, readRegularFile } from "./rulebook/file-gate.ts"
export { homeFolder } from "./rulebook/home.ts"
export { instructionProblems } from "./rulebook/instructions.ts"
export { loadRulebook } from "./rulebook/load.ts"
export { findNestedRules, type NestedRules } from "./rulebook/nested.ts"
export { findRuleSources, type RuleSources, type SourceInput } from "./rulebook/sources.ts"
export { isWithin } from "./rulebook/within.ts"
export { readSourceOptions, type SourceOptions } from "./sources/options.ts"
export { type Origin, originLabel } from "./sources/origin.ts"
export { TOOLS } from "./sources/table.ts"
export type { Tool, ToolName } from "./sources/tool.ts"
export { stateDirectory } from "./state/directory.ts"
export { makeRoomForState, pruneStates, readState, removeState, writeState } from "./state/files.ts"
export { type MatchedRuleState, type RuleStatus, stateFileName } from "./state/format.ts"
export { createSnapshotReader, snapshotOf } from "./state/snapshot.ts"
export { type DescriptionOptions, describeConditions, describeHooks, summariseConditions } from "./summary.ts"
export { cut, label, listed, quoted, visible } from "./text.ts"
export { estimateTokens, ruleTokens } from "./tokens.ts"
