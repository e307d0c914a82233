import { stat } from "node:fs/promises"
import { join } from "node:path"
import { Glob } from "bun"
import type { ReleasedPackage } from "./packages.ts"

/** What is missing in a staged package, does not belong there, or makes it too large. */
export async function contentProblems(
  { folder: name, files, maxKilobytes }: ReleasedPackage,
  folder: string,
): Promise<string[]> {
  const found = [...new Glob("**/*").scanSync({ cwd: folder, dot: true })]
  const problems = files.flatMap((file) =>
    found.includes(file)
      ? []
      : [`${name}: ${file} is not in the tarball. Run \`bun run build\`, and see "files" in package.json.`],
  )
  const odd = found.filter((file) => /\.test\.|\.tsx?$|(?:^|\/)(?:src|test|node_modules|\.env)/.test(file))
  problems.push(...odd.map((file) => `${name}: ${file} does not belong in the tarball. See "files" in package.json.`))
  const sizes = await Promise.all(found.map(async (file) => (await stat(join(folder, file))).size))
  const kilobytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1000)
  if (kilobytes > maxKilobytes)
    problems.push(
      `${name}: the tarball holds ${kilobytes} kB, more than ${maxKilobytes} kB. Find what grew, or raise the budget.`,
    )
  return problems
}
