import {
  createRuleCache,
  loadRulebook,
  type Rulebook,
  type RuleCache,
  type RuleDirectory,
} from "@opencode-rulebook/rule-schema"

/** Reads rules for everything that shows some. Never rejects, as `loadRulebook`. */
export type ReadRules = (directories: readonly RuleDirectory[]) => Promise<Rulebook>

/**
 * One reading after another, so that each finds what the ones before have read: a file that has not changed is parsed once.
 *
 * @param cache has what was read.
 */
export function createRuleReader(cache: RuleCache = createRuleCache()): ReadRules {
  let latest: Promise<unknown> = Promise.resolve()
  return (directories) => {
    const reading = latest.then(() => loadRulebook(directories, cache))
    latest = reading
    return reading
  }
}
