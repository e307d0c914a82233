/** Globs of these characters only: everything else has a meaning to picomatch that depends on what stands around it. */
const SIMPLE = /^[A-Za-z0-9_./*{},-]+$/
const START = /^[A-Za-z0-9_-]+(?:[./]?[A-Za-z0-9_-]+)*(?=\/)/
const END = /(?<=[*}/])[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/

/**
 * What every text that a glob matches begins and ends with (or it ends with a slash); both may be empty. Told before the
 * glob is tried, it spares most of the trials: few paths have the pattern's folder and ending.
 */
export function literalEnds(glob: string): { readonly start: string; readonly end: string } {
  if (!SIMPLE.test(glob)) return { start: "", end: "" }
  return { start: START.exec(glob)?.[0] ?? "", end: END.exec(glob)?.[0] ?? "" }
}

/** Whether a text can meet the glob that has these ends. */
export function hasEnds(text: string, { start, end }: ReturnType<typeof literalEnds>): boolean {
  return text.startsWith(start) && (text.endsWith(end) || text.endsWith("/"))
}
