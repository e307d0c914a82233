import type { CompiledRule, MatchedRuleState } from "@opencode-rulebook/rule-schema"
import { formatProblem, instructionProblems, stateDirectory } from "@opencode-rulebook/rule-schema"
import { createEngine, type Engine } from "../engine/engine.ts"
import type { FactSources } from "../engine/gather-facts.ts"
import type { ToolEvent } from "../engine/hooks.ts"
import type { HostPort } from "../engine/port.ts"
import { type DispatchTrace, traceLines } from "../engine/trace.ts"
import { gitBranch } from "../machine/branch.ts"
import { runsInCI } from "../machine/ci.ts"
import { createProjectTags } from "../machine/project.ts"
import { announcement, VERSION } from "./announcement.ts"
import { createHookBoundary, type HookBoundary } from "./hook-boundary.ts"
import { claimDirectory } from "./instance.ts"
import { createNotices } from "./notices.ts"
import { type PluginOptions, readOptions } from "./options.ts"
import { createReceiptsWriter } from "./receipts-writer.ts"
import { createRecentSet } from "./recent-set.ts"
import { createRuleLoader, type LoadedRules } from "./rule-loader.ts"
import { runDetached } from "./run-command.ts"
import { createStateWriter } from "./state-writer.ts"

/** Everything a host adapter needs, set up on the machine it runs on. */
export interface Runtime {
  readonly engine: Engine
  readonly options: PluginOptions
  readonly guarded: HookBoundary
  /** Writes to the host's log, once the rules are read, that the plugin is loaded. Nothing waits for it. */
  announce(): void
  /** Shows a message beside the rules of this folder's sessions. */
  notify(message: string): void
  /** Lets what is under way come to rest. Nothing of the plugin is left running afterwards. */
  dispose(): Promise<void>
}

/**
 * @param input.host the host's name, as people know it.
 * @param input.directory the folder the host works in, absolute.
 * @param input.worktree the root of the git working tree around it, if any.
 * @param input.env the environment.
 * @param input.home the user's home folder.
 * @param input.rawOptions the plugin's options as the user wrote them.
 * @param input.createPort makes the host's port.
 * @param input.sharesFolder whether the host has several instances for one folder, and copies of the plugin are told apart otherwise.
 * @param input.instructions asks the host for the files that it sends by itself.
 * @param input.tools asks the host for its tools and MCP servers.
 */
export function createRuntime(input: {
  readonly host: string
  readonly directory: string
  readonly worktree: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly rawOptions: unknown
  readonly createPort: () => HostPort
  readonly sharesFolder?: boolean
  readonly tools: FactSources["tools"]
  /** Asks the host for the `instructions` of its configuration, where it tells. */
  readonly instructions?: () => Promise<unknown>
}): Runtime {
  const { directory, env, home } = input
  const worktree = input.worktree === "/" ? undefined : input.worktree
  const host = input.createPort()
  const notices = createNotices(() => latest && state.publish({ ...latest, ...notices.ofState() }))
  /** The state published last. */
  let latest: MatchedRuleState | undefined
  const port: HostPort = {
    ...host,
    log(level, message) {
      host.log(level, message)
      if (level === "warn" || level === "error") notices.add(message)
    },
  }
  const warnOnce = createWarnOnce((message) => port.log("warn", message))
  const { options, warnings } = readOptions(input.rawOptions)
  for (const message of warnings) warnOnce(message)
  const claim = input.sharesFolder === true ? undefined : claimDirectory(directory)
  if (claim?.replacesAnother) {
    warnOnce(
      `the plugin is loaded twice for ${directory}; name it once in the plugin lists. Only the latest one works.`,
    )
  }

  const states = stateDirectory({ ...env }, home)
  const state = createStateWriter(states, warnOnce)
  const receipts = options.receipts ? createReceiptsWriter(states, warnOnce) : undefined
  const { projectLinks, rulesOf = [], packs = [] } = options
  /** What the sidebar must know of the options to show what the sessions have. */
  const told = {
    projectCommands: options.projectCommands,
    ...(rulesOf.length > 0 && { rulesOf }),
    ...(packs.length > 0 && { packs }),
  }
  const place = { env: { ...env }, home, directory, worktree, projectLinks, rulesOf, packs }
  const loader = createRuleLoader(place, states, {
    // The sidebar reads the rule files itself.
    ofRule: createWarnOnce((message) => host.log("warn", message)),
    ofSource: warnOnce,
    loaded: (loaded) => void warnAboutInstructions(loaded),
  })
  /** The host's configuration does not change while it runs the plugin. */
  const instructions = once(async () => input.instructions?.().catch(() => undefined))

  /** Nothing waits for it: it changes no rule. */
  async function warnAboutInstructions({ rulebook, directories }: LoadedRules): Promise<void> {
    const problems = await instructionProblems(rulebook, directories, await instructions(), place)
    for (const problem of problems) warnOnce(formatProblem(problem))
  }

  function runCommand(rule: CompiledRule, command: string, event: ToolEvent): void {
    if (rule.scope.startsWith("pack:")) {
      warnOnce(`${rule.file}: hooks: a command in a pack's rule is never run.`)
      return
    }
    if (rule.scope === "project" && !options.projectCommands) {
      warnOnce(
        `${rule.file}: hooks: a command in a project's rule is not run; set the plugin's option "projectCommands": true in opencode.json to trust this project's commands.`,
      )
      return
    }
    runDetached({
      command,
      cwd: directory,
      event: { ...event, rule: rule.id },
      label: `hook of ${rule.file}`,
      log: (message) => port.log("warn", message),
    })
  }

  function logTrace(dispatch: DispatchTrace): void {
    for (const line of traceLines(dispatch)) port.log("info", line)
  }

  const engine = createEngine({
    port,
    facts: {
      os: process.platform,
      ci: runsInCI(env),
      project: createProjectTags(directory, worktree),
      branch: () => gitBranch(worktree ?? directory),
      tools: input.tools,
    },
    loadRules: loader.load,
    findNested: loader.findNested,
    runCommand,
    publish(news) {
      latest = { ...news, ...told, ...notices.ofState() }
      state.publish(latest)
    },
    retract(sessionID) {
      state.remove(sessionID)
      receipts?.remove(sessionID)
    },
    receipts: receipts && { host: input.host, plugin: VERSION, note: receipts.add },
    maxTokens: options.maxTokens,
    directory,
    maxSessions: options.maxSessions,
    trace: env["OPENCODE_RULEBOOK_DEBUG"] === "1" ? logTrace : undefined,
    now: Date.now,
  })

  return {
    engine,
    options,
    notify: notices.add,
    announce() {
      const said = loader.survey().then((found) => port.log("info", announcement(input.host, directory, found)))
      // What can't be read is reported when a session needs it.
      void said.catch(() => undefined)
    },
    guarded: createHookBoundary((message) => port.log("error", message), claim?.isCurrent),
    async dispose() {
      claim?.release()
      await Promise.all([state.settled(), receipts?.settled()])
    },
  }
}

/** More different warnings than anyone reads; one that comes again after so many others is worth another line. */
const MOST_WARNINGS = 1_000

function createWarnOnce(warn: (message: string) => void): (message: string) => void {
  const said = createRecentSet(MOST_WARNINGS)
  return (message) => {
    const isNew = !said.has(message)
    said.add(message)
    if (isNew) warn(message)
  }
}

function once<T>(compute: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= compute()
    return value
  }
}
