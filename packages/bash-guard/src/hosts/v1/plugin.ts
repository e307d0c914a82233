import { randomBytes } from "node:crypto"
import { homedir } from "node:os"
import { resolve } from "node:path"
import type { Hooks, PluginInput } from "@opencode-ai/plugin"
import { createApprovals } from "../../approvals.ts"
import { loadConfig } from "../../config/load.ts"
import { followDialogs } from "../../dialogs.ts"
import { realPlace } from "../../file-system.ts"
import { allowsText, decide, offMessage } from "../../guard.ts"
import { findAtLoad } from "../../lints/at-load.ts"
import { describeFinding } from "../../lints/finding.ts"
import { markCommand, markerFor, unmarkCommand } from "../../marker.ts"
import { permissionsOfConfig } from "../../opencode/merged.ts"
import { compilePermissions, evaluate, type PermissionRule } from "../../permissions/rules.ts"
import { isRecord } from "../../shape.ts"
import { createSessionAgents } from "./agents.ts"
import { answerOnce, showReason } from "./answers.ts"
import { readEvent } from "./events.ts"
import { addMarkerRule } from "./marker-rule.ts"
import { createPermissionSource } from "./permissions.ts"

interface ShellCall {
  readonly command: string
  readonly sessionID: string
  readonly callID: string
}

/** The plugin for OpenCode 1: judges each `bash` call before it runs. A throw in `tool.execute.before` is a tool error that the model reads. */
export async function server(input: PluginInput): Promise<Hooks> {
  const { client, directory, worktree } = input
  const home = homedir()
  const secret = randomBytes(16).toString("hex")
  const permissions = createPermissionSource(client)
  const agents = createSessionAgents(client)
  const projects = worktree === "/" ? [directory] : [worktree, directory]
  const { restructure, cases, warnings } = loadConfig({ env: process.env, home, projects })
  const log = createLog(client)
  for (const warning of warnings) log("warn", warning)
  const offFor = new Set<string>()
  const approvals = createApprovals()
  const dialogs = followDialogs(approvals, {
    show: (why) => showReason(client, why),
    answer: (session, request) => answerOnce(client, session, request),
  })

  /** What is wrong with the permissions is no reason to guard less. */
  function reportFindings(config: unknown): void {
    try {
      const place = realPlace({ cwd: directory, directory, worktree, home })
      for (const finding of findAtLoad(permissionsOfConfig(config, home), cases, place))
        log("warn", describeFinding(finding))
    } catch (error) {
      log("warn", `the permissions could not be checked for mistakes (${String(error)})`)
    }
  }

  function sayOff(agent: string): void {
    if (!offFor.has(agent)) log("info", offMessage(agent))
    offFor.add(agent)
  }

  async function judgeCall(args: Record<string, unknown>, shellCall: ShellCall): Promise<void> {
    const { command, sessionID } = shellCall
    const workdir = args["workdir"]
    const cwd = typeof workdir === "string" ? resolve(directory, workdir) : directory
    const { agent, rules } = await readRules(sessionID)
    const decideNow = () =>
      decide(command, rules, realPlace({ cwd, directory, worktree, home }), restructure, approvals.allows)
    const decision = decideNow()
    switch (decision.kind) {
      case "off":
        sayOff(agent)
        return
      case "run":
        return
      case "reject":
        throw new Error(decision.message)
      case "ask": {
        if (decision.byHost) return
        const marker = markerFor({ command, agent, cwd }, secret)
        if (evaluate(compilePermissions(rules).bash, marker).action !== "ask") throw new Error(noWayToAsk(decision.why))
        const mayRun = (seen: readonly string[]) =>
          decideNow().kind === "run" && seen.every((text) => allowsText(text, rules, approvals.allows))
        dialogs.expect(shellCall.callID, { why: decision.why, lasting: decision.lasting, mayRun })
        args["command"] = markCommand(command, marker, decision.why)
        return
      }
      default:
        decision satisfies never
    }
  }

  async function readRules(sessionID: string): Promise<{ agent: string; rules: readonly PermissionRule[] }> {
    try {
      const agent = await agents.agentOf(sessionID)
      return { agent, rules: await permissions.rulesOf(agent, sessionID) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log("error", `a shell call was refused: the permissions could not be read (${reason})`)
      throw new Error(
        `Not run: bash-guard could not read the permissions (${reason}), so the command cannot be checked. Nothing was run.`,
      )
    }
  }

  return {
    async config(config) {
      reportFindings(config)
      addMarkerRule(config)
    },
    async "chat.params"({ sessionID, message }) {
      agents.saw(sessionID, message.agent)
    },
    async event({ event }) {
      readEvent(event, dialogs)
    },
    async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
      if (tool !== "bash" || !isRecord(args) || typeof args["command"] !== "string") return
      // A marker that is there already, say another instance's, is replaced.
      await judgeCall(args, { command: unmarkCommand(args["command"]), sessionID, callID })
    },
    // Other plugins, and the title, get the command as the model wrote it.
    async "tool.execute.after"({ tool, args }, output) {
      if (tool !== "bash") return
      if (isRecord(args)) unmarkInput(args)
      if (typeof output.title === "string") output.title = unmarkCommand(output.title)
    },
    // The model's own calls go back to it as it made them.
    async "experimental.chat.messages.transform"(_, { messages }) {
      for (const part of messages.flatMap((message) => message.parts)) {
        if (part.type === "tool" && part.tool === "bash") unmarkInput(part.state.input)
      }
    },
  }
}

function unmarkInput(input: Record<string, unknown>): void {
  if (typeof input["command"] === "string") input["command"] = unmarkCommand(input["command"])
}

function noWayToAsk(why: string): string {
  return `Not run: the command needs a person's approval (${why}), and the permissions of this session leave no way to ask for it. Nothing was run.`
}

type Level = "info" | "warn" | "error"

/** Writes to the host's log, and never waits for it: at start the host isn't ready to answer. */
function createLog(client: PluginInput["client"]): (level: Level, message: string) => void {
  return (level, message) => {
    client.app.log({ body: { service: "bash-guard", level, message: `bash-guard: ${message}` } }).catch(() => {})
  }
}
