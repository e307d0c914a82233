import { homedir } from "node:os"
import { homeFolder, stateDirectory } from "@opencode-rulebook/rule-schema"
import { type FollowedSession, followSession } from "./follow.ts"
import type { TuiHost } from "./host.ts"
import type { RulesView } from "./rows.ts"
import { createRuleReader, type ReadRules } from "./rule-reader.ts"

/** How long a burst of changes is waited for, in milliseconds. */
const BURST_MS = 40

/** The sessions that are on the screen, in the sidebar or in the dialog. */
export interface FollowedSessions {
  /** Follows a session; returns the function that ends it. */
  follow(sessionID: string, onChange: (view: RulesView) => void): () => void
  /** The host tells that a session went on. `hasAnswered`: a request of it has been answered. */
  wentOn(sessionID: string, hasAnswered: boolean): void
  /** Ends all. */
  stop(): void
}

/** @param readRules reads the rules of all of them, and those of the folder at once. */
export function createFollowedSessions(
  host: Pick<TuiHost, "places">,
  readRules: ReadRules = createRuleReader(),
): FollowedSessions {
  const followed = new Map<FollowedSession, string>()
  /** Those whose requests were answered under this TUI's eyes: the server part has written their state by then. */
  const answered = new Set<string>()

  readAhead()

  /** A thousand rules take seconds in a host that has just started: most of them are read before a session is on the screen. */
  function readAhead(): void {
    try {
      void readRules(host.places("").directories)
    } catch {
      // The section says so when it is on the screen.
    }
  }

  return {
    follow(sessionID, onChange) {
      const env = { ...process.env }
      const session = followSession({
        ...host.places(sessionID),
        sessionID,
        readRules,
        stateDirectory: stateDirectory(env, homeFolder(env, homedir())),
        delayMs: BURST_MS,
        hasAnswered: () => answered.has(sessionID),
        onChange,
      })
      followed.set(session, sessionID)
      return () => {
        session.stop()
        followed.delete(session)
      }
    },
    wentOn(sessionID, hasAnswered) {
      if (hasAnswered) answered.add(sessionID)
      for (const [session, id] of followed) if (id === sessionID) session.refresh()
    },
    stop() {
      for (const session of followed.keys()) session.stop()
    },
  }
}
