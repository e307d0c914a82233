import type { ArgumentWord } from "./reading.ts"

const nameTakers = new Set(
  "let declare typeset local export readonly unset read printf mapfile readarray getopts wait test [".split(" "),
)

/** Builtins that take a variable's name evaluate the subscript in it as arithmetic, even when it comes quoted. */
export function evaluatesSubscripts(program: string, args: readonly ArgumentWord[]): boolean {
  if (program === "let") return true
  if (!nameTakers.has(program)) return false
  const hints = /[^\s[]\[|^-[vRaip]$|^-(eq|ne|lt|le|gt|ge)$/
  return args.some((word) => hints.test(word.value))
}

/** Whether an argument may become a variable's value, or a name, that arithmetic evaluates. */
export function hasEvaluatedText(program: string, args: readonly ArgumentWord[]): boolean {
  if (!nameTakers.has(program) && program !== "set") return false
  return args.some((word) => /[$`]/.test(word.fragments.join("")))
}

/** Variables whose text the shell runs or expands later. */
const evaluated =
  /^((PS[0124]|PROMPT_COMMAND|BASH_ENV|ENV|BASH_FUNC_[^=]*)\+?=|(functions|[gs]?aliases|commands|BASH_ALIASES|BASH_CMDS)(\[|\+?=))/

/** Whether an assignment, or an argument of `export` and the like, hands the shell text to run. */
export function setsEvaluatedVariable(text: string): boolean {
  return evaluated.test(text)
}

const redefiningOptions: Readonly<Record<string, RegExp>> = {
  hash: /^-[a-z]*p/,
  enable: /^-[a-z]*f/,
  mapfile: /^-[a-z]*C/,
  readarray: /^-[a-z]*C/,
  bind: /^-[a-z]*x/,
  complete: /^-[a-z]*[CF]/,
  compgen: /^-[a-z]*[CF]/,
  alias: /^/,
  fc: /^/,
}

/** `alias`, `hash -p`, `enable -f` and the like: a later name, or a callback, is not what it says. */
export function isRedefinition(program: string, args: readonly ArgumentWord[]): boolean {
  const options = Object.hasOwn(redefiningOptions, program) ? redefiningOptions[program] : undefined
  return options !== undefined && args.some((word) => options.test(word.value))
}
