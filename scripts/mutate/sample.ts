/**
 * Takes some of a list at random. The list is cut into as many equal pieces as items are wanted, and one item comes from each piece: so the
 * sample is spread over the whole list, and each item is as likely as another.
 *
 * @param most how many items to take.
 * @param seed the same seed takes the same items of the same list.
 */
export function sample<Item>(list: readonly Item[], most: number, seed: number): readonly Item[] {
  if (list.length <= most) return list
  const random = generator(seed)
  const size = list.length / most
  return Array.from({ length: most }, (_, piece) => {
    const start = Math.floor(piece * size)
    const end = Math.floor((piece + 1) * size)
    return list.slice(start + Math.floor(random() * (end - start)))[0]
  }).filter((item) => item !== undefined)
}

/** Numbers from 0 to 1 that look random: mulberry32. Neighbouring seeds have different first numbers. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
