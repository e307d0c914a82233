import { originLabel } from "../sources/origin.ts"
import { type DirectoryInput, projectFolders, ruleDirectories } from "./directories.ts"
import { type FoundPacks, findPacks } from "./packs.ts"

/** All places of rules for a session: our own, other tools' and packs'. */
export interface RuleSources extends FoundPacks {
  /** The packs that were found, by name and version. */
  readonly packs: readonly string[]
}

/** What decides where rules are read from. */
export type SourceInput = DirectoryInput & { readonly packs?: readonly string[] }

/** Finds the places that rules are read from. Only packs are looked for: the other places need not exist. Never rejects. */
export async function findRuleSources(input: SourceInput): Promise<RuleSources> {
  const packs = await findPacks(input.packs ?? [], projectFolders(input))
  return {
    directories: [...ruleDirectories(input), ...packs.directories],
    problems: packs.problems,
    packs: packs.directories.flatMap(({ origin }) => (origin ? [originLabel(origin)] : [])),
  }
}
