import { randomBytes } from "node:crypto"
import { homedir } from "node:os"
import { resolve } from "node:path"
import type { Hooks, PluginInput } from "@opencode-ai/plugin"
import { loadConfig } from "../../config/load.ts"
import { realPlace } from "../../file-system.ts"
import { type Decision, decide, offMessage } from "../../guard.ts"
import { markCommand, markerFor, unmarkCommand } from "../../marker.ts"
import { compilePermissions, evaluate, type PermissionRule } from "../../permissions/rules.ts"
import { createSessionAgents } from "./agents.ts"
import { addMarkerRule } from "./marker-rule.ts"
import { createPermissionSource } from "./permissions.ts"

/** The plugin for OpenCode 1: judges each `bash` call before it runs. A throw in `tool.execute.before` is a tool error that the model reads. */
export async function server(input: PluginInput): Promise<Hooks> {
  const { client, directory, worktree } = input
  const home = homedir()
  const secret = randomBytes(16).toString("hex")
  const permissions = createPermissionSource(client)
  const agents = createSessionAgents(client)
  const projects = worktree === "/" ? [directory] : [worktree, directory]
  const { restructure, warnings } = loadConfig({ env: process.env, home, projects })
  const log = createLog(client)
  for (const warning of warnings) log("warn", warning)
  const offFor = new Set<string>()

  function sayOff(agent: string): void {
    if (!offFor.has(agent)) log("info", offMessage(agent))
    offFor.add(agent)
  }

  async function judgeCall(args: Record<string, unknown>, command: string, sessionID: string): Promise<void> {
    const workdir = args["workdir"]
    const cwd = typeof workdir === "string" ? resolve(directory, workdir) : directory
    const { agent, rules } = await readRules(sessionID)
    const decision = decide(command, rules, realPlace({ cwd, directory, worktree, home }), restructure)
    apply(decision, args, { command, agent, cwd }, rules)
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

  function apply(
    decision: Decision,
    args: Record<string, unknown>,
    call: { command: string; agent: string; cwd: string },
    rules: readonly PermissionRule[],
  ): void {
    switch (decision.kind) {
      case "off":
        sayOff(call.agent)
        return
      case "run":
      case "leave to host":
        return
      case "reject":
        throw new Error(decision.message)
      case "ask": {
        const marker = markerFor(call, secret)
        if (evaluate(compilePermissions(rules).bash, marker).action !== "ask") {
          throw new Error(
            "Not run: the command needs a person's approval, and the permissions of this session leave no way to ask for it. Nothing was run.",
          )
        }
        args["command"] = markCommand(call.command, marker)
        return
      }
      default:
        decision satisfies never
    }
  }

  return {
    async config(config) {
      addMarkerRule(config)
    },
    async "chat.params"({ sessionID, message }) {
      agents.saw(sessionID, message.agent)
    },
    async "tool.execute.before"({ tool, sessionID }, { args }) {
      if (tool !== "bash" || !isRecord(args) || typeof args["command"] !== "string") return
      // A marker that is there already, say another instance's, is replaced.
      await judgeCall(args, unmarkCommand(args["command"]), sessionID)
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

type Level = "info" | "warn" | "error"

/** Writes to the host's log, and never waits for it: at start the host isn't ready to answer. */
function createLog(client: PluginInput["client"]): (level: Level, message: string) => void {
  return (level, message) => {
    client.app.log({ body: { service: "bash-guard", level, message: `bash-guard: ${message}` } }).catch(() => {})
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
