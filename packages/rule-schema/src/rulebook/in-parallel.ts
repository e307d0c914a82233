/** Does something with each of many, at most so many at a time. Resolves to the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const waiting = items.entries()
  async function takeNext(): Promise<void> {
    // All takers share the iterator: whoever is free takes the next.
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: most }, takeNext))
  return results
}
