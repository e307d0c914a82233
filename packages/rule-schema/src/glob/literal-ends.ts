/** Characters that a glob takes literally wherever they stand. */
const PLAIN_START = /^[A-Za-z0-9_-][A-Za-z0-9_./-]*/
const PLAIN_END = /[A-Za-z0-9_.-]+$/

/**
 * What every text that a glob matches begins and ends with; both may be empty. Told before the glob is tried, it spares most
 * of the trials: few paths have the pattern's folder and ending.
 */
export function literalEnds(glob: string): { readonly start: string; readonly end: string } {
  // A bar outside of parentheses makes the whole glob one of two, and `\b` is no letter to picomatch.
  if (/[|\\]/.test(glob)) return { start: "", end: "" }
  const start = PLAIN_START.exec(glob)?.[0] ?? ""
  const isWhole = start.length === glob.length
  return {
    // What is right before a wildcard can be optional: `a/**` matches `a`, and `ab?(c)` is read as one.
    start: isWhole ? "" : start.slice(0, Math.max(start.lastIndexOf("/"), 0)),
    end: isWhole ? "" : (PLAIN_END.exec(glob)?.[0] ?? ""),
  }
}
