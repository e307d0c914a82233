import { type ArgumentWord, isKnown } from "./reading.ts"

/** A script that a command is given. */
export type Payload =
  /** The words, joined by blanks, are the script; `deferred` when it runs later or again. */
  | { readonly kind: "script"; readonly words: readonly ArgumentWord[]; readonly deferred: boolean }
  /** It comes from standard input. */
  | { readonly kind: "input" }
  | { readonly kind: "unknown" }

const shellNames: ReadonlySet<string> = new Set("sh bash zsh ksh dash ash mksh ksh93 rbash rksh yash posh".split(" "))
const commandOption = /^(-[a-zA-Z]*c|--command|--session-command)$/
const attachedCommand = /^--(session-)?command=/

/** The scripts in the arguments of `eval`, `sh -c`, `trap`, `su -c`, `watch` and the like, and of a shell fed by its input. */
export function payloadsOf(program: string, args: readonly ArgumentWord[]): readonly Payload[] {
  if (shellNames.has(program)) return shellPayload(args)
  switch (program) {
    case "eval":
      return [script(withoutDashes(args))]
    case "trap":
      return trapPayload(withoutDashes(args))
    case "source":
    case ".":
      return sourcePayload(withoutDashes(args)[0])
    case "su":
    case "script":
    case "flock":
    case "emulate":
    case "runuser":
      return optionPayload(args)
    case "watch":
      return watchPayload(args)
    default:
      return []
  }
}

function script(words: readonly ArgumentWord[], deferred = false): Payload {
  return { kind: "script", words, deferred }
}

function withoutDashes(args: readonly ArgumentWord[]): readonly ArgumentWord[] {
  return args[0]?.value === "--" ? args.slice(1) : args
}

function trapPayload([action, ...signals]: readonly ArgumentWord[]): readonly Payload[] {
  if (action === undefined || signals.length === 0 || /^(-.*)?$/.test(action.value)) return []
  return [script([action], true)]
}

function sourcePayload(file: ArgumentWord | undefined): readonly Payload[] {
  if (file === undefined) return []
  if (isStandardInput(file.value)) return [{ kind: "input" }]
  return isKnown(file) ? [] : [{ kind: "unknown" }]
}

/** `su -c '…'`, `flock file -c '…'`, `script --command='…'`. */
function optionPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const attached = args.find((word) => attachedCommand.test(word.value))
  if (attached !== undefined) return [script([cutOption(attached, "=")])]
  const glued = args.find((word) => /^-c./.test(word.value))
  if (glued !== undefined) return [script([cutOption(glued, "c")])]
  const option = args.findIndex((word) => commandOption.test(word.value))
  const value = option === -1 ? undefined : args[option + 1]
  return value === undefined ? [] : [script([value])]
}

function cutOption(word: ArgumentWord, end: string): ArgumentWord {
  const cut = (text: string): string => text.slice(text.indexOf(end) + 1)
  const [first = "", ...rest] = word.fragments
  return { ...word, value: cut(word.value), fragments: [cut(first), ...rest] }
}

function watchPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  const first = args.findIndex((word) => !word.value.startsWith("-") && !/^[\d.]+$/.test(word.value))
  return first === -1 ? [] : [script(args.slice(first), true)]
}

const valueOptions = new Set(["--rcfile", "--init-file", "--emulate"])

/** A shell's own arguments: `-c` may stand anywhere among the options, then the first operand is the script. */
function shellPayload(args: readonly ArgumentWord[]): readonly Payload[] {
  let takesString = false
  let readsInput = false
  let index = 0
  for (; index < args.length; index += 1) {
    const word = args[index]
    if (word === undefined || (!isKnown(word) && takesString)) break
    const text = word.value
    if (!isKnown(word)) return [{ kind: "unknown" }]
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
    takesString ||= text.startsWith("-") && text.includes("c")
    readsInput ||= text.startsWith("-") && text.includes("s")
    // Each `o` or `O` of a cluster takes the next word.
    index += text.replace(/[^oO]/g, "").length
  }
  const operand = args[index]
  if (takesString) return operand === undefined ? [] : [script([operand])]
  if (operand === undefined || readsInput || isStandardInput(operand.value)) return [{ kind: "input" }]
  return isKnown(operand) ? [] : [{ kind: "unknown" }]
}

function isStandardInput(path: string): boolean {
  return /^(\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+|-)$/.test(path)
}
