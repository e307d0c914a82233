/** JSON with cycles cut and big integers as text; empty when the value has no JSON form. */
export function argumentsJson(args: unknown): string {
  const ancestors: unknown[] = []
  try {
    return (
      JSON.stringify(args, function replaceUnserialisable(this: unknown, _key: string, value: unknown) {
        if (typeof value === "bigint") return String(value)
        while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop()
        if (ancestors.includes(value)) return "[cyclic]"
        ancestors.push(value)
        return value
      }) ?? ""
    )
  } catch {
    return ""
  }
}

/** For all members of one call together, as many times an expression's reach. */
const MOST_REACHES = 16
/** More members, and deeper ones, than any tool's arguments have. */
const MOST_MEMBERS = 10_000
const DEEPEST = 8

/**
 * Each argument by itself, and each member of one, as the JSON of an object (or list) that has nothing else: `{"path":"a.ts"}`. The
 * shortest come first, so that no long one keeps a path or a name from being looked at; what goes beyond a bound for all
 * together is left out.
 *
 * @param reach how many characters of each are going to be looked at.
 */
export function membersOf(args: unknown, reach: number): readonly string[] {
  const members: string[] = []
  let level: readonly unknown[] = [args]
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const parts = level.flatMap(partsOf).slice(0, MOST_MEMBERS - members.length)
    members.push(...parts.map(({ json }) => json))
    level = parts.map(({ value }) => value)
  }
  let left = MOST_REACHES * reach
  return members
    .toSorted((a, b) => a.length - b.length)
    .filter((member) => {
      left -= Math.min(member.length, reach)
      return left >= 0
    })
}

function partsOf(whole: unknown): { readonly json: string; readonly value: unknown }[] {
  if (typeof whole !== "object" || whole === null) return []
  return Object.keys(whole).map((key) => {
    const value = argumentOf(whole, key)
    return { value, json: argumentsJson(Array.isArray(whole) ? [value] : { [key]: value }) }
  })
}

/** One argument's value; undefined when there is none of that name, or it can't be read. */
export function argumentOf(args: unknown, name: string): unknown {
  if (typeof args !== "object" || args === null || !Object.hasOwn(args, name)) return undefined
  try {
    return Reflect.get(args, name) as unknown
  } catch {
    return undefined
  }
}
