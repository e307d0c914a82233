import { type ArgumentWord, isKnown } from "./reading.ts"

/** A variable that a script sets, by whatever construct. */
export interface Assigned {
  /** Undefined when only the shell knows which. */
  readonly name: string | undefined
  /** `text`: the value stands in the script. `number`: it can only be one. `input`: it comes from elsewhere. */
  readonly kind: "text" | "number" | "input" | "unset"
  /** The value of kind `text`. */
  readonly value?: ArgumentWord
  /** The construct, for people. */
  readonly written: string
}

/** Variables that make the shell run or find other things, whatever they hold. */
const always =
  /^(BASH_ENV|BASH_CMDS|BASH_ALIASES|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|CDPATH|EXECIGNORE|FPATH|ZDOTDIR|fpath|cdpath|functions|[gs]?aliases|dis_[gs]?aliases|commands|options|(precmd|preexec|chpwd|periodic|zshexit)_functions)$/
/** Variables that the shell expands like text in double quotes. */
const prompts = /^(PS[0-4]|PROMPT|RPROMPT|SPROMPT)$/

/** Why setting a variable makes the shell run or find something else than the script says; undefined when it doesn't. */
export function specialReason({ name, kind, value }: Assigned): string | undefined {
  if (kind === "unset") return undefined
  if (name === undefined) return "a variable whose name is only known when it runs"
  const known = kind === "text" && value !== undefined && isKnown(value) ? value.value : undefined
  if (always.test(name)) return known === "" ? undefined : "a variable by which the shell finds or runs other things"
  if (prompts.test(name))
    return known !== undefined && !/[$`]/.test(known) ? undefined : "a variable whose text the shell runs"
  // sh and interactive shells read the file that ENV names; a plain word such as `production` is meant for programs.
  if (name === "ENV")
    return known !== undefined && /^\w*$/.test(known) ? undefined : "a variable whose text the shell runs"
  if (name !== "PATH" && name !== "path") return undefined
  const isUsual = kind === "text" && value !== undefined && isUsualPath(value)
  return isUsual ? undefined : "a search path for programs that may lead to other programs"
}

const installed =
  /^(|\$PATH|\$\{PATH\}|(\/usr|\/opt|\/bin|\/sbin|\/snap|\/nix|\/home\/linuxbrew|~|\$HOME|\$\{HOME\}|\$\(go env GOPATH\)|\$\(brew --prefix[^)]*\)|\$\(npm prefix -g\)|\$\(pyenv root\))(\/.*)?|\$\(yarn global bin\))$/s
const ofProject = /^((\.|\$PWD|\$\{PWD\}|\$\(pwd\))\/)?node_modules\/\.bin$|^\$\(npm bin\)$/

/** Whether each folder of a search path is one in which programs are installed. An empty one is the current folder. */
function isUsualPath(value: ArgumentWord): boolean {
  const folders = value.value.split(":")
  return folders.every(
    (folder) => folder !== "" && !folder.includes("/../") && (installed.test(folder) || ofProject.test(folder)),
  )
}

/** Variables that programs run as commands. */
const commandVariables =
  /^(GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|PAGER|MANPAGER|EDITOR|VISUAL|SUDO_EDITOR|LESSOPEN|LESSCLOSE|BROWSER)$/

/** The script that a variable's value is for the programs that read it. */
export function commandOf({ name, value }: Assigned): ArgumentWord | undefined {
  if (name === undefined || value === undefined || value.value.trim() === "") return undefined
  return commandVariables.test(name) ? value : undefined
}

/** `name=`, `name+=` and `name[…]=` at the start of a word, as declaring builtins and `env` take them. */
export function assignmentOf(
  word: ArgumentWord,
  namePattern = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/,
): Assigned | undefined {
  const [head = "", ...rest] = word.fragments
  const match = namePattern.exec(head)
  if (match === null) return undefined
  const [first = "", name] = match
  const value = { ...word, value: word.value.slice(first.length), fragments: [head.slice(first.length), ...rest] }
  return { name, kind: "text", value, written: word.written }
}

/** Whether a word may be such an assignment to a variable that only the shell knows. */
export function mayAssign(word: ArgumentWord): boolean {
  const [head = ""] = word.fragments
  return !isKnown(word) && !head.includes("=")
}

const settings = /([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g

/** The variables that an arithmetic expression sets. */
export function setByArithmetic(text: string): readonly Assigned[] {
  return [...text.matchAll(settings)].map((match) => ({ name: match[1] ?? match[2], kind: "number", written: text }))
}
