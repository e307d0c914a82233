// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell expands these, not JavaScript
import { join } from "node:path"
import fc from "fast-check"
import { readScript } from "../src/shell/read.ts"
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

/** A reading in a few lines: each command with how it was found, the blocks they stand in, each doubt. */
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
  ]
}

/** `bun test/readings.ts` records the readings anew, after a change that is meant. */
if (import.meta.main) {
  const lines = recorded.map((command) => JSON.stringify([command, ...summary(command)]))
  await Bun.write(recordFile, `${lines.join("\n")}\n`)
}
