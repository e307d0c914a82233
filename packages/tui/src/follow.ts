import type { watch } from "node:fs"
import {
  loadRulebook,
  type MatchedRuleState,
  type Rulebook,
  type RuleDirectory,
  readState,
  stateFileName,
  visible,
} from "@opencode-rulebook/rule-schema"
import type { SessionPlaces } from "./host.ts"
import { createRefresher } from "./refresher.ts"
import type { RulesView } from "./rows.ts"
import type { ReadRules } from "./rule-reader.ts"
import { createFolderWatch, placesOf, type WatchTarget } from "./watch.ts"

/** A session's rules, followed until `stop`. */
export interface FollowedSession {
  /** The host tells that the session went on: its state may have changed. */
  refresh(): void
  /** Ends all watching; nothing is told afterwards. */
  stop(): void
}

export interface FollowInput extends SessionPlaces {
  readonly sessionID: string
  /** Where the Matched-rule states are. It need not be there yet. */
  readonly stateDirectory: string
  /**
   * How long a burst of changes is waited for, in milliseconds. Not less than 10: the file system's notice of a second change of
   * the same kind that follows at once is left out by the runtime (measured on Bun 1.4.5: within 2 ms), so what it tells must
   * still be ahead of the reading.
   */
  readonly delayMs: number
  /** Reads the rules; anew each time, when left out. */
  readonly readRules?: ReadRules
  /** The file system's own, when left out. */
  readonly watchFolder?: typeof watch
  /** Whether a request of the session has been answered while this TUI ran. Never, when left out. */
  readonly hasAnswered?: () => boolean
  /** Told what there is to show whenever it has changed, the first time when all is read. */
  readonly onChange: (view: RulesView) => void
}

/** Follows rule files and a session's state on disk. Works only when something has changed; every failure is told as a view. */
export function followSession(input: FollowInput): FollowedSession {
  const { stateDirectory, sessionID, delayMs, readRules = loadRulebook } = input
  let { directories } = input
  let isStopped = false
  let rulebook: Rulebook | undefined
  let state: { readonly read: MatchedRuleState | undefined } | undefined
  let trouble: string | undefined
  let told: string | undefined

  const rules = createRefresher(() => guarded(refreshRules), delayMs)
  const states = createRefresher(() => guarded(refreshState), delayMs)
  const ruleFolders = createFolderWatch(rules.trigger, onTrouble, input.watchFolder)
  const stateFolder = createFolderWatch(states.trigger, onTrouble, input.watchFolder)

  async function refreshRules(): Promise<void> {
    const current = directories
    const read = await readRules(current)
    const isNew = await ruleFolders.watch(await ruleTargets(read, current))
    // What changed before a folder was watched is found by looking once more.
    if (isNew) rules.trigger()
    const others = (await input.problemsOf?.(read, current)) ?? []
    if (current !== directories) return
    rulebook = { ...read, problems: [...read.problems, ...others] }
    tell()
  }

  async function refreshState(): Promise<void> {
    const isNew = await stateFolder.watch([
      ...(await placesOf(stateDirectory)),
      { folder: stateDirectory, name: stateFileName(sessionID) },
    ])
    const read = await readState(stateDirectory, sessionID)
    const next = (read && (await input.directoriesOf?.(read))) ?? input.directories
    if (JSON.stringify(next) !== JSON.stringify(directories)) {
      directories = next
      // What the other directories hold would be shown as removed until it is read.
      rulebook = undefined
      rules.trigger()
    }
    if (isNew) states.trigger()
    state = { read }
    tell()
  }

  function tell(): void {
    if (isStopped || !rulebook || !state) return
    const isUnserved = state.read === undefined && input.hasAnswered?.() === true
    const { rules: known, partlyMet, notices } = state.read ?? {}
    const content = JSON.stringify([fingerprint(rulebook), known, partlyMet, notices, trouble, isUnserved])
    if (content === told) return
    told = content
    input.onChange({ kind: "ready", rulebook, directories, state: state.read, trouble, isUnserved })
  }

  function onTrouble(reason: string): void {
    if (trouble !== undefined) return
    trouble = visible(`Changes on disk may go unseen: ${reason}`)
    tell()
  }

  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (isStopped) return
      // What was told before is news again when it works.
      told = undefined
      input.onChange({ kind: "failed", message: visible(String(error)) })
    }
  }

  rules.begin()
  states.begin()
  return {
    refresh: states.trigger,
    stop() {
      isStopped = true
      stateFolder.stop()
      ruleFolders.stop()
      states.stop()
      rules.stop()
    },
  }
}

/** All folders that hold rules, and the places at which the rules directories themselves appear and go. */
async function ruleTargets(rulebook: Rulebook, directories: readonly RuleDirectory[]): Promise<WatchTarget[]> {
  const places = await Promise.all(directories.map(({ path }) => placesOf(path)))
  return [...places.flat(), ...rulebook.folders.map((folder) => ({ folder, name: undefined }))]
}

function fingerprint(rulebook: Rulebook): unknown {
  const rules = [...rulebook.rules, ...rulebook.broken].map(({ id, digest }) => [id, digest])
  return [rules, rulebook.problems.map(({ file, code }) => [file, code])]
}
