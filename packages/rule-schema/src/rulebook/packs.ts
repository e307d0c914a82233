import { join, resolve } from "node:path"
import type { RuleDirectory } from "../identity.ts"
import type { ProblemCode } from "../problem-codes.ts"
import { fileProblem, type RuleProblem } from "../problems.ts"
import { fileGate, readRegularFile } from "./file-gate.ts"
import { isWithin } from "./within.ts"

/** A larger manifest is none. */
const MOST_BYTES = 1024 * 1024
/** Where a pack says, in its `package.json`, in which of its folders its rules are. */
const MANIFEST_KEY = "opencode-rulebook"

export interface FoundPacks {
  readonly directories: readonly RuleDirectory[]
  readonly problems: readonly RuleProblem[]
}

interface PackageFile {
  readonly path: string
  readonly text: string
}

/**
 * The rules directories of packages that the project has installed itself. Nothing is downloaded, and nothing of a package but its
 * `package.json` and its rules is read. A pack that isn't there, or has no rules, is one warning.
 *
 * @param names the packages.
 * @param folders the project's folders, the outermost first, absolute: in their `node_modules` packages are looked for.
 */
export async function findPacks(names: readonly string[], folders: readonly string[]): Promise<FoundPacks> {
  const found = await Promise.all(names.map((name) => findPack(name, folders)))
  return {
    directories: found.flatMap(({ directories }) => directories),
    problems: found.flatMap(({ problems }) => problems),
  }
}

async function findPack(name: string, folders: readonly string[]): Promise<FoundPacks> {
  const root = folders.at(-1) ?? ""
  const places = folders.map((folder) => join(folder, "node_modules", name, "package.json")).toReversed()
  const warn = (file: string, code: ProblemCode, reason: string, remedy: string): FoundPacks => ({
    directories: [],
    problems: [fileProblem(file, "warning", code, reason, remedy)],
  })
  const file = await firstOf(places)
  if (file === undefined) {
    const reason = `the pack ${name} is not installed`
    return warn(places[0] ?? name, "missing-pack", reason, "Install it in the project, or remove it from `packs`")
  }
  const manifest = readManifest(file.text)
  if (typeof manifest === "string") {
    return warn(
      file.path,
      "bad-pack",
      `the pack ${name} ${manifest}`,
      "Ask the package's author, or remove it from `packs`",
    )
  }
  const base = join(file.path, "..")
  const path = resolve(base, manifest.rules)
  if (!isWithin(path, base)) {
    const reason = `the pack ${name} names a folder outside of itself`
    return warn(file.path, "bad-pack", reason, "Remove it from `packs`")
  }
  const origin = { kind: "pack", name, version: manifest.version } as const
  return { directories: [{ scope: `pack:${name}`, path, root, prefix: "", within: base, origin }], problems: [] }
}

async function firstOf(places: readonly string[]): Promise<PackageFile | undefined> {
  for (const path of places) {
    const read = await fileGate.pass(path, true, () => readRegularFile(path, MOST_BYTES)).catch(() => undefined)
    if (read !== undefined) return { path, text: read.kind === "bytes" ? new TextDecoder().decode(read.bytes) : "" }
  }
  return undefined
}

/** The folder and the version, or what is wrong with the manifest. */
function readManifest(text: string): { readonly rules: string; readonly version: string } | string {
  let manifest: unknown
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch {
    return "has a package.json that can't be read"
  }
  const rules = field(field(manifest, MANIFEST_KEY), "rules")
  const version = field(manifest, "version")
  if (typeof rules !== "string" || rules === "")
    return `names no folder of rules ("${MANIFEST_KEY}": {"rules": "rules"})`
  return { rules, version: typeof version === "string" ? version : "without a version" }
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined
}
