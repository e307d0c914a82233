import { randomBytes } from "node:crypto"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { loadConfig } from "../../config/load.ts"
import { realPlace } from "../../file-system.ts"
import { decide, offMessage } from "../../guard.ts"
import { markCommand, markerFor, unmarkCommand } from "../../marker.ts"
import type { PermissionRule } from "../../permissions/rules.ts"
import type { HostContext, ToolEvent } from "./host.ts"
import { takeRules } from "./permissions.ts"

/** What the plugin takes from the process; tests pass their own. */
export interface Surroundings {
  readonly directory: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  warn(message: string): void
}

/** The plugin for OpenCode 2: a throw in `execute.before` is a tool error that the model reads. */
export async function setup(context: HostContext): Promise<void> {
  await setupIn(context, {
    directory: process.cwd(),
    home: homedir(),
    env: process.env,
    warn: (message) => process.stderr.write(`bash-guard: ${message}\n`),
  })
}

export async function setupIn(context: HostContext, around: Surroundings): Promise<void> {
  // OpenCode 1.18.33 calls `setup` too, beside `server`, with a context without tool hooks (measured): nothing to do there.
  if (context.tool === undefined) return
  const { directory, home } = around
  const { restructure, warnings } = loadConfig({ env: around.env, home, projects: [directory] })
  for (const warning of warnings) around.warn(warning)
  const secret = randomBytes(16).toString("hex")
  const rules = new Map<string, readonly PermissionRule[]>()
  const said = new Set<string>()
  const sayOnce = (message: string): void => {
    if (!said.has(message)) around.warn(message)
    said.add(message)
  }
  if (context.agent === undefined) {
    sayOnce("off: this host does not tell its agents' permissions")
    return
  }
  await context.agent.transform((draft) => takeRules(draft, rules))
  await context.tool.hook("execute.before", (event) => beforeTool(event))

  function beforeTool(event: ToolEvent): void {
    const input = event.input
    if (event.tool !== "shell" || !isRecord(input) || typeof input["command"] !== "string") return
    const command = unmarkCommand(input["command"])
    const own = rules.get(event.agent)
    if (own === undefined)
      throw new Error(
        `Not run: bash-guard does not know the permissions of the agent ${JSON.stringify(event.agent)}, so the command cannot be checked.`,
      )
    const workdir = input["workdir"]
    const cwd = typeof workdir === "string" ? resolve(directory, workdir) : directory
    const decision = decide(command, own, realPlace({ cwd, directory, worktree: directory, home }), restructure)
    switch (decision.kind) {
      case "off":
        sayOnce(offMessage(event.agent))
        return
      case "run":
      case "leave to host":
        return
      case "reject":
        throw new Error(decision.message)
      case "ask":
        input["command"] = markCommand(command, markerFor({ command, agent: event.agent, cwd }, secret), decision.why)
        return
      default:
        decision satisfies never
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
