import { homedir } from "node:os"
import { resolve } from "node:path"
import { createApprovals } from "../../approvals.ts"
import { setBounded } from "../../bounded-map.ts"
import { loadConfig } from "../../config/load.ts"
import { defaults } from "../../config/settings.ts"
import { followDialogs } from "../../dialogs.ts"
import { realPlace } from "../../file-system.ts"
import { allowsText, type Decision, decide, offMessage } from "../../guard.ts"
import type { Approved, PermissionRule } from "../../permissions/rules.ts"
import { isRecord } from "../../shape.ts"
import { createCalls, type ShellCall } from "./calls.ts"
import { sayThatItCannotGuard } from "./cannot-guard.ts"
import { followEvents, readEvent } from "./events.ts"
import { createFindingsReport } from "./findings.ts"
import type { Evaluation, HostContext, ToolEvent } from "./host.ts"
import { cannotAsk, refusal, unknownRules } from "./messages.ts"
import { rulesOf } from "./rules.ts"
import { hostSees, isUnseenOnly } from "./seen.ts"

/** What the plugin takes from the process; tests pass their own. */
export interface PluginEnvironment {
  /** The process's folder, for hosts that don't name the plugin's. */
  readonly directory: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  warn(message: string): void
}

const mostSessions = 500
const mostExact = 500

/**
 * The plugin for OpenCode 2. Denied commands are refused before they run, by a throw that the model reads; for what a person
 * must answer, the host's own check is turned into a dialog.
 *
 * @returns the cleanup.
 */
export async function setup(context: HostContext): Promise<() => void> {
  return setupIn(context, {
    directory: process.cwd(),
    home: homedir(),
    env: process.env,
    warn: (message) => console.error(`bash-guard: ${message}`),
  })
}

export async function setupIn(context: HostContext, around: PluginEnvironment): Promise<() => void> {
  // OpenCode 1.18.33 calls `setup` too, beside `server`, with a context without tool hooks (measured): nothing to do there.
  if (context.tool === undefined) return () => {}
  if (context.permission?.hook === undefined || context.agent?.get === undefined) {
    await sayThatItCannotGuard(context.tool, around.warn)
    return () => {}
  }
  const { home } = around
  const directory = context.location?.directory ?? around.directory
  const worktree = context.location?.project?.directory ?? directory
  const projects = worktree === "/" ? [directory] : [worktree, directory]
  const { restructure, cases, warnings } = loadConfig({ env: around.env, home, projects })
  for (const warning of warnings) around.warn(warning)
  const offFor = new Set<string>()
  const place = realPlace({ cwd: directory, directory, worktree, filesFrom: directory, home })
  const reportFindings = createFindingsReport(context, cases, place, around.warn)
  const sessions = new Map<string, true>()
  const calls = createCalls()
  const approvals = createApprovals()
  // Commands of which something is only known when they run, as approved: with their agent and folder.
  const exact = new Map<string, true>()
  const dialogs = followDialogs(approvals, {
    // The dialog shows the request's own message.
    show: () => {},
    answer: (sessionID, requestID) => {
      context.permission?.reply?.({ sessionID, requestID, reply: "once" }).catch(() => {})
    },
  })

  function decideCall(call: ShellCall, approved: Approved, limits = restructure): Decision {
    const { command, cwd, rules } = call
    return decide(command, rules, { ...place, cwd }, limits, (permission, text) => {
      return approved(permission, text) || approvals.allows(permission, text)
    })
  }

  async function readRules(event: ToolEvent): Promise<readonly PermissionRule[]> {
    try {
      return await rulesOf(context, event.agent, event.sessionID)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      around.warn(`a shell call was refused: the permissions could not be read (${reason})`)
      throw new Error(unknownRules(event.agent, reason))
    }
  }

  /** Refuses what is denied, and keeps the rest for the host's own check. */
  async function before(event: ToolEvent): Promise<void> {
    setBounded(sessions, event.sessionID, true, mostSessions)
    const input = event.input
    if (event.tool !== "shell" || !isRecord(input) || typeof input["command"] !== "string") return
    const workdir = input["workdir"]
    const cwd = typeof workdir === "string" ? resolve(directory, workdir) : directory
    const id = idOf(event)
    const rules = await readRules(event)
    await reportFindings(event.agent)
    const call: ShellCall = { command: input["command"], agent: event.agent, cwd, rules, folders: new Set() }
    const decision = decideCall(call, () => false, defaults)
    switch (decision.kind) {
      case "off":
        if (!offFor.has(event.agent)) around.warn(offMessage(event.agent))
        offFor.add(event.agent)
        return
      case "run":
        return
      case "reject":
        throw new Error(refusal(decision.message))
      case "ask":
        if (id !== undefined && hostSees(call.command, decision.commands)) {
          calls.add(id, call)
          const { why, lasting } = decision
          dialogs.expect(id, {
            why,
            lasting,
            mayRun: (seen) => mayRun(call, seen),
            approved: () => setBounded(exact, keyOf(call), true, mostExact),
          })
          return
        }
        if (isUnseenOnly(decision.reasons, decision.commands)) return
        throw new Error(refusal(cannotAsk(decision.why)))
      default:
        decision satisfies never
    }
  }

  function mayRun(call: ShellCall, seen: readonly string[]): boolean {
    const isChecked: Approved = (permission, text) => permission === "external_directory" && call.folders.has(text)
    if (!seen.every((text) => allowsText(text, call.rules, approvals.allows))) return false
    return decideCall(call, isChecked).kind === "run"
  }

  /** The host's own check of a call: raises its dialog where the host would let the call run unasked. */
  function evaluate(event: Evaluation): void {
    if (event.source?.type !== "tool") return
    for (const call of calls.of(event.source.id)) {
      // The call goes on only if the host allows these folders, or a person does.
      if (event.action === "external_directory") for (const folder of event.resources) call.folders.add(folder)
      if (event.action === "shell") evaluateCall(call, event)
    }
  }

  function evaluateCall(call: ShellCall, event: Evaluation): void {
    // What rules and saved approvals let pass: a saved approval answers what the rules ask.
    const isAllowed: Approved = (permission, text) => {
      if (permission === "external_directory") return call.folders.has(text)
      return permission === "bash" && event.effect === "allow" && event.resources.includes(text)
    }
    const decision = decideCall(call, isAllowed)
    if (event.effect === "deny") return
    if (decision.kind === "reject") {
      event.effect = "deny"
      event.message = decision.message
    }
    if (decision.kind === "ask" && !exact.has(keyOf(call))) {
      event.effect = "ask"
      event.message ??= decision.why
    }
  }

  await context.tool.hook("execute.before", before)
  await context.tool.hook("execute.after", (event) => {
    if (event.tool === "shell" && isRecord(event.input)) calls.remove(idOf(event) ?? "", event.input["command"])
  })
  await context.permission.hook("evaluate", evaluate)
  return followEvents(context, (event) => readEvent(event, dialogs, (sessionID) => sessions.has(sessionID)))
}

function idOf({ id, callID }: ToolEvent): string | undefined {
  return id ?? callID
}

function keyOf({ command, agent, cwd }: ShellCall): string {
  return JSON.stringify([command, agent, cwd])
}
