import { groupsOf } from "./groups.ts"

/**
 * Escapes what a glob library would give a meaning to that no author means: the names of web frameworks' route folders and
 * files, parentheses without alternatives, brackets and braces that nothing opens, a lone `+`. `{ts}` becomes `ts`, and whitespace
 * around the commas of braces goes. A class in a name matches its own text too, as in `[id].tsx`.
 */
export function escapeLiterals(pattern: string): string {
  const segments = pattern.split("/").map((segment) => (isRouteSegment(segment) ? escaped(segment) : segment))
  return rewrite(segments.join("/"))
}

/** A segment that is wholly `[name]` or `[...name]`. A segment of ranges only (`[a-z]`, `[0-9]`) is a class everywhere. */
function isRouteSegment(segment: string): boolean {
  const name = /^\[((?:\.\.\.)?[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$=.-]*)\]$/u.exec(segment)?.[1]
  return name !== undefined && !/^(?:[\p{L}\p{N}]-[\p{L}\p{N}])+$/u.test(name)
}

function rewrite(text: string): string {
  const groups = groupsOf(text)
  let index = 0
  return until(text.length)

  function until(end: number): string {
    let out = ""
    while (index < end) {
      const at = index
      const close = groups.get(at)
      const char = text[at] ?? ""
      index += 1
      if (char === "\\") {
        out += text.slice(at, at + 2)
        index += 1
      } else if (close === undefined) {
        out += lone(char, text[at + 1])
      } else if (char === "[") {
        index = close + 1
        out += classOf(text.slice(at, index))
      } else {
        const inside = char === "(" ? parentheses(at, close) : braces(at, close)
        index = close + 1
        out += inside
      }
    }
    return out
  }

  /** Alternatives, or one of the extended globs that mean something without any. */
  function parentheses(at: number, close: number): string {
    const isGroup = /[!*+?]/.test(text[at - 1] ?? "") || /(?<!\\)\|/.test(text.slice(at, close))
    const inside = until(close)
    return isGroup ? `(${inside})` : `\\(${inside}\\)`
  }

  function braces(at: number, close: number): string {
    const commas = topLevelCommas(at, close)
    if (commas.length > 0) return `{${[...commas, close].map(alternative).join(",")}}`
    const body = text.slice(at + 1, close)
    if (/^[^{}/]+\.\.[^{}/]+$/.test(body)) return `{${until(close)}}`
    if (body === "") return "\\{\\}"
    const isTemplate = groups.get(at + 1) === close - 1 && topLevelCommas(at + 1, close - 1).length === 0
    if (!isTemplate || body[0] !== "{") return until(close)
    index = at + 2
    return `\\{\\{${until(close - 1)}\\}\\}`
  }

  function alternative(end: number): string {
    const inside = until(end)
    index = end + 1
    return inside.trim().replace(/^(?:\.\/+)+/, "")
  }

  function topLevelCommas(at: number, close: number): readonly number[] {
    const commas: number[] = []
    for (let inner = at + 1; inner < close; inner += 1) {
      if (text[inner] === "\\") inner += 1
      else if (text[inner] === ",") commas.push(inner)
      else inner = groups.get(inner) ?? inner
    }
    return commas
  }
}

/** A character that is in no group of its own. An opened group that nothing closes stays, and doesn't compile. */
function lone(char: string, next: string | undefined): string {
  if (char === "]" || char === ")" || char === "}") return `\\${char}`
  return char === "+" && next !== "(" ? "\\+" : char
}

/** `[[name]]` is a route's optional part; a class matches one of its characters, or its own text. */
function classOf(text: string): string {
  if (/^\[\[(?!:)/.test(text)) return escaped(text)
  return /^\[[!^]|\[:/.test(text) ? text : `@(${text}|${escaped(text.replaceAll("\\", ""))})`
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|,!@]/g, "\\$&")
}
