import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Glob } from "bun"
import { root } from "./install.ts"

/**
 * Writes `THIRD-PARTY.md` beside a package's built files: each package that the bundler put into them, with its version and its
 * licence's text.
 *
 * @param folder the built package, absolute.
 * @throws when a bundled package has no licence text, which its licence requires to pass on.
 */
export async function writeThirdParty(folder: string): Promise<void> {
  const names = await bundledPackages(join(folder, "dist"))
  const sections = await Promise.all(names.map(sectionOf))
  const intro = `# Third-party software\n\nThe files in \`dist\` contain code of these packages. The list is made by the build.\n`
  await Bun.write(join(folder, "THIRD-PARTY.md"), [intro, ...sections].join("\n"))
}

/** Names of the packages in the built files. Bun's bundler names each file that it takes in, in a comment in front of it. */
export async function bundledPackages(dist: string): Promise<string[]> {
  const names = new Set<string>()
  for (const path of new Glob("*.{js,bundle}").scanSync(dist)) {
    const text = await readFile(join(dist, path), "utf8")
    for (const [, name = ""] of text.matchAll(/^\/\/ (?:\.\.\/)*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm))
      names.add(name)
  }
  return [...names].toSorted()
}

async function sectionOf(name: string): Promise<string> {
  const folder = join(root, "node_modules", name)
  const { version, license } = (await Bun.file(join(folder, "package.json")).json()) as Record<string, unknown>
  const [file] = [...new Glob("*").scanSync(folder)].filter((path) => /^licen[cs]e/i.test(path)).toSorted()
  if (file === undefined) throw new Error(`${name} is bundled, but its folder has no licence text: ${folder}`)
  const text = (await readFile(join(folder, file), "utf8")).trim()
  return `## ${name} ${version}\n\nLicence: ${license}\n\n\`\`\`\n${text}\n\`\`\`\n`
}
