import picomatch from "picomatch"
import { hasEnds, literalEnds } from "./literal-ends.ts"

export type TextTest = (text: string) => boolean

const OPTIONS = {
  dot: true,
  windows: false,
  posix: true,
  strictBrackets: true,
  nonegate: true,
  expandRange,
}

/** Compiles a glob whose expansions are bounded to a test of whole texts, or says why it does not compile. Never throws. */
export function compileText(glob: string): TextTest | string {
  try {
    // Asked for its output, the library answers with a text, whatever its types say.
    const expression = expressionOf(String(picomatch.makeRe(glob, OPTIONS, true)))
    const ends = literalEnds(glob)
    return (candidate) => candidate !== "" && hasEnds(candidate, ends) && expression.test(candidate)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * The library's expression over whole characters, so that `?` matches one beyond the Basic Multilingual Plane. It escapes more
 * than such an expression may, so an escape that is not needed goes; where it still can't be one, it is one of code units.
 */
function expressionOf(output: string): RegExp {
  const source = output.replace(/\\(.)/gsu, (text, escaped: string) =>
    /[\^$\\.*+?()[\]{}|/dDsSwWnrtfvx-]/.test(escaped) ? text : escaped,
  )
  try {
    return new RegExp(`^(?:${source})$`, "u")
  } catch {
    return new RegExp(`^(?:${output})$`)
  }
}

/** `{1..10}` as alternatives; picomatch's own reading is a character class. Its size was bounded before. */
function expandRange(from: string, to: string, ...rest: unknown[]): string {
  const step = Math.max(Math.abs(typeof rest[0] === "string" ? Number(rest[0]) : 1) || 1, 1)
  if (/^-?\d+$/.test(from) && /^-?\d+$/.test(to)) {
    const [low, high] = [Number(from), Number(to)].toSorted((a, b) => a - b)
    const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0
    const numbers: string[] = []
    for (let value = low ?? 0; value <= (high ?? 0); value += step) {
      const sign = value < 0 ? "-" : ""
      numbers.push(sign + String(Math.abs(value)).padStart(width - sign.length, "0"))
    }
    return `(?:${numbers.join("|")})`
  }
  if (/^[a-z]$/i.test(from) && /^[a-z]$/i.test(to)) return `[${from < to ? `${from}-${to}` : `${to}-${from}`}]`
  return `\\{${literal(from)}\\.\\.${literal(to)}\\}`
}

/** The text that a part of a glob, whose signs may be escaped, stands for. */
function literal(glob: string): string {
  return glob.replaceAll("\\", "").replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
