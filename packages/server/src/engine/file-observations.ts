import {
  type CompiledRule,
  createFileObserver,
  type FileObservation,
  type RuleId,
} from "@opencode-rulebook/rule-schema"

/**
 * Which rules' file conditions a session's File observations have met so far. It only grows: a later observation takes
 * nothing back. The texts themselves are not kept, so a session's memory does not grow with what it reads.
 */
export interface FileObservations {
  record(observation: FileObservation): void
  /** Each rule whose file condition is met, and the path that met it first. */
  readonly met: ReadonlyMap<RuleId, string>
}

/**
 * @param rules the session's rules.
 * @param directory the folder that the session's relative paths start from, absolute.
 */
export function createFileObservations(rules: readonly CompiledRule[], directory: string): FileObservations {
  const met = new Map<RuleId, string>()
  const observer = createFileObserver(rules, directory)
  return {
    met,
    record(observation) {
      for (const rule of observer.observe(observation)) met.set(rule.id, observation.path)
    },
  }
}
