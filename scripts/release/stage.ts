import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { type } from "arktype"
import { root } from "../install.ts"
import type { ProjectIdentity } from "./identity.ts"

/** The fields of a manifest that a release reads. */
export const Manifest = type({
  name: "string",
  version: "string",
  files: "string[]",
  exports: "Record<string, string>",
  "bin?": "Record<string, string>",
})

/**
 * Lays out a built package as it is published: the files that its manifest names, the manifest with the project's addresses and
 * without what only this workspace needs, and the README with absolute links.
 *
 * @param folder the package, relative to the repository.
 * @param target where to, absolute; it is made anew.
 */
export async function stagePackage(folder: string, target: string, identity: ProjectIdentity): Promise<void> {
  const source = join(root, folder)
  const manifest: unknown = JSON.parse(await readFile(join(source, "package.json"), "utf8"))
  const { version, files } = Manifest.assert(manifest)
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  for (const entry of files) await cp(join(source, entry), join(target, entry), { recursive: true })
  await writeFile(join(target, "package.json"), `${JSON.stringify(published(manifest, folder, identity), null, 2)}\n`)
  const readme = join(target, "README.md")
  await writeFile(readme, absoluteLinks(await readFile(readme, "utf8"), folder, version, identity.repository))
}

function published(manifest: unknown, folder: string, { repository, homepage, bugs }: ProjectIdentity): object {
  const { devDependencies: _dev, scripts: _scripts, ...kept } = manifest as Record<string, unknown>
  return {
    ...kept,
    homepage,
    bugs: { url: bugs },
    repository: { type: "git", url: `git+${repository}.git`, directory: folder },
  }
}

/**
 * Relative links and pictures of a README, as addresses in the repository at the released version. The README of opencode-rulebook links
 * from the repository's root, every other one from its package.
 */
export function absoluteLinks(markdown: string, folder: string, version: string, repository: string): string {
  const base = basename(folder) === "opencode-rulebook" ? "" : `${folder}/`
  return markdown.replace(
    /(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s]+)\)/g,
    (_, mark: string, text: string, path: string) =>
      `${mark}[${text}](${repository}/${mark === "!" ? "raw" : "blob"}/v${version}/${base}${path})`,
  )
}
