/**
 * Takes some lines of code at random, as ranges that the mutation tool reads. Blank lines, comments and imports are left out.
 *
 * @param most how many lines to take.
 * @param seed the same seed takes the same lines of the same files.
 */
export function sampleLines(
  files: readonly { readonly path: string; readonly text: string }[],
  most: number,
  seed: number,
): string[] {
  const lines = files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (isCode(line) ? [`${path}:${index + 1}-${index + 1}`] : [])),
  )
  const random = generator(seed)
  return lines
    .map((line) => ({ line, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, most)
    .map(({ line }) => line)
}

function isCode(line: string): boolean {
  return !/^\s*(?:$|\/\/|\/?\*|import\b|export \{|[\])}]+[,;]?$)/.test(line)
}

/** Numbers from 0 to 1 that look random: a linear congruential generator. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
