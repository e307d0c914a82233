import type { RuleId } from "./identity.ts"

/** What one evaluation knows. undefined: the fact is missing, so its family is not met. */
export interface Facts {
  /** Rules whose File-observation family has been met in this session, and by which path first. */
  readonly observed: ReadonlyMap<RuleId, string>
  readonly prompt: string | undefined
  readonly command: string | undefined
  readonly project: ReadonlySet<string> | undefined
  readonly os: string | undefined
  readonly ci: boolean | undefined
  readonly agent: string | undefined
  readonly model: { readonly providerID: string; readonly modelID: string } | undefined
  readonly branch: string | undefined
  readonly tools: ReadonlySet<string> | undefined
}

/** All facts missing: no condition is met. */
export const NO_FACTS: Facts = {
  observed: new Map(),
  prompt: undefined,
  command: undefined,
  project: undefined,
  os: undefined,
  ci: undefined,
  agent: undefined,
  model: undefined,
  branch: undefined,
  tools: undefined,
}
