/** Shared by all copies of the plugin in one process: each copy is a module of its own, so a module's variable won't do. */
const REGISTRY = Symbol.for("opencode-rulebook.instances")
const EVENTS = Symbol.for("opencode-rulebook.events")

export interface Claim {
  /** Whether another copy worked in the folder when this one came. */
  readonly replacesAnother: boolean
  /** Whether this copy is the one that works in the folder: the latest that claimed it. */
  isCurrent(): boolean
  release(): void
}

/**
 * Makes the caller the one copy of the plugin that works in a folder. A host loads the same plugin twice when two
 * `plugin` lists name it differently, say by a path and by a package; without this each rule would arrive twice
 * (measured on OpenCode 1.18.33).
 *
 * @param directory the folder, absolute.
 */
export function claimDirectory(directory: string): Claim {
  const owners = registry()
  const own = {}
  const replacesAnother = owners.has(directory)
  owners.set(directory, own)
  return {
    replacesAnother,
    isCurrent: () => (owners.get(directory) ?? own) === own,
    release() {
      if (owners.get(directory) === own) owners.delete(directory)
    },
  }
}

/**
 * Makes the caller the one copy of the plugin that works on an event, the first to ask. For a host that loads a plugin
 * before it says in which folder, and hands the same event to every copy.
 *
 * @param owner stands for the copy.
 * @returns whether the event is the caller's.
 */
export function claimEvent(event: object, owner: object): boolean {
  const shared = globalThis as { [EVENTS]?: WeakMap<object, object> }
  shared[EVENTS] ??= new WeakMap()
  const holder = shared[EVENTS].get(event) ?? owner
  shared[EVENTS].set(event, holder)
  return holder === owner
}

function registry(): Map<string, object> {
  const shared = globalThis as { [REGISTRY]?: Map<string, object> }
  shared[REGISTRY] ??= new Map()
  return shared[REGISTRY]
}
