// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { join } from "node:path"
import fc from "fast-check"
import { judge } from "../src/judge.ts"
import type { Place } from "../src/permissions/places.ts"
import { compilePermissions } from "../src/permissions/rules.ts"
import type { Reason } from "../src/reasons.ts"
import { readScript } from "../src/shell/read.ts"
import type { Reading } from "../src/shell/reading.ts"
import branches from "./branches.json"
import { corpus } from "./corpus.ts"
import evasions from "./evasions.json"
import { everyday } from "./everyday.ts"
import { commands } from "./generate.ts"
import { launchers } from "./launchers.ts"
import { ways } from "./ways.ts"

/** Commands of which the whole reading is recorded. */
export const recorded: readonly string[] = [
  ...new Set([
    ...evasions.flatMap(([command = ""]) => [command]),
    ...everyday,
    ...launchers,
    ...ways.map(([command]) => command),
    ...corpus.map(([command]) => command),
    ...branches,
    ...fc.sample(commands(), { numRuns: 500, seed: 11 }),
  ]),
]

export const recordFile = join(import.meta.dir, "readings.jsonl")

const place: Place = {
  cwd: "/home/dev/app",
  directory: "/home/dev/app",
  worktree: "/home/dev/app",
  home: "/home/dev",
  isDirectory: (path) => ["/", "/etc", "/tmp", "/home", "/home/dev", "/home/dev/app/src"].includes(path),
  exists: (path) => ["/", "/etc", "/tmp", "/home", "/dev", "/var", "/root"].includes(path),
  isInEnvironment: (name) => ["PATH", "HOME", "PWD"].includes(name),
}

const permissions = compilePermissions([
  { permission: "*", pattern: "*", action: "allow" },
  { permission: "external_directory", pattern: "*", action: "ask" },
  { permission: "external_directory", pattern: "/etc/*", action: "deny" },
  { permission: "edit", pattern: "*.lock", action: "deny" },
  { permission: "edit", pattern: "src/*", action: "ask" },
  { permission: "bash", pattern: "*", action: "ask" },
  ...["ls", "echo", "cat", "git", "read", "env"].map((name) => {
    return { permission: "bash", pattern: `${name} *`, action: "allow" } as const
  }),
  { permission: "bash", pattern: "rm *", action: "deny" },
  { permission: "bash", pattern: "git push *", action: "deny" },
])

/** The verdict, with the pattern of each reason. */
function verdict(reading: Reading): string {
  const { kind, reasons } = judge(reading, permissions, place)
  return [kind, ...reasons.map(patternOf)].join(" | ")
}

function patternOf(reason: Reason): string {
  if (reason.kind === "pattern") return `${reason.certainty} ${reason.form}: ${reason.pattern}`
  return reason.kind === "file" ? `${reason.text}: ${reason.permission} ${reason.pattern}` : reason.kind
}

/** A reading in a few lines: each command with how it was found, the blocks they stand in, each doubt, and the verdict. */
export function summary(command: string): readonly string[] {
  const reading = readScript(command)
  if (reading.kind === "unreadable") return [`unreadable ${reading.line}:${reading.column} ${reading.reason}`]
  const steps = reading.steps.map((step) => {
    switch (step.kind) {
      case "command": {
        const { role, depth, written, words, elsewhereFrom, isInString } = step.command
        const marks = `${isInString ? " in string" : ""}${elsewhereFrom === undefined ? "" : ` elsewhere from ${elsewhereFrom}`}`
        return `${role} ${depth}${marks}: ${written} = ${words.map((word) => word.fragments.join("…")).join(" ")}`
      }
      case "redirect":
        return `${step.redirect.mode}: ${step.redirect.written}`
      case "enter":
        return `{ ${step.block}`
      case "leave":
        return "}"
      default:
        return step satisfies never
    }
  })
  return [
    ...(reading.isSingleLine ? [] : ["several lines"]),
    ...steps,
    ...reading.doubts.map(({ reason, text }) => `? ${reason}: ${text.slice(0, 60)}`),
    `= ${verdict(reading).slice(0, 200)}`,
  ]
}

/** `bun test/readings.ts` records the readings anew, after a change that is meant. */
if (import.meta.main) {
  const lines = recorded.map((command) => JSON.stringify([command, ...summary(command)]))
  await Bun.write(recordFile, `${lines.join("\n")}\n`)
}
