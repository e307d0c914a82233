import { argumentsJson } from "@opencode-rulebook/rule-schema"
import { compileHookPattern } from "@opencode-rulebook/rule-schema/authoring"
import type { ExpressionSource } from "./hook-sources.ts"

/**
 * An argument that every call of a tool has, on both majors of OpenCode (measured on 1.18.33 and a preview of v2, where file
 * tools call theirs by another name).
 */
const REQUIRED_ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ["bash", "command"],
  ["shell", "command"],
  ["apply_patch", "patchText"],
  ["patch", "patchText"],
])

/** Texts that have nothing in common, and one with all that an expression could ask to be absent, at a length nobody would exclude. */
const EVERYTHING = `${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))}\n\té日😀`.repeat(50)
const TEXTS = ["", "a", "7", "é", EVERYTHING]

/**
 * Does every call of a tool match an expression? It is tried on arguments that have nothing in common but what every call has.
 * False as well when that is not certain: what must be absent can't be tried out.
 *
 * @param tool lower case, or `*`.
 */
export function matchesEveryCall({ source, argument }: ExpressionSource, tool: string): boolean {
  if (/\(\?<?!/.test(source)) return false
  const result = compileHookPattern(source)
  if (result.kind === "bad") return false
  const required = REQUIRED_ARGUMENTS.get(tool)
  if (argument === undefined) return callsWith(required).every((args) => result.pattern.test(argumentsJson(args)))
  return argument === required && TEXTS.every((text) => result.pattern.test(text))
}

function callsWith(required: string | undefined): readonly object[] {
  if (required === undefined) return [{}, ...TEXTS.map((text) => ({ [text]: text })), { 7: [8] }]
  return TEXTS.flatMap((text) => [{ [required]: text }, { [text]: 7, [required]: text, z: [null] }])
}
