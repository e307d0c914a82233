import { groupsOf } from "./groups.ts"

/**
 * A pattern with `/` for each backslash that separates folders. A backslash before one of a glob's own characters escapes it,
 * unless the pattern has no `/` at all and the backslash only makes sense between folders, as in `src\**\*.ts`.
 */
export function unifySeparators(pattern: string): string {
  if (!pattern.includes("\\")) return pattern
  const separates = pattern.includes("/") ? separatesBesideSlashes : separatesAlone
  let out = ""
  for (let index = 0; index < pattern.length; index += 1) {
    const char = pattern[index] ?? ""
    if (char === "[") {
      const end = groupsOf(pattern.slice(index)).get(0) ?? 0
      out += pattern.slice(index, index + end + 1)
      index += end
      continue
    }
    if (char !== "\\") {
      out += char
      continue
    }
    while (pattern[index + 1] === "\\") index += 1
    if (separates(pattern, index)) out += "/"
    else {
      out += `\\${pattern[index + 1] ?? ""}`
      index += 1
    }
  }
  return out
}

/** Beside slashes a backslash escapes whatever a glob gives a meaning to. */
function separatesBesideSlashes(pattern: string, at: number): boolean {
  return !/^\\(?:[*?[\]{}(),|]|[!@+]\()/.test(pattern.slice(at, at + 3)) && !isEscapedMark(pattern, at)
}

/** Without any slash, `\*` and `\[id]` begin a folder or name; `\[id\]` and `\,` are escaped. */
function separatesAlone(pattern: string, at: number): boolean {
  const next = pattern[at + 1] ?? ""
  if (next === "[" || next === "{" || next === "(") return isClosedPlainly(pattern, at + 1)
  return !/[\]}),|]/.test(next) && !isEscapedMark(pattern, at)
}

function isEscapedMark(pattern: string, at: number): boolean {
  return at === 0 && (pattern[1] === "!" || pattern[1] === "#")
}

/** Does the group that opens here close with a closer that nothing escapes? */
function isClosedPlainly(pattern: string, at: number): boolean {
  return groupsOf(pattern.slice(at)).has(0) && !/^[^\]})]*\\[\]})]/.test(pattern.slice(at))
}
