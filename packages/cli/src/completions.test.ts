import { expect, test } from "bun:test"
import { Command, Option } from "commander"
import { completions } from "./completions.ts"
import { UsageError } from "./usage-error.ts"

const program = new Command("my-tool")
  .option("-C, --directory <path>", "the folder")
  .option("-x", "only short")
  .addOption(new Option("--secret", "not shown").hideHelp())
program
  .command("check")
  .description("what's wrong: all \\ of it")
  .option("--json", "as JSON")
  .option("--directory <path>", "another")
program.command("run").description("run it")

test("bash", () => {
  expect(completions("bash", program)).toBe(`_my_tool() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="check run --directory --help" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
    check) words="--json --directory --help" ;;
    run) words="--help --directory" ;;
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _my_tool my-tool
`)
})

test("zsh", () => {
  const check = "'check:what'\\''s wrong: all \\ of it'"
  expect(completions("zsh", program)).toBe(`#compdef my-tool
_my_tool() {
  local -a candidates
  candidates=(${check} 'run:run it' '--directory:the folder' '--help:print this help')
  local word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in
    check) candidates=('--json:as JSON' '--directory:another' '--help:print this help' '--directory:the folder' '--help:print this help') ;;
    run) candidates=('--help:print this help' '--directory:the folder' '--help:print this help') ;;
    esac
  done
  _describe -t commands my-tool candidates || _files
}
compdef _my_tool my-tool
`)
})

test("fish", () => {
  expect(
    completions("fish", program),
  ).toBe(`complete -c my-tool -n __fish_use_subcommand -a check -d 'what\\'s wrong: all \\\\ of it'
complete -c my-tool -n __fish_use_subcommand -a run -d 'run it'
complete -c my-tool -l directory -d 'the folder'
complete -c my-tool -l help -d 'print this help'
complete -c my-tool -n '__fish_seen_subcommand_from check' -l json -d 'as JSON'
`)
})

test("there are no others", () => {
  const message = "there are no completions for tcsh; there are some for bash, zsh, fish"
  expect(() => completions("tcsh", program)).toThrow(new UsageError(message))
})
