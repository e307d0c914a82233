import {
  type CompiledRule,
  declares,
  type FileObservation,
  observes,
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
  let open = rules.filter((rule) => declares(rule, "file"))
  return {
    met,
    record(observation) {
      open = open.filter((rule) => {
        if (!observes(rule, observation, directory)) return true
        met.set(rule.id, observation.path)
        return false
      })
    },
  }
}
