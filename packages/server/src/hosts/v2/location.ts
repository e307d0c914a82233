import { isAbsolute } from "node:path"
import { withTimeout } from "../../with-timeout.ts"
import { field, text } from "../shared/untyped.ts"
import type { V2Context } from "./host.ts"

/** How long the host may take to say where a session works, in milliseconds. */
const PATIENCE_MS = 5_000

/**
 * The folder that a session works in: what the host says of the session, else of the plugin's instance, else the folder
 * that the host runs in.
 *
 * @param patienceMs how long the host may take to answer, in milliseconds.
 * @returns `certain` is false when the host failed to answer, or did not answer in time: a later question may have another answer.
 */
export async function sessionDirectory(
  context: V2Context,
  sessionID: string,
  patienceMs = PATIENCE_MS,
): Promise<{ readonly directory: string; readonly certain: boolean }> {
  const own = absolute(context.location) ?? process.cwd()
  if (!context.session.get) return { directory: own, certain: true }
  try {
    const answer = await withTimeout(context.session.get({ sessionID }), patienceMs)
    if (answer.kind === "slow") return { directory: own, certain: false }
    const { value } = answer
    const told = absolute(field(value, "location")) ?? absolute(field(field(value, "data"), "location"))
    return { directory: told ?? own, certain: true }
  } catch {
    return { directory: own, certain: false }
  }
}

/** The folder that a location names; undefined when it names none, or none that is absolute. */
export function absolute(location: unknown): string | undefined {
  const directory = text(location, "directory")
  return directory !== undefined && isAbsolute(directory) ? directory : undefined
}
