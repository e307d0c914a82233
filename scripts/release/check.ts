import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { root } from "../install.ts"
import { changelogProblems } from "./changelog.ts"
import { contentProblems } from "./content.ts"
import { identityProblems, type ProjectIdentity } from "./identity.ts"
import { RELEASED } from "./packages.ts"
import { smokeProblems } from "./smoke.ts"
import { Manifest, stagePackage } from "./stage.ts"

/**
 * Checks what would be published, from the built packages: versions, changelog, addresses, entries, contents and size of the tarballs,
 * and that each works from its tarball.
 *
 * @param tag the tag that releases it, if any: it must name the version.
 * @returns every problem, with its remedy; none when the release can go out.
 */
export async function releaseProblems(identity: ProjectIdentity, tag?: string): Promise<string[]> {
  const problems = identityProblems(identity)
  const stage = await mkdtemp(join(tmpdir(), "rulebook-release-"))
  try {
    const versions = new Set<string>()
    for (const released of RELEASED) {
      const folder = join(stage, released.folder)
      await stagePackage(released.folder, folder, identity)
      const manifest: unknown = await Bun.file(join(folder, "package.json")).json()
      const known = Manifest.assert(manifest)
      versions.add(known.version)
      problems.push(...(await contentProblems(released, folder)))
      problems.push(...(await lintProblems(known.name, folder, manifest, identity)))
      problems.push(...(await smokeProblems(known, folder, stage)))
    }
    if (versions.size > 1)
      problems.push(`The packages have the versions ${[...versions].join(" and ")}. Give all of them one version.`)
    const changelog = await Bun.file(join(root, "CHANGELOG.md")).text()
    for (const version of versions)
      problems.push(...changelogProblems(changelog, version), ...tagProblems(version, tag))
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
  return problems
}

/** A tag must be the version's. */
export function tagProblems(version: string, tag: string | undefined): string[] {
  if (tag === undefined || tag === `v${version}`) return []
  return [`The tag ${tag} does not name the version ${version}. Tag the commit v${version}, or change the version.`]
}

/** What publint says of exports, entries and metadata. Without an address it would only repeat what we say of `release.json`. */
async function lintProblems(
  name: string,
  folder: string,
  manifest: unknown,
  identity: ProjectIdentity,
): Promise<string[]> {
  const { messages } = await publint({ pkgDir: folder, level: "warning", strict: true })
  const hasAddress = identityProblems(identity).length === 0
  return messages
    .filter(({ path }) => hasAddress || path[0] !== "repository")
    .map(
      (message) =>
        `${name}: ${formatMessage(message, manifest as Record<string, unknown>, { color: false }) ?? message.code}`,
    )
}
