/** A map of bounded size: the least recently used entry goes when a new one needs its place. */
export interface LruMap<V> {
  /** The entry, made when it is not there. */
  open(key: string): V
  peek(key: string): V | undefined
  drop(key: string): void
}

/**
 * @param options.most how many entries stay, at least 1.
 * @param options.create makes an entry.
 * @param options.onDrop told of each entry that goes.
 */
export function createLruMap<V>(options: {
  readonly most: number
  readonly create: (key: string) => V
  readonly onDrop?: (key: string) => void
}): LruMap<V> {
  const entries = new Map<string, V>()

  function drop(key: string): void {
    if (entries.delete(key)) options.onDrop?.(key)
  }

  return {
    open(key) {
      const value = entries.get(key) ?? options.create(key)
      entries.delete(key)
      entries.set(key, value)
      const oldest = entries.keys().next()
      if (entries.size > options.most && !oldest.done) drop(oldest.value)
      return value
    },
    peek: (key) => entries.get(key),
    drop,
  }
}
