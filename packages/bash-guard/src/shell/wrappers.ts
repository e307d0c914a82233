import { type ArgumentWord, isKnown } from "./reading.ts"
import { literalArgument } from "./words.ts"
import { type WrapperSyntax, wrappers } from "./wrapper-table.ts"

const findOptions = new Set(["-exec", "-execdir", "-ok", "-okdir"])
const fdOptions = new Set(["-x", "-X", "--exec", "--exec-batch"])

export interface Wrapped {
  /** The words of each program that may be started. */
  readonly commands: readonly (readonly ArgumentWord[])[]
  /** An option was not known, so that more than one word may be the program. */
  readonly isUncertain: boolean
}

const nothing: Wrapped = { commands: [], isUncertain: false }

/** The commands that a wrapper starts: the words behind `timeout 5`, each `-exec` of `find`, and so on. */
export function wrappedCommands(program: string, args: readonly ArgumentWord[]): Wrapped {
  if (program === "find" || program === "gfind")
    return { commands: execCommands(args, findOptions), isUncertain: false }
  if (program === "fd" || program === "fdfind") return { commands: execCommands(args, fdOptions), isUncertain: false }
  if (program === "setarch" || /^(linux(32|64)|i386|i686|x86_64|uname26)$/.test(program)) {
    return { commands: fromEachOperand(args), isUncertain: false }
  }
  if (program === "su") return { commands: shellOptions(args), isUncertain: false }
  if (program === "parallel") return { commands: [], isUncertain: args.length > 0 }
  const syntax = syntaxOf(program)
  if (syntax === undefined) return nothing
  const starts = new Set<number>()
  const outcome: Outcome = { starts, splits: [], isUncertain: false }
  readOptions(args, 0, syntax, outcome)
  const commands = [...starts].map((start) => args.slice(start)).filter((words) => words.length > 0)
  if (syntax.appends === true) return { commands: commands.map(withInput), isUncertain: outcome.isUncertain }
  // The words of `env -S` may hold options of env again.
  const split = outcome.splits.map((words) => wrappedCommands(program, words))
  return {
    commands: [...commands, ...split.flatMap((inner) => inner.commands)],
    isUncertain: outcome.isUncertain || split.some((inner) => inner.isUncertain),
  }
}

/** `setarch` takes options before and behind an architecture that may be left out. */
function fromEachOperand(args: readonly ArgumentWord[]): readonly (readonly ArgumentWord[])[] {
  return args.flatMap((word, index) => (word.value.startsWith("-") ? [] : [args.slice(index)]))
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
  const key = program.replaceAll("-", "_")
  if (Object.hasOwn(wrappers, key)) return wrappers[key]
  // The dynamic loader runs the program it is given.
  return /^ld(-linux.*|-musl.*|)\.so(\.\d+)?$/.test(program) ? {} : undefined
}

interface Outcome {
  readonly starts: Set<number>
  readonly splits: ArgumentWord[][]
  isUncertain: boolean
}

/** Walks the options from `index`; where an option is not known it is read both with and without a value. */
function readOptions(args: readonly ArgumentWord[], index: number, syntax: WrapperSyntax, outcome: Outcome): void {
  for (let at = index; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined) return
    const text = word.value
    if (text === "-" && syntax === wrappers["env"]) continue
    if (text === "--" || !/^-./.test(text)) {
      outcome.starts.add(programStart(args, text === "--" ? at + 1 : at, syntax))
      return
    }
    if (!isKnown(word)) outcome.isUncertain = true
    const kind = text.startsWith("--") ? longOption(text, syntax) : shortOptions(text, syntax)
    if (kind === "inert") return
    const split = splitString(args, at)
    if (syntax === wrappers["env"] && split !== undefined) {
      outcome.splits.push(split)
      return
    }
    if (kind === "unknown") {
      outcome.isUncertain = true
      readOptions(args, at + 2, syntax, outcome)
    }
    if (kind === "valued") at += 1
  }
}

function longOption(text: string, syntax: WrapperSyntax): "flag" | "valued" | "unknown" {
  if (text.includes("=")) return "flag"
  const name = text.slice(2)
  if ((syntax.longValued ?? "").split(" ").includes(name)) return "valued"
  return (syntax.longFlags ?? "").split(" ").includes(name) ? "flag" : "unknown"
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

/** `env -S 'rm -rf x' y`: the string is cut into words, the rest follows. */
function splitString(args: readonly ArgumentWord[], at: number): ArgumentWord[] | undefined {
  const match = /^(?:-[a-zA-Z0]*S|--split-string=?)(.*)$/s.exec(args[at]?.value ?? "")
  if (match === null) return undefined
  const attached = match[1] ?? ""
  const text = attached === "" ? (args[at + 1]?.value ?? "") : attached
  const rest = args.slice(attached === "" ? at + 2 : at + 1)
  const words = text.split(/\s+/).filter((word) => word !== "" && !word.includes("="))
  return [...words.map((word) => literalArgument(word.replace(/['"\\]/g, ""))), ...rest]
}

function execCommands(args: readonly ArgumentWord[], options: ReadonlySet<string>): ArgumentWord[][] {
  const commands: ArgumentWord[][] = []
  for (let at = 0; at < args.length; at += 1) {
    if (!options.has(args[at]?.value ?? "")) continue
    const rest = args.slice(at + 1)
    const end = rest.findIndex(
      (word, index) => word.value === ";" || (word.value === "+" && rest[index - 1]?.value === "{}"),
    )
    commands.push(withPlaceholders(end === -1 ? rest : rest.slice(0, end)))
    at += end === -1 ? rest.length : end + 1
  }
  return commands.filter((words) => words.length > 0)
}

/** `{}` becomes a path when it runs. */
function withPlaceholders(words: readonly ArgumentWord[]): ArgumentWord[] {
  return words.map((word) => (word.value.includes("{}") ? { ...word, fragments: word.value.split("{}") } : word))
}

/** `xargs` puts words of its input at the end, or at its replacement text. */
function withInput(words: readonly ArgumentWord[]): ArgumentWord[] {
  const end = words.at(-1)?.end ?? 0
  return [...withPlaceholders(words), { written: "", value: "", fragments: ["", ""], isSplit: true, pos: end, end }]
}
