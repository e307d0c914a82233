import { type Assigned, assignmentOf, mayAssign, setByArithmetic } from "./assigned.ts"
import { type ArgumentWord, isKnown, mayBeOption } from "./reading.ts"

/** What a builtin does to the shell it runs in, as far as it can change what other commands mean. */
export interface Effects {
  readonly assigned: readonly Assigned[]
  /** Words evaluated as arithmetic; `array` when they are a subscript of it. */
  readonly evaluated: readonly { readonly word: ArgumentWord; readonly array?: string }[]
  /** Words that become `$1` and so on. */
  readonly positional: readonly ArgumentWord[]
  readonly integers: readonly string[]
  readonly associative: readonly string[]
  /** Words that may be an option which changes what the builtin does. */
  readonly suspects: readonly ArgumentWord[]
  readonly doubts: readonly string[]
}

const none: Effects = {
  assigned: [],
  evaluated: [],
  positional: [],
  integers: [],
  associative: [],
  suspects: [],
  doubts: [],
}

/** The effects of the shell's builtins; of other programs, none. */
export function effectsOf(program: string, args: readonly ArgumentWord[]): Effects {
  switch (program) {
    case "let":
      return {
        ...none,
        evaluated: args.map((word) => ({ word })),
        assigned: args.flatMap((word) => setByArithmetic(word.value)),
      }
    case "declare":
    case "typeset":
    case "local":
    case "export":
    case "readonly":
    case "integer":
    case "float":
      return effectsOfDeclare(program, args)
    case "unset":
      return effectsOfUnset(args)
    case "read":
      return effectsOfRead(program, args, "adinNptu", "REPLY")
    case "mapfile":
    case "readarray":
      return effectsOfRead(program, args, "dnOsucC", "MAPFILE")
    case "printf":
      return effectsOfPrintf(args)
    case "getopts":
      return {
        ...none,
        assigned: [
          ...nameOf(args[1], "number", program),
          input("OPTARG", program),
          { name: "OPTIND", kind: "number", written: program },
        ],
      }
    case "wait":
      return { ...none, assigned: behind(args, /^-[a-z]*p$/).flatMap((word) => nameOf(word, "number", program)) }
    case "test":
    case "[":
      return effectsOfTest(args)
    case "set":
      return effectsOfSet(args)
    case "vared":
    case "zparseopts":
      return { ...none, doubts: ["a builtin that makes other text run"] }
    default:
      return { ...none, ...redefinition(program, args) }
  }
}

function input(name: string, written: string): Assigned {
  return { name, kind: "input", written }
}

/** A variable named by a word; with a subscript, that is evaluated. */
function nameOf(word: ArgumentWord | undefined, kind: Assigned["kind"], written: string): readonly Assigned[] {
  if (word === undefined) return []
  const name = /^([A-Za-z_]\w*)(?:\[|$)/.exec(word.fragments[0] ?? "")?.[1]
  const isName = name !== undefined && (isKnown(word) || word.fragments[0]?.includes("[") === true)
  return [{ name: isName ? name : undefined, kind, written: `${written} ${word.written}` }]
}

function subscriptOf(word: ArgumentWord): readonly { readonly word: ArgumentWord; readonly array?: string }[] {
  const array = /^([A-Za-z_]\w*)\[/.exec(word.fragments[0] ?? "")?.[1]
  return array === undefined ? [] : [{ word, array }]
}

function behind(args: readonly ArgumentWord[], option: RegExp): readonly ArgumentWord[] {
  return args.filter((_, index) => option.test(args[index - 1]?.value ?? ""))
}

function isOption(word: ArgumentWord): boolean {
  return isKnown(word) && /^[-+]./.test(word.value) && word.value !== "--"
}

function effectsOfDeclare(program: string, args: readonly ArgumentWord[]): Effects {
  const flags = args
    .filter(isOption)
    .map((word) => word.value)
    .join("")
  const operands = args.filter((word) => !isOption(word) && word.value !== "--")
  const hasFlags = program !== "export"
  const assigned: Assigned[] = []
  const evaluated: { word: ArgumentWord; array?: string }[] = []
  const names: string[] = []
  const doubts: string[] = []
  for (const word of operands) {
    const set = assignmentOf(word)
    const name = set?.name ?? /^[A-Za-z_]\w*$/.exec(isKnown(word) ? word.value : "")?.[0]
    if (name !== undefined) names.push(name)
    if (set !== undefined) assigned.push(set)
    else if (mayAssign(word)) assigned.push(...nameOf(word, "input", program))
    evaluated.push(...subscriptOf(word))
    // Quoted text in parentheses becomes an array, and is expanded for it.
    const text = set?.value?.fragments[0] ?? ""
    if (text.startsWith("(") && /[$`]/.test(set?.value?.value ?? "")) doubts.push("quoted text that the shell expands")
  }
  if (hasFlags && flags.includes("n")) doubts.push("a variable that stands for another")
  if (program === "float" || (hasFlags && /[iEF]/.test(flags)) || program === "integer") {
    return { ...none, assigned, evaluated, doubts, integers: names, suspects: suspectsIn(args) }
  }
  const associative = hasFlags && flags.includes("A") ? names : []
  return { ...none, assigned, evaluated, doubts, associative, suspects: hasFlags ? suspectsIn(args) : [] }
}

function suspectsIn(args: readonly ArgumentWord[]): readonly ArgumentWord[] {
  return args.filter(mayBeOption)
}

function effectsOfUnset(args: readonly ArgumentWord[]): Effects {
  const operands = args.filter((word) => !isOption(word))
  const isDynamic = operands.some((word) => !isKnown(word) && !/^[A-Za-z_]\w*\[/.test(word.fragments[0] ?? ""))
  return {
    ...none,
    assigned: operands.flatMap((word) => (isKnown(word) ? nameOf(word, "unset", "unset") : [])),
    evaluated: operands.flatMap(subscriptOf),
    doubts: isDynamic ? ["a variable whose name is only known when it runs"] : [],
  }
}

function effectsOfRead(program: string, args: readonly ArgumentWord[], valued: string, fallback: string): Effects {
  const names: ArgumentWord[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined) break
    if (!isOption(word)) {
      names.push(word)
      continue
    }
    const last = word.value.slice(-1)
    const takesNext = valued.includes(last) && ![...word.value.slice(1, -1)].some((letter) => valued.includes(letter))
    if (!takesNext) continue
    const value = args[at + 1]
    if (program === "read" && last === "a" && value !== undefined) names.push(value)
    at += 1
  }
  const assigned =
    names.length === 0 ? [input(fallback, program)] : names.flatMap((word) => nameOf(word, "input", program))
  return {
    ...none,
    assigned,
    evaluated: names.flatMap(subscriptOf),
    suspects: suspectsIn(args.filter((word) => word.isSplit)),
  }
}

function effectsOfPrintf(args: readonly ArgumentWord[]): Effects {
  const [option, ...rest] = args
  const attached = /^-v(.+)/s.exec(option?.value ?? "")
  const isSet = option?.value === "-v" || attached !== null
  if (!isSet) return { ...none, suspects: suspectsIn(args.slice(0, 1)) }
  const target =
    attached === null ? rest[0] : option === undefined ? undefined : { ...option, fragments: [attached[1] ?? ""] }
  const format = attached === null ? rest[1] : rest[0]
  const isNumber =
    format !== undefined && isKnown(format) && /^(?:[\d\s:.,-]|%[-+ 0#]*\d*(?:\.\d+)?[diouxX])*$/.test(format.value)
  return {
    ...none,
    assigned: nameOf(target, isNumber ? "number" : "input", "printf -v"),
    evaluated: target === undefined ? [] : subscriptOf(target),
  }
}

function effectsOfTest(args: readonly ArgumentWord[]): Effects {
  const names = behind(args, /^-[vR]$/)
  const isDynamic = names.some((word) => !isKnown(word) && subscriptOf(word).length === 0)
  return {
    ...none,
    evaluated: names.flatMap(subscriptOf),
    doubts: isDynamic ? ["a variable whose name is only known when it runs"] : [],
  }
}

function effectsOfSet(args: readonly ArgumentWord[]): Effects {
  const first = args.findIndex(
    (word, index) => !/^[-+]/.test(word.value) && !/^[-+][a-z]*o$/.test(args[index - 1]?.value ?? ""),
  )
  const options = first === -1 ? args : args.slice(0, first)
  // `NAME=value` words of later commands, wherever they stand, become part of their environment.
  const isKeyword = options.some((word) => /^-[a-z]*k|^keyword$/.test(word.value))
  return {
    ...none,
    positional: args,
    suspects: suspectsIn(args.slice(0, 1)).filter((word) => word.isSplit),
    doubts: isKeyword ? ["an option of the shell that changes what commands mean"] : [],
  }
}

const redefining: Readonly<Record<string, RegExp>> = {
  hash: /^-[a-z]*p/,
  enable: /^-[a-z]*f/,
  bind: /^-[a-z]*x|:/,
  complete: /^-[a-z]*[CFW]/,
  compgen: /^-[a-z]*[CFW]/,
  fc: /^/,
  shopt: /^(expand_aliases|sourcepath|extdebug)$/,
  zle: /^-[a-z]*[NC]/,
  zmodload: /^/,
  autoload: /^/,
  disable: /^/,
}

/** `hash -p`, `enable -f` and the like: a later name, or a callback, is not what it says. */
function redefinition(program: string, args: readonly ArgumentWord[]): Pick<Effects, "suspects" | "doubts"> {
  const options = Object.hasOwn(redefining, program) ? redefining[program] : undefined
  if (options === undefined) return { suspects: [], doubts: [] }
  const isOne = args.some((word) => options.test(word.value)) && !isPlainCompletion(program, args)
  return {
    suspects: args.filter((word) => word.isSplit || mayBeOption(word)),
    doubts: isOne ? ["a builtin that makes other text run"] : [],
  }
}

/** `compgen -W 'a b'`: a list without anything to expand. */
function isPlainCompletion(program: string, args: readonly ArgumentWord[]): boolean {
  if (program !== "compgen" && program !== "complete") return false
  return !args.some((word) => /^-[a-z]*[CF]/.test(word.value) || !isKnown(word) || /[$`<>]/.test(word.value))
}
