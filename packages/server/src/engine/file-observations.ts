import {
  type CompiledRule,
  createFileObserver,
  type FileObservation,
  type FileObserver,
  type RuleId,
} from "@opencode-rulebook/rule-schema"

/**
 * Which rules' file conditions a session's File observations have met so far. It only grows: a later observation takes
 * nothing back. The texts themselves are not kept, so a session's memory does not grow with what it reads.
 */
export interface FileObservations {
  /** Rules that came to the session later: met by what is observed from then on. */
  add(rules: readonly CompiledRule[]): void
  record(observation: FileObservation): void
  /** Each rule whose file condition is met, and the path that met it first. */
  readonly met: ReadonlyMap<RuleId, string>
}

/**
 * @param directory the folder that the session's relative paths start from, absolute.
 */
export function createFileObservations(directory: string): FileObservations {
  const met = new Map<RuleId, string>()
  const observers: FileObserver[] = []
  return {
    met,
    add(rules) {
      observers.push(createFileObserver(rules, directory))
    },
    record(observation) {
      for (const observer of observers) {
        for (const rule of observer.observe(observation)) met.set(rule.id, observation.path)
      }
    },
  }
}
