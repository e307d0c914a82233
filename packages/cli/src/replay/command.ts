import { resolve } from "node:path"
import { type BrokenRule, formatProblem } from "@opencode-rulebook/rule-schema"
import { visible } from "@opencode-rulebook/rule-schema/authoring"
import { createPaint, type Io } from "../io.ts"
import { openProject } from "../project.ts"
import type { UsageError } from "../usage-error.ts"
import { type ReplayFlags, wantedSessions } from "./flags.ts"
import { replayedSessionJson, replayJson } from "./json.ts"
import { createPlaces } from "./places.ts"
import { readAhead } from "./read-ahead.ts"
import { replaySession } from "./session.ts"
import { findSource, newest } from "./source.ts"
import { formatReplay, type SessionLine } from "./text.ts"
import { createTotals, type RuleTotals } from "./totals.ts"

/**
 * `replay`: what rules would have done in past sessions, and how that differs from what was delivered then.
 *
 * @param given session ids, or files and folders; none stands for all of the project's sessions that OpenCode has.
 * @returns the exit code: 0; or 1 when a rule can't be understood, a session can't be read, or `--diff` finds a rule gained or lost.
 * @throws UsageError when nothing could be read, and for flags that can't be understood.
 */
export async function replay(given: readonly string[], flags: ReplayFlags, io: Io): Promise<number> {
  const wanted = wantedSessions(flags, Date.now())
  const project = await openProject(io.cwd, io)
  const places = await createPlaces(project, flags.rules && resolve(io.cwd, flags.rules), io)
  const source = await findSource(given, flags.server, project, io)
  const totals = createTotals()
  const sessions: SessionLine[] = []
  const json: object[] = []
  const broken = new Map<string, BrokenRule>()
  const failures = [...source.failures]

  for await (const read of readAhead(newest(source.entries, wanted), source)) {
    showProgress(sessions.length + failures.length, read.left, io)
    if (read.kind === "failed") {
      failures.push(read.error)
      continue
    }
    const replayed = await replaySession(read.session, await places.of(read.session), flags.diff === true, io)
    // One session is in memory at a time: of the others only what is printed.
    const { stored, requests, assumed, difference } = replayed
    sessions.push({ stored, requests, assumed, difference })
    if (flags.json) json.push(replayedSessionJson(replayed))
    totals.add(replayed)
    for (const rule of replayed.rulebook.broken) broken.set(rule.file, rule)
  }
  showProgress(0, 0, io)

  const [failure] = failures
  if (sessions.length === 0 && failure) throw failure
  const rules = totals.end()
  const faulty = [...broken.values()]
  if (flags.json) io.write(`${JSON.stringify(replayJson(json, rules, faulty, failures), undefined, 2)}\n`)
  else {
    complain(failures, faulty, io)
    io.write(textOf(sessions, rules, { flags, isEmpty: source.entries.length === 0, io }))
  }
  const isChanged = sessions.some(
    ({ difference }) => difference && difference.gained.length + difference.lost.length > 0,
  )
  return failures.length > 0 || faulty.length > 0 || isChanged ? 1 : 0
}

function complain(failures: readonly UsageError[], broken: readonly BrokenRule[], io: Io): void {
  const problems = broken.flatMap((rule) => rule.problems.map(formatProblem))
  for (const told of [...failures.map(({ message }) => visible(message)), ...problems])
    io.writeError(`error: ${told}\n`)
}

function textOf(
  sessions: readonly SessionLine[],
  rules: readonly RuleTotals[],
  asked: { readonly flags: ReplayFlags; readonly isEmpty: boolean; readonly io: Io },
): string {
  const { flags, isEmpty, io } = asked
  if (sessions.length === 0)
    return isEmpty ? "OpenCode has no sessions of this project.\n" : "no session is that new; try another --since.\n"
  const ruleSource = flags.rules === undefined ? "the rules as they are now" : `the rules of ${visible(flags.rules)}`
  return formatReplay({ sessions, rules, ruleSource }, io.columns, createPaint(io.hasColors))
}

/** One line on a terminal that shows errors, written over and over; nothing at the end. */
function showProgress(done: number, left: number, io: Io): void {
  if (!io.showsProgress) return
  io.writeError(left === 0 ? "\r\u001b[K" : `\r\u001b[Kreplay: ${done} of ${done + left} sessions`)
}
