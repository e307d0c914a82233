import {
  formatProblem,
  type HookMatch,
  loadRulebook,
  originLabel,
  type Rulebook,
  ruleTokens,
} from "@opencode-rulebook/rule-schema"
import type { HostConfig } from "../host-config.ts"
import { createPaint, type Io } from "../io.ts"
import { play } from "../play/play.ts"
import { surroundingsOf } from "../play/surroundings.ts"
import { eventsOfTurn, type GivenTurn } from "../play/turn.ts"
import { openProject, type Project } from "../project.ts"
import { explainTurn, type RuleExplanation } from "./explanation.ts"
import { type ExplainFlags, givenCalls, givenFiles, givenModel, givenSession, givenWrites } from "./flags.ts"
import { formatExplanation, whenOf } from "./format.ts"
import { explainSession } from "./session/command.ts"

/**
 * `explain`: a dry run of one turn for every rule that a session here would have; with `--session`, what was in a real one.
 *
 * @returns the exit code: 0, or 1 when a rule can't be understood.
 * @throws UsageError for flags that contradict each other, and files that can't be read.
 */
export async function explain(flags: ExplainFlags, io: Io): Promise<number> {
  const session = givenSession(flags)
  if (session) return await explainSession(session.id, { json: flags.json === true }, io)
  const project = await openProject(io.cwd, io)
  const { config } = project
  const { branch, os, ci, tool: tools } = flags
  const turn = await turnOf(flags, project, io)
  const around = await surroundingsOf({ branch, os, ci, tools, project: flags.project }, project, io)
  const rulebook = await loadRulebook(project.ruleDirectories)
  const explained = explainTurn(await play(rulebook, around, eventsOfTurn(turn), { traces: true }), project.directory)
  if (flags.json) io.write(`${JSON.stringify(jsonOf(explained, rulebook, io), undefined, 2)}\n`)
  else io.write(textOf(explained, rulebook, project, config, io))
  return rulebook.broken.length > 0 ? 1 : 0
}

/** The turn of the flags; what they leave out is as in a session that begins here. */
async function turnOf(flags: ExplainFlags, { config }: Project, io: Io): Promise<GivenTurn> {
  const { prompt, command, agent = config.agent } = flags
  return {
    turn: { prompt, command, agent, model: givenModel(flags.model ?? config.model(agent)) },
    files: await givenFiles(flags, io),
    calls: [...(await givenWrites(flags, io)), ...givenCalls(flags)],
  }
}

function textOf(
  explained: readonly RuleExplanation[],
  { broken }: Rulebook,
  { ruleDirectories }: Project,
  { projectCommands }: HostConfig,
  io: Io,
): string {
  const paint = createPaint(io.hasColors)
  const rules = explained.map((each) => formatExplanation(each, { cwd: io.cwd, paint, projectCommands }))
  const unusable = broken.map(({ problems }) =>
    problems.map((problem) => `${paint("red", "error")}: ${formatProblem(problem)}`).join("\n"),
  )
  const blocks = [...rules, ...unusable]
  if (blocks.length === 0) return `no rules in ${ruleDirectories.map(({ path }) => path).join(", ")}.\n`
  const delivered = explained.filter(({ deliveries }) => deliveries.length > 0).length
  return `${blocks.join("\n\n")}\n\n${delivered} of ${blocks.length} rules would be delivered.\n`
}

function jsonOf(explained: readonly RuleExplanation[], { broken }: Rulebook, io: Io): object {
  return {
    version: 1,
    rules: explained.map(({ rule, deliveries, why, families, hooks, blocks, holds, refuses, forbidden }) => ({
      id: rule.id,
      name: rule.name,
      file: rule.file,
      tokens: ruleTokens(rule),
      ...(rule.origin && { source: originLabel(rule.origin) }),
      delivered: deliveries.length > 0,
      deliveries: deliveries.map((delivery) => ({ ...delivery, when: whenOf(delivery, io.cwd) })),
      why,
      match: rule.match,
      blocks,
      holds,
      refuses,
      forbidden,
      families,
      hooks: rule.hooks.map(({ type, tool, match, block, run }, index) => {
        return { type, tool, match: matchOf(match), block, run: run ?? null, ...hooks[index] }
      }),
    })),
    broken,
  }
}

/** A hook's expression as the rule has it: one for all arguments, or one for each named argument. */
function matchOf(match: HookMatch | undefined): string | Readonly<Record<string, string>> | null {
  if (match === undefined) return null
  if (match.kind === "json") return match.pattern.source
  return Object.fromEntries(Array.from(match.patterns, ([name, { source }]) => [name, source]))
}
