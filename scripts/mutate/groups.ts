/** One test file of a package, as it ran by itself without a mutant. */
export interface TestFile {
  /** Relative to the repository's root, with a leading `./`. */
  readonly path: string
  readonly seconds: number
  /** Ids of the mutants whose code ran in the file's own process, or in one that it started. */
  readonly mutants: ReadonlySet<string>
}

/** How long the first group of test files may take, in seconds, about: a process of Bun starts in half a second. */
const FIRST_SECONDS = 2

/**
 * The groups of test files that decide about one mutant, one after the other until one of them fails: the quickest of those that
 * run the changed code, then the others that run it. A test that does not run it can't notice the change.
 */
export function testGroups(files: readonly TestFile[], mutant: string): readonly (readonly TestFile[])[] {
  const near = files.filter(({ mutants }) => mutants.has(mutant)).toSorted((a, b) => a.seconds - b.seconds)
  let seconds = 0
  const count = near.findIndex((file) => {
    seconds += file.seconds
    return seconds > FIRST_SECONDS
  })
  const first = near.slice(0, count === -1 ? near.length : Math.max(count, 1))
  return [first, near.slice(first.length)].filter((group) => group.length > 0)
}
