import type { ProblemCode } from "../problem-codes.ts"
import type { Problems } from "../problems.ts"
import type { RawEntries } from "./entries.ts"
import type { KeyTests } from "./key-lines.ts"
import type { Names } from "./yaml.ts"

/** Reports an error at an offset of the source, and is what a reading then comes to. */
export type Fail = (code: ProblemCode, offset: number, reason: string, remedy: string, field?: string) => undefined

/** What reading one frontmatter needs. */
export interface Context {
  /** With `\n` for each lone `\r`. */
  readonly source: string
  /** The offset of the source in the file. */
  readonly base: number
  readonly raw: RawEntries
  readonly names: Names
  readonly keys: KeyTests
  readonly problems: Problems
  readonly fail: Fail
  /** How many more values are read one by one. */
  readonly budget: { left: number }
}
