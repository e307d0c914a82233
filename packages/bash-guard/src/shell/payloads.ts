import { type ArgumentWord, isKnown, mayBeOption } from "./reading.ts"
import { cutWord } from "./words.ts"

/** A script that a command is given. */
export type Payload =
  /** The words, joined by spaces, are the script. */
  | {
      readonly kind: "script"
      readonly words: readonly ArgumentWord[]
      readonly where: Where
      /** `$0`, `$1` and so on. */
      readonly positional?: readonly ArgumentWord[]
    }
  /** It comes from standard input. */
  | { readonly kind: "input"; readonly where: Where; readonly positional?: readonly ArgumentWord[] }
  | { readonly kind: "unknown" }

/** Which shell runs a script: this one, now or later; one of its own; or one whose language is not bash's. */
export type Where = "here" | "later" | "shell" | "foreign"

const bashLike: ReadonlySet<string> = new Set(
  "sh bash zsh ksh dash ash mksh ksh93 rbash rksh lksh oksh pdksh loksh yash posh hush osh ysh bash5 rzsh".split(" "),
)
const foreign: ReadonlySet<string> = new Set("fish csh tcsh pwsh powershell nu elvish xonsh rc es ion murex".split(" "))
const commandOption = /^(-[a-zA-Z]*c|--command|--session-command)$/
const attachedCommand = /^--(session-)?command=/

/** The scripts in the arguments of `eval`, `sh -c`, `trap`, `su -c`, `watch` and the like, and of a shell fed by its input. */
export function payloadsOf(program: string, args: readonly ArgumentWord[]): readonly Payload[] {
  if (bashLike.has(program)) return shellPayload(args, "shell")
  if (foreign.has(program)) return foreignPayload(args)
  switch (program) {
    case "eval":
      return [script(withoutDashes(args), "here")]
    case "trap":
      return trapPayload(args)
    case "source":
    case ".":
      return sourcePayload(withoutDashes(args))
    case "su":
    case "script":
    case "flock":
    case "emulate":
    case "runuser":
      return optionPayload(args)
    case "watch":
      return watchPayload(args)
    case "mapfile":
    case "readarray":
      return callbackPayload(args)
    case "alias":
      return aliasPayload(args)
    case "at":
    case "batch":
      return [{ kind: "input", where: "later" }]
    case "parallel":
    case "sem":
      return parallelPayload(args)
    default:
      return []
  }
}

function script(words: readonly ArgumentWord[], where: Where): Payload {
  return { kind: "script", words, where }
}

function withoutDashes(args: readonly ArgumentWord[]): readonly ArgumentWord[] {
  return args[0]?.value === "--" ? args.slice(1) : args
}

/** `-` alone resets a signal, `-p` and `-l` print; whatever else stands before the signals is a script. */
function trapPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const [action, ...signals] = withoutDashes(args)
  if (action === undefined || (args[0] === action && /^-[lpP]+$/.test(action.value))) return []
  if (action.isSplit) return [{ kind: "unknown" }, script([action], "later")]
  if (signals.length === 0 || action.value === "-" || action.value === "") return []
  return [script([action], "later")]
}

function sourcePayload([file, ...positional]: readonly ArgumentWord[]): readonly Payload[] {
  if (file === undefined) return []
  if (isStandardInput(file)) return [{ kind: "input", where: "here", positional: [file, ...positional] }]
  return isPlainFile(file) ? [] : [{ kind: "unknown" }]
}

/** `su -c '…'`, `flock file -c '…'`, `script --command='…'`. */
function optionPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const attached = args.find((word) => attachedCommand.test(word.fragments[0] ?? ""))
  if (attached !== undefined) return [script([cutWord(attached, attached.value.indexOf("=") + 1)], "shell")]
  const glued = args.find((word) => /^-c./.test(word.value) || (/^-c/.test(word.value) && !isKnown(word)))
  if (glued !== undefined) return [script([cutWord(glued, 2)], "shell")]
  const option = args.findIndex((word) => commandOption.test(word.value))
  const value = option === -1 ? undefined : args[option + 1]
  return value === undefined ? [] : [script([value], "shell")]
}

function watchPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const first = args.findIndex((word) => !word.value.startsWith("-") && !/^[\d.]+$/.test(word.value))
  return first === -1 ? [] : [script(args.slice(first), "later")]
}

/** `mapfile -C 'script'`; an option that only the shell knows may be one. */
function callbackPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const unknown: readonly Payload[] = args.some((word) => mayBeOption(word) && word.isSplit)
    ? [{ kind: "unknown" }]
    : []
  const at = args.findIndex((word) => /^-[a-z]*C/.test(word.value))
  const option = args[at]
  if (option === undefined) return unknown
  const length = option.value.indexOf("C") + 1
  const value = option.value.length > length ? cutWord(option, length) : args[at + 1]
  return [...unknown, ...(value === undefined ? [] : [script([value], "later")])]
}

/** The commands that aliases stand for. */
function aliasPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  return args.flatMap((word): readonly Payload[] => {
    const head = /^[^=]*=/.exec(word.fragments[0] ?? "")
    if (head === null) return isKnown(word) ? [] : [{ kind: "unknown" }]
    const text = cutWord(word, head[0].length)
    return text.value.trim() === "" ? [] : [script([text], "later")]
  })
}

const parallelValued =
  /^(-[jNnLXslISdCa]|--(jobs|max-args|delay|timeout|retries|joblog|results|colsep|arg-file|tmpdir|nice|load|halt|sshlogin))$/

/** GNU parallel has a shell run its words with an argument behind them, or the arguments themselves when there are no words. */
function parallelPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const marks = args.findIndex((word) => /^:::(:|\+|)/.test(word.value))
  const words = marks === -1 ? args : args.slice(0, marks)
  let start = 0
  while (words[start]?.value.startsWith("-") === true) start += parallelValued.test(words[start]?.value ?? "") ? 2 : 1
  const command = words.slice(start)
  if (command.some((word) => word.isSplit) || words.slice(0, start).some((word) => !isKnown(word))) {
    return [{ kind: "unknown" }, script(command, "shell")]
  }
  if (command.length > 0)
    return /^\{/.test(command[0]?.value ?? "") ? [{ kind: "unknown" }] : [script(command, "shell")]
  if (marks === -1 || args[marks]?.value.startsWith("::::") === true) return [{ kind: "unknown" }]
  return args.slice(marks + 1).map((word) => script([word], "shell"))
}

const valueOptions = new Set(["--rcfile", "--init-file", "--emulate"])

/** A shell's own arguments: `-c` may stand anywhere among the options, then the first operand is the script. */
function shellPayload(args: readonly ArgumentWord[], where: Where): readonly Payload[] {
  let takesString = false
  let readsInput = false
  let index = 0
  for (; index < args.length; index += 1) {
    const word = args[index]
    if (word === undefined || (!isKnown(word) && takesString && !word.isSplit)) break
    const text = word.value
    if (!isKnown(word)) return isPlainFile(word) ? [] : [{ kind: "unknown" }]
    if (text === "--" || text === "-") {
      index += 1
      break
    }
    if (/^--(help|version)$/.test(text)) return []
    if (text.startsWith("--")) {
      if (valueOptions.has(text)) index += 1
      continue
    }
    if (!/^[-+]./.test(text)) break
    // Shells take these two behind a `+` as well (measured on bash 5.2 and dash).
    takesString ||= text.includes("c")
    readsInput ||= text.includes("s")
    // Each `o` or `O` of a cluster takes the next word.
    index += text.replace(/[^oO]/g, "").length
  }
  const operand = args[index]
  const positional = args.slice(takesString ? index + 1 : index)
  if (takesString) return operand === undefined ? [] : [{ kind: "script", words: [operand], where, positional }]
  if (operand === undefined || isStandardInput(operand)) return [{ kind: "input", where, positional }]
  if (readsInput) return [{ kind: "input", where, positional: [operand, ...positional] }]
  return isPlainFile(operand) ? [] : [{ kind: "unknown" }]
}

/** Shells of another language: the script is looked at as if it were bash, and never trusted. */
function foreignPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const at = args.findIndex((word) =>
    /^(-[a-zA-Z]*c|--commands?|-Command|-EncodedCommand|--init-command|-C)$/i.test(word.value),
  )
  if (at !== -1) return [{ kind: "unknown" }, script(args.slice(at + 1), "foreign")]
  const attached = args.find((word) => /^--(init-)?commands?=/.test(word.value))
  if (attached !== undefined) {
    return [{ kind: "unknown" }, script([cutWord(attached, attached.value.indexOf("=") + 1)], "foreign")]
  }
  const operand = args.find((word) => !word.value.startsWith("-"))
  if (operand === undefined)
    return args.some((word) => /^--?(version|help|v|h)$/i.test(word.value)) ? [] : [{ kind: "unknown" }]
  return isPlainFile(operand) ? [] : [{ kind: "unknown" }]
}

/** Whatever leads to descriptor 0, by whatever path: a folder before it may be `/dev` by an earlier `cd`. */
function isStandardInput(word: ArgumentWord): boolean {
  return isKnown(word) && /(^|\/)(stdin|fd\/+0+|-)$/.test(word.value.replace(/\/\.(?=\/)/g, ""))
}

/** A script file, of which the contents are the file's affair; not a descriptor, a device, or who knows what. */
function isPlainFile(word: ArgumentWord): boolean {
  const last = word.fragments.at(-1) ?? ""
  if (!isKnown(word) && (!/[\w)\]-][\w. -]*\.\w+$|\/[\w.-]*[A-Za-z][\w.-]*$/.test(last) || word.isSplit)) return false
  return !/(^|\/)(stdin|tty|\d+)$|^\/+(dev|proc)\//.test(last)
}
