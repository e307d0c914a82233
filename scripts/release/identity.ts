import { join } from "node:path"
import { type } from "arktype"
import { root } from "../install.ts"

/** Where the project lives, for the package pages of a registry. `release.json` is the one place to set it. */
export interface ProjectIdentity {
  /** The address of the repository in a browser, without a slash at its end. */
  readonly repository: string
  readonly homepage: string
  readonly bugs: string
}

const Identity = type({ repository: "string", homepage: "string", bugs: "string" })

/** @throws when `release.json` is not of that shape. */
export async function readIdentity(): Promise<ProjectIdentity> {
  return Identity.assert(await Bun.file(join(root, "release.json")).json())
}

/** What is missing before anything can be published, with the remedy. */
export function identityProblems(identity: ProjectIdentity): string[] {
  return Object.entries(identity).flatMap(([key, value]) => {
    if (value === "") return [`release.json: ${key} is empty, so nothing can be published. Set it to an https address.`]
    if (!/^https:\/\/[^/\s]+\/\S*[^/\s]$/.test(value))
      return [`release.json: ${key} must be an https address without a slash at its end, not "${value}".`]
    return []
  })
}
