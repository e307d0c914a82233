import type { FileObservation } from "@opencode-rulebook/rule-schema"
import { observeArguments, type StoredEvent, type Turn } from "@opencode-rulebook/server/dry-run"
import type { Events } from "./play.ts"

/** One turn that a dry run is told. */
export interface GivenTurn {
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

/**
 * A call that writes a whole file.
 *
 * @param path absolute.
 */
export function writeOf(path: string, content: string): GivenCall {
  return { tool: "write", args: { filePath: path, content } }
}

/** What happens in a turn: the prompt, its first request, then each call and the request after it. A held call is made again. */
export function eventsOfTurn({ turn, files, calls }: GivenTurn): Events {
  const steps = [...files.map(readStep), ...calls.map(callStep)]
  const prompt: StoredEvent = { at: 0, kind: "prompt", messageID: "prompt", turn }
  return {
    keeps: { kind: "part" },
    repeatsHeld: true,
    events: [prompt, REQUEST, ...steps.flatMap((step, index) => [...eventsOfStep(step, index), REQUEST])],
  }
}

const REQUEST: StoredEvent = { at: 0, kind: "request", turn: {} }

interface Step extends GivenCall {
  /** The given file that it reads. */
  readonly file: string | undefined
  readonly observations: readonly FileObservation[]
}

function readStep({ path, content }: GivenFile): Step {
  return { tool: "read", args: { filePath: path }, file: path, observations: [{ path, tool: "read", content }] }
}

function callStep({ tool, args }: GivenCall): Step {
  return { tool, args, file: undefined, observations: observeArguments(tool, args) }
}

function eventsOfStep({ tool, args, file, observations }: Step, index: number): readonly StoredEvent[] {
  const call = { id: `call ${index}`, tool, args, file, isHosts: false }
  return [
    { at: 0, kind: "message", messageID: `answer ${index}`, isUsers: false, calls: [call.id] },
    { at: 0, kind: "call starts", call, isSafePoint: true },
    { at: 0, kind: "call ends", call, observations, isSafePoint: true },
  ]
}
