import type { ParsedRule } from "../rule.ts"
import type { DatedFile } from "./discover.ts"

/** A file that changed so shortly before it was read, in milliseconds, can change again within one tick of its file system's clock. */
const TICK_MS = 2_500

/** Keeps parsed rules from one loading to the next, as many as the latest one found. A rule is never changed, so it can be shared. */
export interface RuleCache {
  begin(): Loading
}

/** One loading of a rulebook. */
export interface Loading {
  /** The rule of a file: the kept one when the file is as it was, else read anew. */
  read(file: DatedFile, read: (file: DatedFile) => Promise<ParsedRule>): Promise<ParsedRule>
  /** Forgets what this loading did not find. */
  end(): void
}

/** @param now the time in milliseconds since 1970, by the clock that file systems use. */
export function createRuleCache(now: () => number = Date.now): RuleCache {
  let kept: ReadonlyMap<string, ParsedRule> = new Map()
  return {
    begin() {
      const began = now()
      const found = new Map<string, ParsedRule>()
      return {
        async read(file, read) {
          const key = JSON.stringify([file.directory, file.path, file.stamp])
          const parsed = kept.get(key) ?? (await read(file))
          if (file.changed < began - TICK_MS && isSettled(parsed)) found.set(key, parsed)
          return parsed
        },
        end() {
          kept = found
        },
      }
    },
  }
}

/** Whether a file can be read can change without the file. */
function isSettled(parsed: ParsedRule): boolean {
  return parsed.kind === "rule" || parsed.rule.problems[0]?.code !== "unreadable"
}
