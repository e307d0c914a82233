import { execFile } from "node:child_process"
import { promisify, stripVTControlCharacters } from "node:util"
import { isRecord } from "@opencode-rulebook/rule-schema/authoring"
import type { Io } from "../io.ts"
import { parseExport } from "../play/export-file.ts"
import { UsageError } from "../usage-error.ts"
import { isSessionID, type SessionEntry } from "./entry.ts"

const PATIENCE_MS = 120_000
/** The largest export, in bytes. */
const MOST_BYTES = 512 * 1024 * 1024
/** How many sessions OpenCode is asked for: OpenCode 2 lists 100 of itself. */
const MOST_LISTED = "10000"

/** The command `opencode`, as far as it shows stored sessions. */
export interface OpenCode {
  /** The sessions of the project, the newest first; none of subagents. Those of all folders without git are one project. */
  list(): Promise<readonly (SessionEntry & { readonly directory: string })[]>
  session(id: string): SessionEntry
}

/**
 * @param cwd the project's folder.
 * @throws UsageError when there is no such command.
 */
export async function findOpenCode(cwd: string, io: Io): Promise<OpenCode> {
  const version = (await run(["--version"])).match(/\d+/)?.[0]
  // OpenCode 1: `opencode export` (measured on 1.18.33); 2: `opencode session export` (docs/opencode-2.md, Exports).
  const exporting = version === "1" ? ["export"] : ["session", "export"]

  function session(id: string, updated?: number): SessionEntry {
    if (!isSessionID(id)) throw new UsageError(`${id}: not a session's id`)
    return { id, updated, read: async (command) => parseExport(await run([...exporting, id]), id, command) }
  }

  async function run(args: readonly string[]): Promise<string> {
    // Without the user's plugins: this one is not to work on sessions that are only looked at.
    const env = { ...io.env, OPENCODE_PURE: "1" }
    const options = { cwd, env, timeout: PATIENCE_MS, maxBuffer: MOST_BYTES, shell: io.platform === "win32" }
    try {
      return (await promisify(execFile)("opencode", [...args], options)).stdout
    } catch (error) {
      throw new UsageError(failureOf(args, error))
    }
  }

  return {
    async list() {
      const args = ["session", "list", "--format", "json", "--max-count", MOST_LISTED]
      const all = listed(await run(args))
      if (all === undefined) throw new UsageError(`\`opencode ${args.join(" ")}\` printed no list of sessions`)
      return all.map(({ id, updated, directory }) => ({ ...session(id, updated), directory }))
    },
    session,
  }
}

function failureOf(args: readonly string[], error: unknown): string {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT"
  if (isMissing)
    return "the command `opencode` was not found; install OpenCode, or name files that `opencode export` wrote"
  const { stderr } = error as { readonly stderr?: string }
  const lines = stripVTControlCharacters(stderr ?? "").split("\n")
  const told = lines.findLast((line) => line.trim() !== "") ?? String(error)
  return `\`opencode ${args.join(" ")}\` failed: ${told.replace(/^Error: /, "")}`
}

/** The sessions in a list, undefined where it is none. For a project without sessions OpenCode 1.18.33 prints nothing. */
function listed(
  text: string,
): readonly { readonly id: string; readonly updated: number; readonly directory: string }[] | undefined {
  if (text.trim() === "") return []
  const value = parsed(text)
  if (!Array.isArray(value)) return undefined
  return value.filter(isRecord).flatMap(({ id, updated, directory }) => {
    if (typeof id !== "string" || typeof updated !== "number" || typeof directory !== "string") return []
    return [{ id, updated, directory }]
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
