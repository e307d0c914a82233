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
  readonly met: ReadonlySet<RuleId>
}

/**
 * @param rules the session's rules.
 * @param directory the folder that the session's relative paths start from, absolute.
 */
export function createFileObservations(rules: readonly CompiledRule[], directory: string): FileObservations {
  const met = new Set<RuleId>()
  let open = rules.filter((rule) => declares(rule, "file"))
  return {
    met,
    record(observation) {
      open = open.filter((rule) => {
        if (!observes(rule, observation, directory)) return true
        met.add(rule.id)
        return false
      })
    },
  }
}
