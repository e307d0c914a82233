import { stat } from "node:fs/promises"
import { join } from "node:path"
import { fileGate, projectFolders, readRegularFile } from "@opencode-rulebook/rule-schema"

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

/** Larger files are no markers. */
const MOST_BYTES = 10 * 1024 * 1024

/**
 * The tags of a project, from marker files and nothing else: those in the folder that the host works in, and in each one above it up to
 * the root of the working tree.
 *
 * @param directory where the host works, absolute.
 * @param worktree the root of the git working tree around it; undefined where there is none: then that folder counts alone.
 */
export async function projectTags(directory: string, worktree: string | undefined): Promise<ReadonlySet<string>> {
  const each = await Promise.all(projectFolders({ directory, worktree }).map(folderTags))
  return new Set(each.flat())
}

/**
 * The same, asked again and again: markers come and go while the host runs. What is as before is the same object.
 */
export function createProjectTags(directory: string, worktree: string | undefined): () => Promise<ReadonlySet<string>> {
  let latest: ReadonlySet<string> = new Set()
  return async () => {
    const tags = await projectTags(directory, worktree)
    if (tags.size !== latest.size || [...tags].some((tag) => !latest.has(tag))) latest = tags
    return latest
  }
}

/** A folder that does not answer has no tags. */
async function folderTags(folder: string): Promise<readonly string[]> {
  try {
    return await fileGate.pass(folder, false, async () => {
      const tags = Object.entries(MARKERS).map(async ([tag, markers]) => {
        const found = await Promise.all(markers.map((marker) => isThere(folder, marker)))
        return found.includes(true) ? [tag] : []
      })
      return (await Promise.all(tags)).flat()
    })
  } catch {
    return []
  }
}

async function isThere(folder: string, { file, holds }: Marker): Promise<boolean> {
  const path = join(folder, file)
  try {
    if (holds === undefined) return (await stat(path)).isFile()
    const read = await readRegularFile(path, MOST_BYTES)
    return read.kind === "bytes" && holds(new TextDecoder().decode(read.bytes))
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
