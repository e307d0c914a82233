import type { Command } from "commander"
import { UsageError } from "./usage-error.ts"

/** The shells that have a script. */
export const SHELLS = ["bash", "zsh", "fish"] as const

/** What can stand at a place of the command line, with what it means. */
interface Candidate {
  readonly word: string
  readonly about: string
}

/**
 * A shell's script that completes a program: its commands and their options, and file names elsewhere.
 *
 * @throws UsageError for a shell that has none.
 */
export function completions(shell: string, program: Command): string {
  const name = program.name()
  const commands = program.commands.map((command) => ({
    word: command.name(),
    about: command.description(),
    options: [...optionsOf(command), ...optionsOf(program)],
  }))
  switch (shell) {
    case "bash":
      return bash(name, commands, optionsOf(program))
    case "zsh":
      return zsh(name, commands, optionsOf(program))
    case "fish":
      return fish(name, commands, optionsOf(program))
    default:
      throw new UsageError(`there are no completions for ${shell}; there are some for ${SHELLS.join(", ")}`)
  }
}

type Subcommand = Candidate & { readonly options: readonly Candidate[] }

function optionsOf(command: Command): readonly Candidate[] {
  const help = { word: "--help", about: "print this help" }
  const own = command.options.flatMap(({ long, description, hidden }) => {
    return long === undefined || long === null || hidden ? [] : [{ word: long, about: description }]
  })
  return [...own, help]
}

function bash(name: string, commands: readonly Subcommand[], global: readonly Candidate[]): string {
  const cases = commands.map(({ word, options }) => `    ${word}) words="${wordsOf(options)}" ;;`)
  return `_${identifier(name)}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="${wordsOf([...commands, ...global])}" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
${cases.join("\n")}
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${identifier(name)} ${name}
`
}

function zsh(name: string, commands: readonly Subcommand[], global: readonly Candidate[]): string {
  const described = (candidates: readonly Candidate[]) =>
    candidates.map(({ word, about }) => singleQuoted(`${word.replaceAll(":", "\\:")}:${about}`)).join(" ")
  const cases = commands.map(({ word, options }) => `    ${word}) candidates=(${described(options)}) ;;`)
  return `#compdef ${name}
_${identifier(name)}() {
  local -a candidates
  candidates=(${described([...commands, ...global])})
  local word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in
${cases.join("\n")}
    esac
  done
  _describe -t commands ${name} candidates || _files
}
compdef _${identifier(name)} ${name}
`
}

function fish(name: string, commands: readonly Subcommand[], global: readonly Candidate[]): string {
  const option = ({ word, about }: Candidate, condition: string) =>
    `complete -c ${name}${condition} -l ${word.replace(/^--/, "")} -d ${fishQuoted(about)}`
  const isShared = (candidate: Candidate) => global.some(({ word }) => word === candidate.word)
  return [
    ...commands.map(
      ({ word, about }) => `complete -c ${name} -n __fish_use_subcommand -a ${word} -d ${fishQuoted(about)}`,
    ),
    ...global.map((candidate) => option(candidate, "")),
    ...commands.flatMap(({ word, options }) =>
      options
        .filter((candidate) => !isShared(candidate))
        .map((candidate) => option(candidate, ` -n '__fish_seen_subcommand_from ${word}'`)),
    ),
    "",
  ].join("\n")
}

function wordsOf(candidates: readonly Candidate[]): string {
  return [...new Set(candidates.map(({ word }) => word))].join(" ")
}

function identifier(name: string): string {
  return name.replaceAll("-", "_")
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`
}
