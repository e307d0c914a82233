/** A set of bounded size: what was added longest ago goes when a new value needs its place. */
export interface RecentSet {
  has(value: string): boolean
  add(value: string): void
}

/** @param most how many values stay, at least 1. */
export function createRecentSet(most: number): RecentSet {
  const values = new Set<string>()
  return {
    has: (value) => values.has(value),
    add(value) {
      values.delete(value)
      values.add(value)
      const oldest = values.values().next()
      if (values.size > most && !oldest.done) values.delete(oldest.value)
    },
  }
}
