import { type Assigned, assignmentOf, commandOf, mayAssign } from "./assigned.ts"
import { effectsOf } from "./builtins.ts"
import type { Feed } from "./feed.ts"
import { launchedCommands } from "./launchers.ts"
import { programName } from "./names.ts"
import { type Payload, payloadsOf, type Where } from "./payloads.ts"
import { type ArgumentWord, type FoundCommand, isKnown, type Role } from "./reading.ts"
import { assumedWords, type Values } from "./values.ts"
import { wrappedCommands } from "./wrappers.ts"

/** Where a command stands, and what its expansion may still cost. */
export interface CommandPlace {
  readonly source: string
  readonly stdin: Feed
  readonly values: Values
  /** The command has a redirection of its standard input. */
  readonly redirectsInput: boolean
  readonly budget: { left: number }
}

/** What a script in a string is, and where it runs. */
export interface Script {
  readonly text: string
  /** Nothing in it is left to the shell. */
  readonly isKnown: boolean
  readonly depth: number
  readonly stdin: Feed
  readonly where: Where
  readonly role: Role
  readonly positional: readonly string[]
}

/** What a command's expansion reports to the reader. */
export interface Sink {
  found(command: FoundCommand): void
  doubt(reason: string, text: string): void
  /** A string that a shell will run. */
  script(script: Script): void
  assigns(assigned: Assigned): void
  evaluates(words: readonly ArgumentWord[], written: string, array: string | undefined): void
  positional(words: readonly ArgumentWord[]): void
  attributes(integers: readonly string[], associative: readonly string[]): void
  /** Words that would change what the command does if they were options: a doubt when the script sets them so. */
  suspects(words: readonly Pick<ArgumentWord, "gaps">[], written: string): void
  /** `exec < file` */
  redirectsInput(): void
  /** A shell runs what it reads. */
  readsInput(written: string): void
}

/** More programs than this that one command may start, one through the other, are not followed. */
export const mostExpansions = 24

/** Reports a command, what it starts (however deep), and the scripts it is given as strings. */
export function expandCommand(command: FoundCommand, place: CommandPlace, sink: Sink): void {
  sink.found({ ...command, ...elsewhere(command) })
  place.budget.left -= 1
  if (place.budget.left < 0) {
    sink.doubt("too many commands within one", command.written)
    return
  }
  expandAssumed(command, place, sink)
  const [name, ...args] = command.words
  if (name === undefined) return
  if (!isKnown(name) || hasOddName(name)) {
    sink.doubt("a command whose name is only known when it runs", command.written)
    return
  }
  const program = programName(name.value)
  if (program === "exec" && place.redirectsInput) sink.redirectsInput()
  reportEffects(program, args, command, sink)
  for (const payload of payloadsOf(program, args)) takePayload(payload, command, place, sink)
  expandWrapped(program, args, command, place, sink)
}

/** From which word on a command is about files of a container or another machine: `docker exec app cat /etc/hosts`. */
function elsewhere({ words: [name, ...args] }: FoundCommand): { readonly elsewhereFrom?: number } {
  if (name === undefined || !isKnown(name)) return {}
  const { elsewhere: count } = launchedCommands(programName(name.value), args)
  return count === 0 ? {} : { elsewhereFrom: args.length + 1 - count }
}

/** With variables and braces filled in as far as they stand in the script: whatever that denies is denied. */
function expandAssumed(command: FoundCommand, place: CommandPlace, sink: Sink): void {
  if (command.role === "assumed") return
  for (const words of assumedWords(command.words, place.values)) {
    const { elsewhereFrom: _, ...rest } = command
    const assumed: FoundCommand = { ...rest, role: "assumed", written: textOf(words), words }
    expandCommand(assumed, { ...place, budget: { left: 8 } }, quietSink(sink))
  }
}

/** Only what is found counts, what is found in scripts, and what arithmetic would evaluate. */
function quietSink({ found, script, evaluates }: Sink): Sink {
  const nothing = (): void => {}
  return {
    found,
    script,
    doubt: nothing,
    assigns: nothing,
    evaluates,
    positional: nothing,
    attributes: nothing,
    suspects: nothing,
    redirectsInput: nothing,
    readsInput: nothing,
  }
}

/** An opening bracket may begin a subscript or a glob, read differently by shells; zsh looks up what stands behind `=`. */
function hasOddName(name: ArgumentWord): boolean {
  return (name.written.includes("[") && name.written !== "[") || name.written.startsWith("=")
}

function reportEffects(program: string, args: readonly ArgumentWord[], command: FoundCommand, sink: Sink): void {
  const effects = effectsOf(program, args)
  for (const assigned of effects.assigned) sink.assigns(assigned)
  for (const { word, array } of effects.evaluated) sink.evaluates([word], command.written, array)
  for (const reason of effects.doubts) sink.doubt(reason, command.written)
  sink.positional(effects.positional)
  sink.attributes(effects.integers, effects.associative)
  sink.suspects(effects.suspects, command.written)
}

function expandWrapped(
  program: string,
  args: readonly ArgumentWord[],
  command: FoundCommand,
  place: CommandPlace,
  sink: Sink,
): void {
  const wrapped = wrappedCommands(program, args)
  if (wrapped.isUncertain) sink.doubt("a wrapper with words that are not known", command.written)
  sink.suspects(
    wrapped.suspects.map((gap) => ({ gaps: [gap] })),
    command.written,
  )
  for (const word of wrapped.assignments) reportAssignment(word, command, sink)
  const started = (words: readonly ArgumentWord[], role: Role, elsewhereFrom?: number): FoundCommand => ({
    role: command.role === "assumed" ? "assumed" : role,
    written: writtenText(words, place.source),
    assignments: [],
    words,
    depth: command.depth,
    isInString: command.isInString,
    ...(elsewhereFrom === undefined ? {} : { elsewhereFrom }),
  })
  const role = command.role === "launched" ? "launched" : "wrapped"
  for (const words of wrapped.commands) expandCommand(started(words, role, command.elsewhereFrom), place, sink)
  for (const { words, isElsewhere } of wrapped.launched) {
    expandCommand(started(words, "launched", isElsewhere ? 0 : undefined), place, quietSink(sink))
  }
  for (const words of wrapped.scripts) {
    takePayload({ kind: "script", words, where: "shell" }, { ...command, role: "launched" }, place, quietSink(sink))
  }
}

function reportAssignment(word: ArgumentWord, command: FoundCommand, sink: Sink): void {
  const assigned = assignmentOf(word, /^([^=]+)=/)
  if (assigned !== undefined) sink.assigns(assigned)
  else if (mayAssign(word)) sink.assigns({ name: undefined, kind: "input", written: command.written })
}

/** Scripts that a variable's value is for other programs, such as `GIT_PAGER`. */
export function takeCommandVariable(assigned: Assigned, depth: number, sink: Sink): void {
  const value = commandOf(assigned)
  if (value === undefined) return
  const text = scriptText([value])
  const script: Script = {
    text,
    isKnown: isKnown(value),
    depth: depth + 1,
    stdin: { kind: "unknown" },
    where: "foreign",
    role: "launched",
    positional: [],
  }
  sink.script(script)
}

/** A variable stands where text is missing: what it makes of the script can't be known either. */
function scriptText(words: readonly ArgumentWord[]): string {
  return words.map((word) => word.fragments.join("$_")).join(" ")
}

function takePayload(payload: Payload, command: FoundCommand, place: CommandPlace, sink: Sink): void {
  if (payload.kind === "unknown") {
    sink.doubt("a script that is only known when it runs", command.written)
    return
  }
  const { where, positional = [] } = payload
  sink.positional(positional)
  const role: Role = command.role === "launched" || command.role === "assumed" ? command.role : "simple"
  const common = { depth: command.depth + 1, where, role, positional: knownTexts(positional) }
  if (payload.kind === "script") {
    const isWhole = payload.words.every(isKnown)
    sink.script({ ...common, text: scriptText(payload.words), isKnown: isWhole, stdin: place.stdin })
    return
  }
  sink.readsInput(command.written)
  if (place.stdin.kind !== "text") {
    sink.doubt("a shell whose script comes from its input", command.written)
    return
  }
  sink.script({ ...common, text: place.stdin.text, isKnown: place.stdin.known, stdin: { kind: "unknown" } })
}

function knownTexts(words: readonly ArgumentWord[]): readonly string[] {
  const end = words.findIndex((word) => !isKnown(word))
  return (end === -1 ? words : words.slice(0, end)).map((word) => word.value)
}

function writtenText(words: readonly ArgumentWord[], source: string): string {
  const first = words[0]
  const last = words.findLast((word) => word.written !== "")
  if (first === undefined || last === undefined) return ""
  const slice = source.slice(first.pos, last.end)
  if (slice.startsWith(first.written) && slice.endsWith(last.written) && last.end > first.pos) return slice
  return textOf(words)
}

function textOf(words: readonly ArgumentWord[]): string {
  return words
    .map((word) => word.written)
    .filter((text) => text !== "")
    .join(" ")
}
