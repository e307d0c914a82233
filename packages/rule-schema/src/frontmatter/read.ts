import type { Problems } from "../problems.ts"
import type { Context, Fail } from "./context.ts"
import { splitEntries } from "./entries.ts"
import type { KeyTests } from "./key-lines.ts"
import { withoutInvisibleStarts } from "./lines.ts"
import { readOneByOne } from "./one-by-one.ts"
import { reportTextAmongKeys } from "./stray-text.ts"
import { documentValue, type Entry, OversizedYaml } from "./value.ts"
import { isReadAsMeant, namesIn, parseYaml } from "./yaml.ts"

/** The declared keys by name. */
export type Frontmatter = ReadonlyMap<string, Entry>

/** In characters. */
const MAX_SOURCE = 256 * 1024
/** Values that are read one by one: each costs a call of the YAML library. */
const MAX_VALUES = 5000
/** Brackets, or dashes, in a row: deeper than anybody nests. */
const DEEP = /(?:[[{][^\S\n]*){60}|(?:-[^\S\n]+){60}/

/**
 * Reads the YAML between the fences. `base` is its offset in the file. Undefined when it can't be read, which is one error;
 * empty frontmatter, or frontmatter of comments only, declares nothing. Where YAML refuses it or reads it otherwise than it is
 * meant, each entry is read by itself, and what is wrong in entries that mean nothing here has no effect.
 */
export function readFrontmatter(
  text: string,
  base: number,
  keys: KeyTests,
  problems: Problems,
): Frontmatter | undefined {
  const fail: Fail = (code, offset, reason, remedy, field) => {
    problems.error({ offset: base + offset, field }, code, reason, remedy)
    return undefined
  }
  if (text.length > MAX_SOURCE) {
    return fail("too-large", 0, "the frontmatter is longer than 256 KB", "Move text below the closing `---`")
  }
  const control = /\p{Cc}/u.exec(text.replace(/[\t\n\r]/g, " "))
  if (control) {
    return fail("yaml-syntax", control.index, "the frontmatter has a control character in it", "Remove it")
  }
  // A lone CR ends a line in YAML, but not for the library.
  const source = withoutInvisibleStarts(text.replace(/\r(?!\n)/g, "\n"))
  if (DEEP.test(source)) return failAsOversized(fail)
  const names = namesIn(source)
  const context = { source, base, raw: splitEntries(source), names, keys, problems, fail, budget: { left: MAX_VALUES } }
  try {
    if (reportTextAmongKeys(context) === "error") return undefined
    return readWhole(context) ?? readOneByOne(context)
  } catch (error) {
    if (!(error instanceof OversizedYaml || error instanceof RangeError)) throw error
    return failAsOversized(fail)
  }
}

/** Undefined where YAML's reading can't stand. */
function readWhole({ source, base, names }: Context): Frontmatter | undefined {
  const document = parseYaml(source)
  if (!isReadAsMeant(document, names)) return undefined
  const value = documentValue(document, source, base)
  if (value.kind === "mapping") return value.entries
  return value.kind === "scalar" && value.value === null ? new Map() : undefined
}

function failAsOversized(fail: Fail): undefined {
  const reason = "the frontmatter is nested or aliased without bound"
  return fail("yaml-syntax", 0, reason, "Write the values out, without nesting or aliases")
}
