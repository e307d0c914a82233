import type { AST } from "@eslint-community/regexpp"

/** UTF-16 units from the first to the last, both included. */
export type UnitRange = readonly [first: number, last: number]

/** Ranges in any order, which may overlap. One whose last unit is below its first has none. */
export type Units = readonly UnitRange[]

const LAST_UNIT = 0xffff
const DIGITS: Units = [[0x30, 0x39]]
const WORDS: Units = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
/** ECMA-262: WhiteSpace and LineTerminator. */
const SPACES: Units = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
const LINE_ENDS: Units = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]
export const ALL_UNITS: Units = [[0, LAST_UNIT]]

/**
 * The units that a part of an expression without flags matches, as ECMA-262 has it.
 *
 * @param dotAll whether `.` also matches line ends: a group's own `s`.
 * @returns undefined for a part that only expressions with the flags `u` and `v` have.
 */
export function unitsOf(
  node: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassRange,
  dotAll: boolean,
): Units | undefined {
  switch (node.type) {
    case "Character":
      return [[node.value, node.value]]
    case "CharacterClassRange":
      return [[node.min.value, node.max.value]]
    case "CharacterSet":
      return setUnits(node, dotAll)
    case "CharacterClass":
      return node.unicodeSets ? undefined : classUnits(node)
  }
}

function setUnits(set: AST.CharacterSet, dotAll: boolean): Units | undefined {
  switch (set.kind) {
    case "any":
      return dotAll ? ALL_UNITS : othersThan(LINE_ENDS)
    case "digit":
      return set.negate ? othersThan(DIGITS) : DIGITS
    case "word":
      return set.negate ? othersThan(WORDS) : WORDS
    case "space":
      return set.negate ? othersThan(SPACES) : SPACES
    case "property":
      return undefined
  }
}

/** The units that its entries name. A `[^…]` matches the others: that is the caller's, who may first ignore their case. */
function classUnits(node: AST.ClassRangesCharacterClass): Units | undefined {
  const parts: UnitRange[] = []
  for (const element of node.elements) {
    const units = unitsOf(element, false)
    if (units === undefined) return undefined
    parts.push(...units)
  }
  return parts
}

export function othersThan(units: Units): Units {
  const gaps: UnitRange[] = []
  let next = 0
  for (const [first, last] of units.toSorted(([a], [b]) => a - b)) {
    gaps.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  return [...gaps, [next, LAST_UNIT]]
}

/**
 * Makes a function that adds to some units those that differ in case only, as ECMA-262 has it without the flag `u`: by the upper
 * case of a single unit, which never leads from outside ASCII into it. What it needs is computed with the first call.
 */
export function createCaseFolding(): (units: Units) => Units {
  let table: Uint16Array | undefined
  return (units) => {
    table ??= upperCases()
    const named = new Uint8Array(LAST_UNIT + 1)
    for (const [first, last] of units) {
      for (let unit = first; unit <= last; unit += 1) named[table[unit] ?? unit] = 1
    }
    const folded: UnitRange[] = []
    let first: number | undefined
    for (let unit = 0; unit <= LAST_UNIT + 1; unit += 1) {
      const isNamed = named[table[unit] ?? unit] === 1
      if (isNamed) first ??= unit
      else if (first !== undefined) {
        folded.push([first, unit - 1])
        first = undefined
      }
    }
    return folded
  }
}

/** The upper case of each unit. */
function upperCases(): Uint16Array {
  return Uint16Array.from({ length: LAST_UNIT + 1 }, (_, unit) => {
    const upper = String.fromCharCode(unit).toUpperCase()
    const code = upper.charCodeAt(0)
    return upper.length !== 1 || (unit >= 128 && code < 128) ? unit : code
  })
}
