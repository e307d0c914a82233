import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"

/** Evidence for one tag: a file that is there, or one whose text passes a test. */
interface Marker {
  readonly file: string
  readonly holds?: (text: string) => boolean
}

const MARKERS: Readonly<Record<string, readonly Marker[]>> = {
  node: [{ file: "package.json" }],
  python: files("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"),
  go: files("go.mod", "go.work"),
  rust: files("Cargo.toml"),
  monorepo: [
    ...files("pnpm-workspace.yaml", "lerna.json", "nx.json", "turbo.json", "rush.json", "go.work"),
    { file: "package.json", holds: (text) => "workspaces" in jsonObject(text) },
    { file: "Cargo.toml", holds: (text) => /^\s*\[workspace[\].]/m.test(text) },
  ],
  "browser-extension": [
    ...["manifest.json", "src/manifest.json", "public/manifest.json"].map((file) => ({
      file,
      holds: (text: string) => "manifest_version" in jsonObject(text),
    })),
    ...files("wxt.config.ts", "wxt.config.js"),
  ],
}

/**
 * The tags of a project, from marker files in its root and nothing else.
 *
 * @param root the project's folder, absolute.
 */
export async function projectTags(root: string): Promise<ReadonlySet<string>> {
  const tags = Object.entries(MARKERS).map(async ([tag, markers]) => {
    const found = await Promise.all(markers.map((marker) => isThere(root, marker)))
    return found.includes(true) ? [tag] : []
  })
  return new Set((await Promise.all(tags)).flat())
}

async function isThere(root: string, { file, holds }: Marker): Promise<boolean> {
  const path = join(root, file)
  try {
    if (!(await stat(path)).isFile()) return false
    return holds === undefined || holds(await readFile(path, "utf8"))
  } catch {
    return false
  }
}

function files(...names: readonly string[]): Marker[] {
  return names.map((file) => ({ file }))
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""))
    return typeof value === "object" && value !== null ? value : {}
  } catch {
    return {}
  }
}
