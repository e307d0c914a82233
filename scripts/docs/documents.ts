import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Glob } from "bun"
import { root } from "../install.ts"

/** The documents that people read, by their path in the repository. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...new Glob("{docs,skills}/**/*.md").scanSync({ cwd: root }),
].toSorted()

export async function readDocument(path: string): Promise<string> {
  return await readFile(join(root, path), "utf8")
}
