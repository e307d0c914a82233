import type { Facts } from "../facts.ts"
import type { FamilyName, Lifetime } from "../rule.ts"
import { listed, visible } from "../text.ts"
import { readEntries } from "./entries.ts"
import { defineFamily, type Family } from "./family.ts"
import type { TextField } from "./fields.ts"

/**
 * A family that is met when one of the declared names is among the names that a fact gives, in any case. `known` tells those, or
 * undefined when the fact is missing.
 */
export function membersFamily<const Name extends FamilyName>(definition: {
  readonly name: Name
  readonly noun: string
  readonly lifetime: Lifetime
  readonly field: TextField
  readonly known: (facts: Facts) => ReadonlySet<string> | undefined
  /** The fact as one name, where it has several. */
  readonly fact?: (facts: Facts) => string | undefined
  readonly normalise?: (name: string) => string
  /** The names that mean what a declared name means, itself among them. */
  readonly namesOf?: (name: string) => readonly string[]
}): Family<Name> {
  const { name, noun, lifetime, field, known, normalise = (text: string) => text } = definition
  const namesOf = definition.namesOf ?? ((declared: string) => [declared])
  const memberOf = (text: string): Member => {
    const declared = normalise(text)
    return { name: declared, names: namesOf(declared).map((each) => each.toLowerCase()) }
  }
  return defineFamily<Name, readonly Member[]>({
    name,
    lifetime,
    fields: [field],
    compile: (frontmatter, problems) => readEntries(frontmatter, field, problems)?.map(({ text }) => memberOf(text)),
    isMet(declared, facts) {
      const names = known(facts)
      return names !== undefined && declared.some((member) => isAmong(member, names))
    },
    explain(declared, facts) {
      const names = known(facts)
      if (names === undefined) return `no ${noun} given`
      const met = declared.find((member) => isAmong(member, names))
      return met === undefined ? `${noun} is not one of ${list(declared, 3)}` : `${noun} is ${visible(met.name)}`
    },
    seen(declared, facts) {
      if (definition.fact) return definition.fact(facts)
      const names = [...(known(facts) ?? [])]
      if (names.length === 1) return names[0]
      return names.find((each) => declared.some((member) => isAmong(member, [each])))
    },
    summarise: (declared) => `${noun} ${list(declared, 3)}`,
    describe: (declared) => `${noun} is one of ${list(declared, Number.POSITIVE_INFINITY)}`,
  })
}

/** A declared name, and all that mean it, in lower case. */
interface Member {
  readonly name: string
  readonly names: readonly string[]
}

function isAmong(member: Member, known: Iterable<string>): boolean {
  for (const name of known) if (member.names.includes(name.toLowerCase())) return true
  return false
}

function list(members: readonly Member[], shown: number): string {
  return listed(
    members.map(({ name }) => visible(name)),
    shown,
  )
}

/** A fact that is one name. */
export function single(name: string | undefined): ReadonlySet<string> | undefined {
  return name === undefined ? undefined : new Set([name])
}
