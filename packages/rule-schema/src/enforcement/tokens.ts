import { trimInvisible } from "../frontmatter/lines.ts"
import { isEmptyValue, type Value } from "../frontmatter/value.ts"
import type { ProblemPlace, Problems } from "../problems.ts"
import { quoted } from "../text.ts"
import { readBoolean } from "../value-field.ts"

/** The least distance between two deliveries of a rule, in tokens. */
export const LEAST_TOKENS = 2000

const EXAMPLE = "Write a whole number from 2000 on, for example `remind: 20000`"
/** `20000`, `20_000`, `20,000` and `20k`, also with the unit behind it. */
const COUNT = /^(\d+(?:_\d+)*|\d{1,3}(?:[,' ]\d{3})+)(?:\s*tokens?)?$/i
const THOUSANDS = /^(\d+(?:\.\d+)?)\s*([km])(?:\s*tokens?)?$/i

/** Reads a number of tokens. `false` is no number and no mistake: "off". Undefined: an error. */
export function readTokens(value: Value, at: ProblemPlace, problems: Problems): number | "off" | undefined {
  if (readBoolean(value) === false) return "off"
  if (isEmptyValue(value)) {
    problems.error(at, "empty-value", "is empty", `${EXAMPLE}, or remove the key`)
    return undefined
  }
  const tokens = countOf(value)
  const reason = whyNot(tokens, value)
  if (reason === undefined) return tokens
  problems.error(at, "wrong-type", reason, EXAMPLE)
  return undefined
}

function countOf(value: Value): number | undefined {
  if (value.kind !== "scalar") return undefined
  if (typeof value.value === "number") return value.value
  const text = trimInvisible(value.text)
  const count = COUNT.exec(text)?.[1]
  if (count !== undefined) return Number(count.replace(/[_,' ]/g, ""))
  const [, digits, unit] = THOUSANDS.exec(text) ?? []
  if (unit === undefined) return undefined
  return Number(`${digits}e${unit.toLowerCase() === "k" ? 3 : 6}`)
}

function whyNot(tokens: number | undefined, value: Value): string | undefined {
  if (tokens === undefined || value.kind !== "scalar") return "is not a number of tokens"
  const written = quoted(value.text.trim(), 20)
  if (!Number.isSafeInteger(tokens)) return `${written} is not a whole number of tokens`
  return tokens < LEAST_TOKENS ? `${written} is less than 2,000 tokens` : undefined
}
