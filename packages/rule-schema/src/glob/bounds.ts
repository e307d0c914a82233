const MAX_LENGTH = 2000
const MAX_EXPANSIONS = 10_000
const MAX_DEPTH = 8
// Each further wildcard multiplies the work on a path that almost matches by the path's length.
const MAX_GLOBSTARS = 4
const MAX_STARS_PER_SEGMENT = 4

/**
 * Why a pattern costs more than a path match may, or undefined. Patterns become regular expressions: ranges and nested
 * braces multiply, and repeated groups or many wildcards in one segment backtrack without bound.
 */
export function boundsViolation(pattern: string): string | undefined {
  const expansions = countExpansions(pattern)
  if (expansions === undefined) return `its braces are nested deeper than ${MAX_DEPTH}`
  if (expansions > MAX_EXPANSIONS) return `it would expand without bound (more than ${MAX_EXPANSIONS} patterns)`
  if ((pattern.match(/\*\*+/g) ?? []).length > MAX_GLOBSTARS)
    return `it would expand without bound (more than ${MAX_GLOBSTARS} "**")`
  const isCrowded = pattern.split("/").some((segment) => wildcardRuns(segment) > MAX_STARS_PER_SEGMENT)
  if (isCrowded)
    return `it would expand without bound (more than ${MAX_STARS_PER_SEGMENT} wildcards in one path segment)`
  return repeatViolation(pattern)
}

/** Why a pattern is too long to be looked at in any way, or undefined. */
export function lengthViolation(pattern: string): string | undefined {
  return pattern.length > MAX_LENGTH ? `it is longer than ${MAX_LENGTH} characters` : undefined
}

/** Wildcards of a segment that can stand in one match; of alternatives in braces only the richest counts. */
function wildcardRuns(segment: string): number {
  let reduced = segment.replace(/\\./g, "")
  for (let before = ""; before !== reduced; ) {
    before = reduced
    reduced = reduced.replace(/\{([^{}]*)\}/, (_, body: string) => {
      const counts = body.split(",").map((part) => (part.match(/\*+/g) ?? []).length)
      return "*-".repeat(Math.max(...counts))
    })
  }
  return (reduced.match(/\*+/g) ?? []).length
}

/** How many patterns the braces stand for; undefined when they are nested too deeply. */
function countExpansions(pattern: string): number | undefined {
  let index = 0
  return sequence(0)

  /** Reads up to the comma or brace that ends this alternative. */
  function sequence(depth: number): number | undefined {
    let product = 1
    while (index < pattern.length) {
      const char = pattern[index]
      if (char === "\\") {
        index += 2
      } else if (char === "{") {
        const count = braces(depth + 1)
        if (count === undefined) return undefined
        product *= count
      } else if (depth > 0 && (char === "," || char === "}")) {
        return product
      } else {
        index += 1
      }
    }
    return product
  }

  function braces(depth: number): number | undefined {
    if (depth > MAX_DEPTH) return undefined
    index += 1
    const from = index
    let sum = 0
    do {
      const count = sequence(depth)
      if (count === undefined) return undefined
      sum += count
      index += 1
    } while (pattern[index - 1] === ",")
    return rangeSize(pattern.slice(from, index - 1)) ?? sum
  }
}

function rangeSize(body: string): number | undefined {
  const range = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(body)
  if (!range) return undefined
  return Math.floor(Math.abs(Number(range[2]) - Number(range[1])) / (Math.abs(Number(range[3])) || 1)) + 1
}

/** `+(…)` and `*(…)` repeat: their branches must be plain and differ in their first character, or matching can explode. */
function repeatViolation(pattern: string): string | undefined {
  for (const [, sign, body = ""] of pattern.matchAll(/(?<!\\)([+*]\()((?:\\.|[^\\)])*)/gs)) {
    const branches = body.split("|")
    const isPlain = branches.every((branch) => /^(?:[^\\*?+!@()[\]{}]|\\.)+$/.test(branch))
    if (!isPlain) return `it would expand without bound ("${sign}…)" repeats a group with wildcards or groups in it)`
    if (new Set(branches.map((branch) => branch[0])).size < branches.length) {
      return `it would expand without bound ("${sign}…)" repeats alternatives that begin alike)`
    }
  }
  return undefined
}
