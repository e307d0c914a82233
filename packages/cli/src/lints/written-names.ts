import { toolNames } from "@opencode-rulebook/rule-schema/authoring"
import type { KnownNames } from "../known-names.ts"
import { hookSources } from "./hook-sources.ts"
import type { LintedRule } from "./lint.ts"

/** A name in a rule that is compared whole, and where it stands. */
export interface WrittenName {
  /** Without a command's `/`. */
  readonly text: string
  readonly offset: number
  readonly field: string
  readonly kind: "agent" | "command" | "tool" | "model"
  /** Whether a hook has it. */
  readonly isHook: boolean
  /** The name of what is really there, in its own case; undefined: nothing of that name is known. */
  readonly real: string | undefined
  /** Whether none of the names beside it is known either. */
  readonly isAlone: boolean
}

/** All names of a rule. Those with a wildcard or whitespace are other findings. */
export function writtenNames({ source }: LintedRule, names: KnownNames): readonly WrittenName[] {
  const families = (
    [
      ["agent", "agent"],
      ["command", "command"],
      ["tools", "tool"],
      ["model", "model"],
    ] as const
  ).map(([key, kind]) =>
    source
      .entries(key)
      .map(({ text, offset, field }) => ({ text: text.replace(/^\//, ""), offset, field, kind, isHook: false })),
  )
  const hooks = hookSources(source).map(({ path, names: tools }) =>
    tools.map(({ text, offset }) => ({ text, offset, field: `${path}.tool`, kind: "tool" as const, isHook: true })),
  )
  return [...families, ...hooks].flatMap((group) => {
    const found = group.map((name) => ({
      ...name,
      real: name.isHook && name.text === "*" ? "*" : realName(name.text, name.kind, names),
    }))
    const isAlone = found.every(({ real }) => real === undefined)
    return found.filter(({ text }) => !/[*?\s]/.test(text)).map((name) => ({ ...name, isAlone }))
  })
}

function realName(text: string, kind: WrittenName["kind"], names: KnownNames): string | undefined {
  const known = { agent: names.agents, command: names.commands, tool: names.tools, model: names.models }[kind]
  const written = text.toLowerCase()
  const exact = known.has(text) ? text : [...known].find((name) => name.toLowerCase() === written)
  if (exact !== undefined || kind !== "tool") return exact
  const isKnown =
    toolNames(text).some((name) => known.has(name.toLowerCase())) ||
    names.toolPrefixes.some((prefix) => written.startsWith(prefix.toLowerCase()))
  return isKnown ? text : undefined
}
