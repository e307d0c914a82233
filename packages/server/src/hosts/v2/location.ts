import { isAbsolute } from "node:path"
import { within } from "../../engine/within.ts"
import { field, text } from "../../fields.ts"
import type { V2Context } from "./host.ts"

/** How long the host may take to say where a session works, in milliseconds. */
const PATIENCE_MS = 5_000

/**
 * The folder that a session works in: what the host says of the session, else of the plugin's instance, else the folder
 * that the host runs in.
 *
 * @returns `certain` is false when the host failed to answer: a later question may have another answer.
 */
export async function sessionDirectory(
  context: V2Context,
  sessionID: string,
): Promise<{ readonly directory: string; readonly certain: boolean }> {
  const own = absolute(context.location) ?? process.cwd()
  if (!context.session.get) return { directory: own, certain: true }
  try {
    const session = await within(context.session.get({ sessionID }), PATIENCE_MS)
    const told = absolute(field(session, "location")) ?? absolute(field(field(session, "data"), "location"))
    return { directory: told ?? own, certain: true }
  } catch {
    return { directory: own, certain: false }
  }
}

function absolute(location: unknown): string | undefined {
  const directory = text(location, "directory")
  return directory !== undefined && isAbsolute(directory) ? directory : undefined
}
