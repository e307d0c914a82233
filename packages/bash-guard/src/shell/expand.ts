import { evaluatesSubscripts, hasEvaluatedText, isRedefinition, setsEvaluatedVariable } from "./builtins.ts"
import type { Feed } from "./feed.ts"
import { baseName } from "./names.ts"
import { type Payload, payloadsOf } from "./payloads.ts"
import { type ArgumentWord, type FoundCommand, isKnown } from "./reading.ts"
import type { Place } from "./visitor.ts"
import { wrappedCommands } from "./wrappers.ts"

/** Where the reading of a script starts: that of the command line, or of a payload in it. */
export type Start = Pick<Place, "depth" | "deferred" | "stdin">

/** What a command's expansion may ask of the reader. */
export interface Sink {
  found(command: FoundCommand): void
  doubt(reason: string, text: string): void
  /** A string that a shell will run. */
  payload(text: string, known: boolean, start: Start): void
  /** Quoted text may be evaluated as arithmetic somewhere in this script. */
  evaluatesArithmetic(): void
  /** There is quoted text that arithmetic would run. */
  hasEvaluatedText(): void
}

interface CommandPlace {
  readonly source: string
  readonly stdin: Feed
}

/** Reports a command, what it wraps (however deep), and the scripts it is given as strings. */
export function expandCommand(command: FoundCommand, place: CommandPlace, sink: Sink): void {
  sink.found(command)
  if ([...command.assignments, ...command.words.map((word) => word.value)].some(setsEvaluatedVariable)) {
    sink.doubt("a variable whose text the shell runs", command.written)
  }
  const [name, ...args] = command.words
  if (name === undefined) return
  if (!isKnown(name) || hasOddName(name)) {
    sink.doubt("a command whose name is only known when it runs", command.written)
    return
  }
  const program = baseName(name.value)
  if (evaluatesSubscripts(program, args)) sink.evaluatesArithmetic()
  if (hasEvaluatedText(program, args)) sink.hasEvaluatedText()
  if (isRedefinition(program, args)) sink.doubt("a builtin that makes other text run", command.written)
  for (const payload of payloadsOf(program, args)) takePayload(payload, command, place, sink)
  const wrapped = wrappedCommands(program, args)
  if (wrapped.isUncertain) sink.doubt("a wrapper with options that are not known", command.written)
  for (const words of wrapped.commands) {
    const written = writtenText(words, place.source)
    expandCommand({ ...command, role: "wrapped", assignments: [], words, written }, place, sink)
  }
}

/** An opening bracket may begin a subscript or a glob, read differently by shells; zsh looks up what stands behind `=`. */
function hasOddName(name: ArgumentWord): boolean {
  return (name.written.includes("[") && name.written !== "[") || name.written.startsWith("=")
}

function takePayload(payload: Payload, command: FoundCommand, place: CommandPlace, sink: Sink): void {
  const start = { depth: command.depth + 1, deferred: command.deferred, stdin: place.stdin }
  switch (payload.kind) {
    case "script": {
      // A variable stands where text is missing: what it makes of the script can't be known either.
      const text = payload.words.map((word) => word.fragments.join("$_")).join(" ")
      const deferred = start.deferred || payload.deferred
      sink.payload(text, payload.words.every(isKnown), { ...start, deferred })
      return
    }
    case "input":
      if (place.stdin.kind === "text") {
        sink.payload(place.stdin.text, place.stdin.known, { ...start, stdin: { kind: "unknown" } })
      } else {
        sink.doubt("a shell whose script comes from its input", command.written)
      }
      return
    case "unknown":
      sink.doubt("a script that is only known when it runs", command.written)
      return
    default:
      payload satisfies never
  }
}

function writtenText(words: readonly ArgumentWord[], source: string): string {
  const first = words[0]
  const last = words.findLast((word) => word.written !== "")
  if (first === undefined || last === undefined) return ""
  const slice = source.slice(first.pos, last.end)
  if (slice.startsWith(first.written) && slice.endsWith(last.written)) return slice
  return words
    .map((word) => word.written)
    .filter((text) => text !== "")
    .join(" ")
}
