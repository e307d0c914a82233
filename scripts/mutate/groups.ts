/** One test file of a package, as it ran by itself without a mutant. */
export interface TestFile {
  /** Relative to the repository's root, with a leading `./`. */
  readonly path: string
  readonly seconds: number
  /** Ids of the mutants whose code ran in the file's own process. */
  readonly mutants: ReadonlySet<string>
}

/** How long the first group of test files may take, in seconds, about: a process of Bun starts in half a second. */
const FIRST_SECONDS = 2

/**
 * The groups of test files that decide about one mutant, one after the other until one of them fails: the quickest of those that
 * run the changed code, the others that run it, and then all the rest. The rest counts too: a test may start a process of its own,
 * which the coverage does not see.
 */
export function testGroups(files: readonly TestFile[], mutant: string): readonly (readonly TestFile[])[] {
  const near = files.filter(({ mutants }) => mutants.has(mutant)).toSorted((a, b) => a.seconds - b.seconds)
  let seconds = 0
  const count = near.findIndex((file) => {
    seconds += file.seconds
    return seconds > FIRST_SECONDS
  })
  const first = near.slice(0, count === -1 ? near.length : Math.max(count, 1))
  const rest = files.filter((file) => !near.includes(file))
  return [first, near.slice(first.length), rest].filter((group) => group.length > 0)
}
