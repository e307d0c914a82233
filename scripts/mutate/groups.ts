/** One test file of a package, as it ran by itself without a mutant. */
export interface TestFile {
  /** Relative to the repository's root, with a leading `./`. */
  readonly path: string
  readonly seconds: number
  /** Ids of the mutants whose code ran in the file's own process, or in one that it started. */
  readonly mutants: ReadonlySet<string>
}

/** How long the groups of test files may take, in seconds, about: a process of Bun starts in half a second. */
const GROUP_SECONDS = [2, 8, Number.POSITIVE_INFINITY]

/**
 * The groups of test files that decide about one mutant, one after the other until one of them fails: the quickest of those that
 * run the changed code first. A test that does not run it can't notice the change.
 */
export function testGroups(files: readonly TestFile[], mutant: string): readonly (readonly TestFile[])[] {
  const left = files.filter(({ mutants }) => mutants.has(mutant)).toSorted((a, b) => a.seconds - b.seconds)
  const groups = GROUP_SECONDS.map((most) => {
    let seconds = 0
    const count = left.findIndex((file) => {
      seconds += file.seconds
      return seconds > most
    })
    return left.splice(0, count === -1 ? left.length : count)
  })
  return groups.filter((group) => group.length > 0)
}
