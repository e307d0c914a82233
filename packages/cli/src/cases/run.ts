import { readFile } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import { formatProblem, isWithin, type Rulebook } from "@opencode-rulebook/rule-schema"
import { explainTurn, type RuleExplanation } from "../explain/explanation.ts"
import { givenModel } from "../explain/flags.ts"
import type { Io } from "../io.ts"
import { readExportFile } from "../play/export-file.ts"
import { type Events, play } from "../play/play.ts"
import { relocated } from "../play/relocate.ts"
import { surroundingsOf } from "../play/surroundings.ts"
import { eventsOfTurn, writeOf } from "../play/turn.ts"
import type { Project } from "../project.ts"
import type { Case, Expected } from "./case.ts"

/** How a case ended: `failures` says what was otherwise than expected, a line each. */
export interface CaseResult {
  readonly file: string
  readonly case: Case
  readonly failures: readonly string[]
  readonly milliseconds: number
}

/** Plays a case on the plugin's own engine. */
export async function runCase(
  one: Case,
  file: string,
  rulebook: Rulebook,
  project: Project,
  io: Io,
): Promise<CaseResult> {
  const started = performance.now()
  const around = await surroundingsOf(one, project, io)
  const explained = explainTurn(
    await play(rulebook, around, await eventsOf(one, file, project), { traces: true }),
    project.directory,
  )
  const lookUp = (name: string) => find(name, explained, rulebook)
  const failures = [
    ...compare(one.delivered, lookUp, notDeliveredAsExpected),
    ...compare(one.notDelivered, lookUp, deliveredAllTheSame),
    ...compare(one.blocked, lookUp, notBlocked),
    ...compare(one.held, lookUp, notHeld),
    ...compare(one.refused, lookUp, notRefused),
    ...compare(one.forbidden, lookUp, nothingForbidden),
  ]
  return { file, case: one, failures, milliseconds: performance.now() - started }
}

/** What happens in a case: its turn, or the session that it names. */
async function eventsOf(one: Case, file: string, { directory, worktree, config }: Project): Promise<Events> {
  if (one.session !== undefined) {
    const session = await readExportFile(resolve(dirname(file), one.session))
    const isHere = session.directory !== undefined && isWithin(session.directory, worktree ?? directory)
    return isHere ? session : relocated(session, directory)
  }
  const { prompt, command, agent = config.agent, model = config.model(agent) } = one
  const files = one.read.map(async ({ path, text }) => {
    const absolute = resolve(directory, path)
    return { path: absolute, content: text ?? (await readFile(absolute, "utf8").catch(() => undefined)) }
  })
  const turn = { prompt, command, agent, model: givenModel(model) }
  const writes = one.writes.map(({ path, text: content }) => writeOf(resolve(directory, path), content))
  return eventsOfTurn({ turn, files: await Promise.all(files), calls: [...writes, ...one.calls] })
}

/** Looks up each rule that a case names and compares what became of it with what is expected. Returns a line for each difference. */
function compare(
  expected: readonly Expected[],
  lookUp: (name: string) => RuleExplanation | string,
  differenceOf: (found: RuleExplanation, when: Expected["when"]) => string | undefined,
): readonly string[] {
  return expected.flatMap(({ rule, when }) => {
    const found = lookUp(rule)
    const difference = typeof found === "string" ? found : differenceOf(found, when)
    return difference === undefined ? [] : [`${rule}: ${difference}`]
  })
}

function notDeliveredAsExpected(
  { deliveries, families, why }: RuleExplanation,
  when: Expected["when"],
): string | undefined {
  if (deliveries.length === 0) {
    const seen = families.map((each) => `${each.family} ${each.met ? "met" : "not met"} (${each.why})`)
    return `expected to be delivered, but it is not: ${[why, ...seen].join("; ")}`
  }
  const moments = deliveries.map(({ moment }) => moment)
  if (when === undefined || moments.includes(when)) return undefined
  return `expected ${when}, but it is delivered ${moments.join(" and ")}`
}

function deliveredAllTheSame({ deliveries: [first] }: RuleExplanation): string | undefined {
  return first && `expected not to be delivered, but it is delivered ${first.moment}: ${first.why}`
}

function notBlocked({ blocks, hooks, rule }: RuleExplanation): string | undefined {
  if (blocks.length > 0) return undefined
  const reasons = hooks.flatMap((verdict) => verdict?.why ?? [])
  const why = rule.hooks.some(({ block }) => block === true)
    ? reasons.join("; ") || "there is no call"
    : "it has no hook that blocks"
  return `expected to block a call, but it does not: ${why}`
}

function notHeld({ holds, deliveries: [first], rule }: RuleExplanation): string | undefined {
  if (holds.length > 0) return undefined
  const canHold = rule.hold || rule.hooks.some(({ block }) => block === "once")
  const reason = first ? `it is delivered ${first.moment}: ${first.why}` : "no call makes it match"
  const why = canHold ? reason : "it has neither `hold: true` nor a hook with `block: once`"
  return `expected to hold a call, but it does not: ${why}`
}

function notRefused({ refuses, rule }: RuleExplanation): string | undefined {
  if (refuses.length > 0) return undefined
  const canRefuse = rule.hold && rule.forbid !== undefined
  const why = canRefuse ? "no call adds what it forbids" : "that needs `forbid` and `hold: true`"
  return `expected to refuse a call, but it does not: ${why}`
}

function nothingForbidden({ forbidden, rule }: RuleExplanation): string | undefined {
  if (forbidden.length > 0) return undefined
  const why = rule.forbid === undefined ? "the rule has no `forbid`" : "no call that ran adds what it forbids"
  return `expected a call to add what it forbids, but none does: ${why}`
}

/** The rule that a case names, or why there is none to look at. */
function find(name: string, explained: readonly RuleExplanation[], { broken }: Rulebook): RuleExplanation | string {
  const fits = (rule: { readonly name: string; readonly file: string; readonly id: string }) => {
    const file = basename(rule.file)
    const path = rule.id.slice(rule.id.indexOf(":") + 1)
    return [rule.name, file, file.replace(/\.mdc?$/i, ""), path, path.replace(/\.mdc?$/i, ""), rule.id].includes(name)
  }
  const found = explained.filter(({ rule }) => fits(rule))
  const [first] = found
  if (found.length > 1)
    return `several rules have this name: ${found.map(({ rule }) => rule.id).join(", ")}; use one of these`
  if (first) return first
  const faulty = broken.find(fits)
  if (faulty) return faulty.problems.map(formatProblem).join(" ")
  return `there is no such rule; there are ${explained.map(({ rule }) => rule.name).join(", ") || "none"}`
}
