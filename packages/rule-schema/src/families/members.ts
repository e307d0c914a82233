import { listed, visible } from "../text.ts"
import type { Facts, Lifetime } from "../types.ts"
import { defineFamily, type Family } from "./family.ts"
import type { WordField } from "./fields.ts"
import { readWords } from "./words.ts"

/**
 * A family that is met when one of the declared names is among the names that a fact gives. `known` tells those, or undefined
 * when the fact is missing.
 */
export function membersFamily<const Name extends string>(definition: {
  readonly name: Name
  readonly noun: string
  readonly lifetime: Lifetime
  readonly field: WordField
  readonly known: (facts: Facts) => ReadonlySet<string> | undefined
  readonly normalise?: (name: string) => string
}): Family<Name> {
  const { name, noun, lifetime, field, known, normalise = (text: string) => text } = definition
  return defineFamily<Name, readonly string[]>({
    name,
    lifetime,
    fields: [field],
    compile: (frontmatter, problems) => readWords(frontmatter, field, problems)?.map((word) => normalise(word.text)),
    isMet(declared, facts) {
      const names = known(facts)
      return names !== undefined && declared.some((candidate) => names.has(candidate))
    },
    explain(declared, facts) {
      const names = known(facts)
      if (names === undefined) return `no ${noun} known`
      const met = declared.find((candidate) => names.has(candidate))
      return met === undefined ? `${noun} is none of ${list(declared, 3)}` : `${noun} is ${visible(met)}`
    },
    summarise: (declared) => `${noun} ${list(declared, 3)}`,
    describe: (declared) => `${noun} is one of ${list(declared, Number.POSITIVE_INFINITY)}`,
  })
}

function list(names: readonly string[], shown: number): string {
  return listed(names.map(visible), shown)
}

/** A fact that is one name. */
export function single(name: string | undefined): ReadonlySet<string> | undefined {
  return name === undefined ? undefined : new Set([name])
}
