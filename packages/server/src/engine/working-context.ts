/** How many paths a compaction is told of. */
const MOST = 20
/** The longest path worth telling, in characters. */
const LONGEST = 300

/** The paths a session has observed lately. Knows no text and no rules; its size is bounded. */
export interface WorkingContext {
  add(path: string): void
  /** The latest observed paths as the text to give to a compaction; undefined when there are none. */
  project(): string | undefined
}

export function createWorkingContext(): WorkingContext {
  const latest = new Set<string>()
  return {
    add(path) {
      const shown = sanitise(path)
      if (shown === "") return
      latest.delete(shown)
      latest.add(shown)
      const oldest = latest.values().next()
      if (latest.size > MOST && !oldest.done) latest.delete(oldest.value)
    },
    project() {
      if (latest.size === 0) return undefined
      const lines = [...latest].sort().map((path) => `- ${path}`)
      return ["Files the session has been working on (paths only):", ...lines].join("\n")
    },
  }
}

/** One line without controls, invisible direction marks or markup, whatever the path holds. */
function sanitise(path: string): string {
  const line = path
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("`", "'")
    .trim()
  const characters = [...line]
  return characters.length > LONGEST ? `…${characters.slice(-LONGEST).join("")}` : line
}
