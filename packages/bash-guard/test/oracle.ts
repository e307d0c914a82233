import { judge } from "../src/judge.ts"
import type { Place } from "../src/permissions/places.ts"
import { type Action, compilePermissions, type Permissions } from "../src/permissions/rules.ts"
import { readScript } from "../src/shell/read.ts"

/** A command that the guard would let run, and what real bash ran of it that the permissions don't allow. */
export interface Loose {
  readonly command: string
  readonly under: string
  readonly ran: readonly string[]
}

export const place: Place = {
  cwd: "/jail/0",
  directory: "/jail/0",
  worktree: "/jail/0",
  home: "/home",
  exists: () => true,
  isDirectory: () => false,
  isInEnvironment: (name) => ["PATH", "HOME", "PWD"].includes(name),
}

function permissions(bash: Readonly<Record<string, Action>>): Permissions {
  const own = Object.entries(bash).map(([pattern, action]) => ({ permission: "bash", pattern, action }))
  return compilePermissions([{ permission: "*", pattern: "*", action: "allow" }, ...own])
}

/** Everything is allowed but some. */
export const denials = permissions({ "*": "allow", "rm *": "deny", "git push *": "deny", "sudo *": "deny" })
const allowances = permissions({
  "*": "ask",
  "git *": "allow",
  "ls *": "allow",
  "cat *": "allow",
  "echo *": "allow",
  "rm *": "deny",
})

/** Compares what the guard says of a command with what it ran. */
export function looseVerdicts(command: string, ran: readonly (readonly string[])[]): readonly Loose[] {
  const reading = readScript(command)
  const denied = ran.filter(isDenied)
  const notAllowed = ran.filter(([name = ""]) => !["git", "ls", "cat"].includes(name))
  return [
    ...(denied.length > 0 && judge(reading, denials, place).kind === "allow" ? [loose("denials", denied)] : []),
    ...(notAllowed.length > 0 && judge(reading, allowances, place).kind === "allow"
      ? [loose("allowances", notAllowed)]
      : []),
  ]

  function loose(under: string, calls: readonly (readonly string[])[]): Loose {
    return { command, under, ran: calls.map((words) => words.join(" ")) }
  }
}

/** Whether a call is one that `denials` forbid. */
export function isDenied([name, ...args]: readonly string[]): boolean {
  if (name === "rm" || name === "sudo") return true
  return name === "git" && subcommand(args) === "push"
}

const valued = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix",
  "--config-env",
])

/** The subcommand as git takes it. */
function subcommand(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ""
    if (!word.startsWith("-") || /^--?$/.test(word)) return word
    if (valued.has(word)) at += 1
  }
  return undefined
}
