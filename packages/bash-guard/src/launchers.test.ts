// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { describe, expect, test } from "bun:test"
import { launchers } from "../test/launchers.ts"
import { judge } from "./judge.ts"
import type { Place } from "./permissions/places.ts"
import { type Action, compilePermissions } from "./permissions/rules.ts"
import { readScript } from "./shell/read.ts"

const place: Place = {
  cwd: "/home/dev/app",
  directory: "/home/dev/app",
  worktree: "/home/dev/app",
  home: "/home/dev",
  isDirectory: () => false,
  exists: () => true,
  isInEnvironment: () => false,
}

function verdict(command: string, bash: Readonly<Record<string, Action>>): string {
  const rules = Object.entries(bash).map(([pattern, action]) => ({ permission: "bash", pattern, action }))
  const all = [{ permission: "*", pattern: "*", action: "allow" } as const, ...rules]
  return judge(readScript(command), compilePermissions(all), place).kind
}

const denials = { "*": "allow", "rm *": "deny" } as const

describe("what launchers start is denied where it is forbidden", () => {
  for (const command of launchers) {
    test(command, () => expect(verdict(command, denials)).toBe("deny"))
  }
})

describe("and is the launcher's affair where only it is allowed", () => {
  const rows = [
    "docker exec app npm test",
    "docker run --rm img npm test",
    "kubectl exec pod -- ls",
    "npx vitest run",
    "npx --yes eslint src",
    "uv run pytest",
    "poetry run pytest",
    "bundle exec rake",
    "npm exec -- tsc",
    "tmux new-session -d 'npm run dev'",
    "hyperfine 'npm test'",
    "git rebase --exec 'npm test' main",
    "tar -I zstd -cf x.tar a",
    "ssh host 'rm x'",
    "ssh -p 22 host rm x",
  ]
  for (const command of rows) {
    const name = command.split(" ")[0] ?? ""
    test(command, () => {
      expect(verdict(command, { "*": "ask", [`${name} *`]: "allow", "rm *": "deny" })).toBe("allow")
    })
  }
})

describe("but not of wrappers, which start a program of this machine as it is", () => {
  for (const command of [
    "timeout 5 npm test",
    "nice npm test",
    "env A=1 npm test",
    "run0 npm test",
    "find . -exec npm {} +",
  ]) {
    const name = command.split(" ")[0] ?? ""
    test(command, () => expect(verdict(command, { "*": "ask", [`${name} *`]: "allow" })).toBe("ask"))
  }
})

describe("what can't be told asks", () => {
  const rows = [
    "fish -c ls",
    "pwsh",
    "nu -c ls",
    "fish < f",
    "parallel",
    "cat f | parallel",
    "parallel {} ::: ls",
    "parallel :::: f",
    "parallel $x ls ::: a",
    "timeout $T ls",
    "env $A ls",
    'env "$A=1" ls',
    "bash $x",
    "bash /dev/fd/3",
    "bash /proc/self/fd/5",
    "bash /dev/tty",
    ". /dev/tty",
    "at now < f",
    'source "$x"',
    "alias $x",
    "trap $x EXIT",
    "compgen -C ls",
    "set -k; ls",
    "exec < f; sh <<< ls",
    "declare -n a=b",
    "export $x",
    'unset "$x"',
    'read "$x"',
    'printf -v "$x" a',
    '[ -v "$x" ]',
    "mapfile $x",
    "zmodload zsh/x",
  ]
  for (const command of rows) test(command, () => expect(verdict(command, denials)).toBe("ask"))
})

describe("and what can be told does not", () => {
  const rows = [
    "fish script.fish",
    "fish --version",
    "parallel ls ::: a b",
    "seq 3 | parallel echo",
    "timeout 5 ls",
    'timeout 5 "$x"/bin/ls',
    "bash ./run.sh",
    'bash "$DIR/run.sh"',
    '. "$HOME/.profile"',
    "source a/b.sh",
    "alias ll='ls -la'",
    "alias",
    "trap - EXIT",
    "trap '' INT",
    "trap -p",
    "trap",
    "complete -p git",
    "compgen -W 'a b' -- a",
    "set -euo pipefail",
    "declare -a a=(1 2)",
    "declare -A m=([a]=1)",
    "export A=1 B",
    "unset A",
    "read -r a b",
    'read -p "$x" a',
    "printf -v a '%s' b",
    "[ -v a ]",
    "mapfile -t a",
    "hash -r",
    "shopt -s globstar",
    "enable -n echo",
    "let x=1+2",
    "getopts ab: o",
    "PS4='+ '; ls",
    "PROMPT_COMMAND=; ls",
    "ENV=production ls",
    "IFS=, read -r a b",
    "wait -n -p id",
  ]
  // A quoted variable in a program's place is one word, and still unknown.
  const unknown = new Set(['timeout 5 "$x"/bin/ls'])
  for (const command of rows) {
    test(command, () => expect(verdict(command, denials)).toBe(unknown.has(command) ? "ask" : "allow"))
  }
})
