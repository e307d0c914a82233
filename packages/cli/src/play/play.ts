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

/** What a dry run knows of the machine and the rules' places. */
export interface Surroundings {
  readonly directory: string
  readonly sources: FactSources
  /** Finds the rules of folders below the directory. */
  readonly findNested?: NonNullable<EngineOptions["findNested"]>
}

/** One turn that a dry run is told. */
export interface Scenario extends Surroundings {
  readonly turn: Turn
  /** Files that the agent reads, one request after the other. */
  readonly files: readonly GivenFile[]
  /** Tool calls after that. */
  readonly calls: readonly GivenCall[]
}

/** A file that the agent is taken to have read. `content` is undefined when only its path is known. */
export interface GivenFile {
  readonly path: string
  readonly content: string | undefined
}

export interface GivenCall {
  readonly tool: string
  readonly args: unknown
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
  /** What happened before each request but the first: a call, or a further prompt, which is undefined. */
  readonly steps: readonly (PlayedStep | undefined)[]
  /** What each request came to: the turn's first, then the one after each step. */
  readonly requests: readonly DispatchTrace[]
}

const SESSION = "dry-run"

/** Plays a turn on the plugin's own engine: the prompt, the turn's first request, then each call and the request after it. */
export async function playTurn(rulebook: Rulebook, scenario: Scenario): Promise<PlayedTurn> {
  const { turn, files, calls } = scenario
  return await playSession(rulebook, scenario, [{ turn, steps: [...files.map(readStep), ...calls.map(callStep)] }])
}

/** A turn of a session: what begins it, and the calls in it. */
export interface GivenTurn {
  readonly turn: Turn
  readonly steps: readonly Step[]
}

/** Plays turns one after the other in one session. */
export async function playSession(
  rulebook: Rulebook,
  { directory, sources, findNested }: Surroundings,
  turns: readonly GivenTurn[],
): Promise<PlayedTurn> {
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

  const played: (PlayedStep | undefined)[] = []
  for (const [index, { turn, steps }] of turns.entries()) {
    host.add((await engine.prompt(SESSION, turn))?.rules ?? [])
    await request()
    // What comes with a later prompt comes after no call.
    if (index > 0) played.push(undefined)
    for (const step of steps) {
      const event = { sessionID: SESSION, tool: step.tool, args: step.args }
      const blocked = (await engine.toolStarting(event)) !== undefined
      if (!blocked) await engine.toolSucceeded(event, step.observations)
      played.push({ ...step, blocked })
      host.add([])
      await engine.safePoint(SESSION)
      await request()
    }
  }
  return { steps: played, requests }
}

/** A call before it is played. */
export type Step = Omit<PlayedStep, "blocked">

function readStep({ path, content }: GivenFile): Step {
  return {
    tool: "read",
    args: { filePath: path },
    file: path,
    observations: [{ path, tool: "read", content }],
  }
}

function callStep({ tool, args }: GivenCall): Step {
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
