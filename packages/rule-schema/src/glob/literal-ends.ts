/** Globs of these characters only: everything else has a meaning to picomatch that depends on what stands around it. */
const SIMPLE = /^[A-Za-z0-9_./*{},-]+$/
const START = /^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*(?=\/)/
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

const ALTERNATIVE_ENDINGS = /\.\{([A-Za-z0-9_.-]+(?:,[A-Za-z0-9_.-]+)*)\}$/

/** The file name extensions of which every text that a glob matches has one; an empty one stands for any. */
export function endingsOf(glob: string): readonly string[] {
  if (!SIMPLE.test(glob)) return [""]
  const alternatives = ALTERNATIVE_ENDINGS.exec(glob)?.[1]
    ?.split(",")
    .map((name) => `.${name}`)
  return [...new Set((alternatives ?? [literalEnds(glob).end]).map(extensionOf))]
}

/** From the last dot of a file's name on; empty without one. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".")
  return dot < 0 ? "" : name.slice(dot)
}
