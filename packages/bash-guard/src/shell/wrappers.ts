import { execCommands } from "./exec-options.ts"
import { type Launched, launchedCommands } from "./launchers.ts"
import { programName } from "./names.ts"
import { withPlaceholders } from "./placeholders.ts"
import { type ArgumentWord, type Gap, isKnown, mayBeOption } from "./reading.ts"
import { splitEnvString } from "./split-string.ts"
import { literalArgument, wordOf } from "./words.ts"
import { type WrapperSyntax, wrappers } from "./wrapper-table.ts"

export interface Wrapped extends Launched {
  /** The words of each program that may be started. */
  readonly commands: readonly (readonly ArgumentWord[])[]
  /** `NAME=value` words that are set for that program. */
  readonly assignments: readonly ArgumentWord[]
  /** An option was not known, or a word may vanish or become several, so that more than one word may be the program. */
  readonly isUncertain: boolean
  /** Expansions that may hold the option that starts a program. */
  readonly suspects: readonly Gap[]
}

const nothing: Wrapped = {
  commands: [],
  assignments: [],
  isUncertain: false,
  suspects: [],
  launched: [],
  scripts: [],
  elsewhere: 0,
}

/** More words than this that may be the program are not followed; where there are several, it is not known anyway. */
const mostStarts = 8

/** The commands that a wrapper starts: the words behind `timeout 5`, each `-exec` of `find`, and so on. */
export function wrappedCommands(program: string, args: readonly ArgumentWord[]): Wrapped {
  const found = { ...nothing, ...launchedCommands(program, args) }
  const exec = execCommands(program, args)
  if (exec !== undefined) return { ...found, ...exec }
  if (program === "setarch" || /^(linux(32|64)|i386|i686|x86_64|uname26)$/.test(program)) {
    return { ...found, ...fromEachOperand(args) }
  }
  if (program === "su") return { ...found, commands: shellOptions(args) }
  if (program === "jobs") return { ...found, ...fromOption(args, "-x") }
  const syntax = syntaxOf(program)
  return syntax === undefined ? found : { ...found, ...fromSyntax(program, args, syntax) }
}

type Started = Pick<Wrapped, "commands" | "assignments" | "isUncertain">

function fromSyntax(program: string, args: readonly ArgumentWord[], syntax: WrapperSyntax): Started {
  const outcome = readOptions(args, syntax)
  const starts = [...outcome.starts].slice(0, mostStarts)
  const commands = starts.map((start) => args.slice(start)).filter((words) => words.length > 0)
  const isUncertain = outcome.isUncertain || starts.some((start) => mayShift(args, start, outcome))
  if (syntax.appends === true) {
    const mark = replacedText(args, starts[0] ?? args.length)
    return { commands: commands.map((words) => withInput(words, mark)), assignments: [], isUncertain }
  }
  // The words of `env -S` may hold options of env again.
  const split = outcome.splits.map((words) => wrappedCommands(program, words))
  const before = [...new Set(starts.flatMap((start) => args.slice(0, start)))]
  return {
    commands: [...commands, ...split.flatMap((inner) => inner.commands)],
    assignments: [
      ...(syntax.takesAssignments === true ? before.filter((word) => mayBeAssignment(word)) : []),
      ...split.flatMap((inner) => inner.assignments),
    ],
    isUncertain: isUncertain || split.some((inner) => inner.isUncertain),
  }
}

function mayBeAssignment(word: ArgumentWord): boolean {
  return word.value.includes("=") && !word.value.startsWith("-")
}

/** Whether a word before the program may vanish, become several, or turn out to be an option. */
function mayShift(args: readonly ArgumentWord[], start: number, { values }: Outcome): boolean {
  return args.slice(0, start).some((word, at) => word.isSplit || (mayBeOption(word) && !values.has(at)))
}

/** `setarch` takes options before and behind an architecture that may be left out. */
function fromEachOperand(args: readonly ArgumentWord[]): Started {
  const starts = args.flatMap((word, index) => (word.value.startsWith("-") ? [] : [index]))
  // The architecture may be left out.
  const near = starts.slice(0, 2)
  return {
    commands: near.map((start) => args.slice(start)),
    assignments: [],
    isUncertain: args.slice(0, near.at(-1)).some((word) => word.isSplit),
  }
}

/** `jobs -x command`. */
function fromOption(args: readonly ArgumentWord[], option: string): Started {
  const at = args.findIndex((word) => word.value.startsWith("-") && word.value.includes(option.slice(1)))
  const isUncertain = args.slice(0, at === -1 ? args.length : at).some((word) => word.isSplit || mayBeOption(word))
  return {
    commands: at === -1 ? [] : [args.slice(at + 1)].filter((words) => words.length > 0),
    assignments: [],
    isUncertain,
  }
}

/** The shell that `su -s` starts. */
function shellOptions(args: readonly ArgumentWord[]): readonly (readonly ArgumentWord[])[] {
  return args.flatMap((word, index) => {
    const attached = /^--shell=(.+)$/s.exec(word.value)?.[1] ?? /^-s(.+)$/s.exec(word.value)?.[1]
    if (attached !== undefined) return [[literalArgument(attached)]]
    const next = args[index + 1]
    return /^(-s|--shell)$/.test(word.value) && next !== undefined ? [[next]] : []
  })
}

function syntaxOf(program: string): WrapperSyntax | undefined {
  const key = programName(program).replaceAll("-", "_")
  if (Object.hasOwn(wrappers, key)) return wrappers[key]
  // The dynamic loader runs the program it is given.
  return /^ld(-linux.*|-musl.*|)\.so(\.\d+)?$/.test(program) ? {} : undefined
}

interface Outcome {
  readonly starts: Set<number>
  /** The words that are values of options. */
  readonly values: Set<number>
  readonly splits: ArgumentWord[][]
  isUncertain: boolean
}

/** Walks the options; where one is not known, it is read both with and without a value. */
function readOptions(args: readonly ArgumentWord[], syntax: WrapperSyntax): Outcome {
  const outcome: Outcome = { starts: new Set(), values: new Set(), splits: [], isUncertain: false }
  const isReached = [true]
  for (const [at, word] of args.entries()) {
    if (isReached[at] !== true) continue
    const text = word.value
    if (text === "-" && syntax === wrappers["env"]) {
      isReached[at + 1] = true
      continue
    }
    if (text === "--" || !/^-./.test(text)) {
      outcome.starts.add(programStart(args, text === "--" ? at + 1 : at, syntax))
      continue
    }
    if (!isKnown(word)) outcome.isUncertain = true
    const kind = text.startsWith("--") ? longOption(text, syntax) : shortOptions(text, syntax)
    if (kind === "inert") continue
    const split = syntax === wrappers["env"] ? splitEnvString(args, at) : undefined
    if (split !== undefined) {
      outcome.splits.push(split)
      continue
    }
    if (kind === "unknown") outcome.isUncertain = true
    if (kind === "valued") outcome.values.add(at + 1)
    if (kind !== "valued") isReached[at + 1] = true
    if (kind === "unknown" || kind === "valued") isReached[at + 2] = true
  }
  return outcome
}

/** GNU programs take a long option by any beginning that only one has. */
function longOption(text: string, syntax: WrapperSyntax): "flag" | "valued" | "unknown" {
  if (text.includes("=")) return "flag"
  const name = text.slice(2)
  const valued = (syntax.longValued ?? "").split(" ").filter((option) => option !== "")
  const flags = (syntax.longFlags ?? "").split(" ").filter((option) => option !== "")
  if (valued.includes(name)) return "valued"
  if (flags.includes(name)) return "flag"
  const mayBeValued = valued.some((option) => option.startsWith(name))
  const mayBeFlag = flags.some((option) => option.startsWith(name))
  if (mayBeValued === mayBeFlag) return "unknown"
  return mayBeValued ? "valued" : "flag"
}

function shortOptions(text: string, syntax: WrapperSyntax): "flag" | "valued" | "inert" | "unknown" {
  if (syntax.numeric === true && /^-\d+$/.test(text)) return "flag"
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (syntax.inert?.includes(letter) === true) return "inert"
    if (syntax.valued?.includes(letter) === true) return at === text.length - 1 ? "valued" : "flag"
    if (syntax.flags?.includes(letter) !== true) return "unknown"
  }
  return "flag"
}

/** The index of the program behind assignments and operands; `env` and `sudo` take options before assignments only. */
function programStart(args: readonly ArgumentWord[], index: number, syntax: WrapperSyntax): number {
  let at = index
  while (syntax.takesAssignments === true && (args[at]?.value ?? "").includes("=")) at += 1
  return at + (syntax.operands ?? 0)
}

/** The text that `xargs -I` replaces by words of its input. */
function replacedText(args: readonly ArgumentWord[], end: number): string {
  for (const [at, { value }] of args.slice(0, end).entries()) {
    const attached = /^(?:-[a-zA-Z0]*[IiJR]|--replace=)(.+)/s.exec(value)?.[1]
    if (attached !== undefined) return attached
    if (/^-[a-zA-Z0]*[IJR]$/.test(value)) return args[at + 1]?.value ?? "{}"
  }
  return "{}"
}

/** `xargs` puts words of its input at the end, or at its replacement text. */
function withInput(words: readonly ArgumentWord[], mark: string): ArgumentWord[] {
  const input: Gap = { text: "", isQuoted: false }
  return [...withPlaceholders(words, mark), wordOf(["", ""], [input])]
}
