import { execFile } from "node:child_process"
import { promisify } from "node:util"
import satisfies from "semver/functions/satisfies.js"
import packageJson from "../../../opencode-rulebook/package.json" with { type: "json" }
import { type Diagnosis, ok, type Patient, warning } from "./diagnosis.ts"

const CHECK = "OpenCode"
const PATIENCE_MS = 20_000

/** What decides which command `opencode` is, and how it is run. */
interface HostCommand {
  readonly io: Pick<Patient["io"], "env" | "platform">
}

/** Is OpenCode's version one that the plugin was tried on? */
export async function checkHostVersion({ io }: HostCommand): Promise<readonly Diagnosis[]> {
  const version = await hostVersion(io)
  if (version === undefined) {
    const message = "the command `opencode` was not found here"
    return [warning(CHECK, message, "Install OpenCode, or put it on your PATH; desktop versions bring their own")]
  }
  const { opencode } = packageJson.engines
  if (satisfies(version, opencode, { includePrerelease: true })) return [ok(CHECK, version)]
  const message = `the plugin has not been tested with version ${version} (tested: ${opencode})`
  return [warning(CHECK, message, "Update OpenCode, or the plugin; then run `doctor` again")]
}

async function hostVersion({ env, platform }: HostCommand["io"]): Promise<string | undefined> {
  try {
    // On Windows the command is a script, which only a shell runs.
    const options = { timeout: PATIENCE_MS, env: { ...env }, shell: platform === "win32" }
    const { stdout } = await promisify(execFile)("opencode", ["--version"], options)
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0]
  } catch {
    return undefined
  }
}
