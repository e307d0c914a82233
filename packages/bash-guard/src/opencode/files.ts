import { existsSync, readdirSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** Where the command runs. */
export interface CommandEnvironment {
  /** Absolute. */
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What OpenCode reads, in its order. */
export type ConfigSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  /** A markdown file that is an agent. */
  | { readonly kind: "agent"; readonly path: string; readonly name: string }

export function globalFolder({ env, home }: Omit<CommandEnvironment, "cwd">): string {
  return join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "opencode")
}

/** The nearest folder upwards with a `.git`. */
export function worktreeOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder
  return dirname(folder) === folder ? undefined : worktreeOf(dirname(folder))
}

/**
 * OpenCode 1.18.33 (measured): the user's files, `$OPENCODE_CONFIG`, the project's from the worktree's root inwards; then the
 * `.opencode` folders from here outwards, the home's, `$OPENCODE_CONFIG_DIR`, with their agents; then `$OPENCODE_CONFIG_CONTENT`.
 */
export function sourcesOf1(around: CommandEnvironment): readonly ConfigSource[] {
  const { cwd, env, home } = around
  const global = globalFolder(around)
  const outwards = foldersUp(cwd, worktreeOf(cwd))
  const own = env["OPENCODE_CONFIG_DIR"]
  const dotFolders = [...[...outwards, home].map(dotOpencode), ...(own ? [resolve(cwd, own)] : [])]
  return [
    ...files(global, ["config.json", "opencode.json", "opencode.jsonc"]),
    ...explicit(around),
    ...outwards.toReversed().flatMap((folder) => files(folder)),
    ...agentFiles(global),
    ...[...new Set(dotFolders)].flatMap((folder) => [...files(folder), ...agentFiles(folder)]),
    ...content(around),
  ]
}

/** OpenCode 2.0.26 (`core/config.ts`, `core/config/discovery.ts`; read): every project folder up to the root, from there inwards. */
export function sourcesOf2(around: CommandEnvironment): readonly ConfigSource[] {
  const global = globalFolder(around)
  const inwards = foldersUp(around.cwd, undefined).toReversed()
  return [
    ...files(global),
    ...agentFiles(global),
    ...explicit(around),
    ...inwards.flatMap((folder) => files(folder)),
    ...inwards.map(dotOpencode).flatMap((folder) => [...files(folder), ...agentFiles(folder)]),
    ...content(around),
  ]
}

function dotOpencode(folder: string): string {
  return join(folder, ".opencode")
}

function files(
  folder: string,
  names: readonly string[] = ["opencode.json", "opencode.jsonc"],
): readonly ConfigSource[] {
  return names.map((name) => ({ kind: "file", path: join(folder, name) }))
}

function explicit({ cwd, env }: CommandEnvironment): readonly ConfigSource[] {
  const path = env["OPENCODE_CONFIG"]
  return path ? [{ kind: "file", path: resolve(cwd, path) }] : []
}

function content({ env }: CommandEnvironment): readonly ConfigSource[] {
  const text = env["OPENCODE_CONFIG_CONTENT"]
  return text ? [{ kind: "text", name: "$OPENCODE_CONFIG_CONTENT", text }] : []
}

/** A folder and those above it, to `last` or the root. */
function foldersUp(folder: string, last: string | undefined): readonly string[] {
  if (folder === last || dirname(folder) === folder) return [folder]
  return [folder, ...foldersUp(dirname(folder), last)]
}

function agentFiles(folder: string): readonly ConfigSource[] {
  return ["agent", "agents", "mode", "modes"].flatMap((kind) =>
    // Only agents may stand in folders below (1.18.33, read).
    markdownIn(join(folder, kind), kind.startsWith("agent")).map((name): ConfigSource => {
      return { kind: "agent", path: join(folder, kind, `${name}.md`), name }
    }),
  )
}

/** Names of the markdown files in a folder, without their ending. */
function markdownIn(folder: string, recursive: boolean): readonly string[] {
  try {
    const names = readdirSync(folder, { recursive, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"))
    return names
      .filter((name) => name.endsWith(".md"))
      .map((name) => name.slice(0, -".md".length))
      .toSorted()
  } catch {
    return []
  }
}
