import type { FileObservation, Rulebook } from "@opencode-rulebook/rule-schema"
import {
  createEngine,
  type DispatchTrace,
  type EngineOptions,
  type FactSources,
  type HostPort,
  observeArguments,
  type Turn,
  type VisibleDelivery,
} from "@opencode-rulebook/server/dry-run"
import type { GivenFile } from "./flags.ts"

/** What a dry run is told. */
export interface Scenario {
  readonly directory: string
  readonly turn: Turn
  readonly sources: FactSources
  /** Files that the agent reads, one request after the other. */
  readonly files: readonly GivenFile[]
  /** Finds the rules of folders below the directory. */
  readonly findNested?: NonNullable<EngineOptions["findNested"]>
  /** A tool call after that. */
  readonly call: { readonly tool: string; readonly args: unknown } | undefined
}

/** One tool call of the turn. */
export interface PlayedStep {
  readonly tool: string
  readonly args: unknown
  /** The given file that it reads; undefined for a given call. */
  readonly file: string | undefined
  /** What it shows the agent of files, unless it is blocked. */
  readonly observations: readonly FileObservation[]
  /** Whether a hook rejected it. */
  readonly blocked: boolean
}

export interface PlayedTurn {
  readonly steps: readonly PlayedStep[]
  /** What each request came to: the turn's first, then the one after each step. */
  readonly requests: readonly DispatchTrace[]
}

const SESSION = "dry-run"

/** Plays a scenario on the plugin's own engine: the prompt, the turn's first request, then each call and the request after it. */
export async function playTurn(rulebook: Rulebook, scenario: Scenario): Promise<PlayedTurn> {
  const { directory, turn, sources, findNested, files, call } = scenario
  const host = recordingHost()
  const requests: DispatchTrace[] = []
  const engine = createEngine({
    port: host.port,
    facts: sources,
    loadRules: async () => rulebook,
    ...(findNested && { findNested }),
    runCommand: () => undefined,
    publish: () => undefined,
    retract: () => undefined,
    directory,
    maxSessions: 1,
    trace: (dispatch) => requests.push(dispatch),
    now: Date.now,
  })
  const request = () => engine.dispatch(SESSION, host.history, {})

  host.add((await engine.prompt(SESSION, turn))?.rules ?? [])
  await request()
  const steps: PlayedStep[] = []
  for (const step of [...files.map(readStep), ...(call ? [callStep(call)] : [])]) {
    const event = { sessionID: SESSION, tool: step.tool, args: step.args }
    const blocked = (await engine.toolStarting(event)) !== undefined
    if (!blocked) await engine.toolSucceeded(event, step.observations)
    steps.push({ ...step, blocked })
    host.add([])
    await engine.freeMoment(SESSION)
    await request()
  }
  return { steps, requests }
}

type Step = Omit<PlayedStep, "blocked">

function readStep({ path, content }: GivenFile): Step {
  return {
    tool: "read",
    args: { filePath: path },
    file: path,
    observations: [{ path, tool: "read", content }],
  }
}

function callStep({ tool, args }: NonNullable<Scenario["call"]>): Step {
  return { tool, args, file: undefined, observations: observeArguments(tool, args) }
}

/** A host that stores what it is given and shows all of it. */
function recordingHost() {
  const messages: string[] = []
  const deliveries: VisibleDelivery[] = []
  const port: HostPort = {
    async persist(_sessionID, { rules }) {
      return { kind: "stored", messageID: add(rules) }
    },
    storedDeliveries: async () => ({
      kind: "read",
      deliveries: deliveries.map(({ messageID, rules }) => ({ messageID, rules, id: undefined })),
    }),
    log: () => undefined,
  }
  return { port, add, history: { messages, deliveries } }

  /** A new message, with the rules that it delivers. */
  function add(rules: VisibleDelivery["rules"]): string {
    const messageID = `message ${messages.length + 1}`
    messages.push(messageID)
    if (rules.length > 0) deliveries.push({ messageID, part: 0, rules })
    return messageID
  }
}
