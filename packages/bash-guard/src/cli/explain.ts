import { decide } from "../guard.ts"
import { isGuarded, judge, type Verdict } from "../judge.ts"
import type { SourcedRule } from "../opencode/rules.ts"
import type { Origin } from "../opencode/value.ts"
import { compilePermissions, type Permissions } from "../permissions/rules.ts"
import { describeReason, type JudgedCommand, quote } from "../reasons.ts"
import { readScript } from "../shell/read.ts"
import { type CommandOptions, describeOrigin, type Io, UsageError } from "./io.ts"
import { openProject, type Project } from "./project.ts"

const codes = { allow: 0, ask: 1, deny: 3 } as const

/**
 * `explain`: how the guard reads a command and what decides.
 *
 * @param argument the command, or `-` for standard input.
 * @returns the exit code: 0 allowed, 1 a person is asked, 3 denied.
 * @throws UsageError for an agent that there isn't.
 */
export function explain(argument: string, { json, major, agent: named }: CommandOptions, io: Io): number {
  const command = argument === "-" ? io.readStdin().replace(/\n$/, "") : argument
  const project = openProject(io, major)
  const { permissions } = project
  const agent = named ?? permissions.defaultAgent
  const rules = permissions.agents.get(agent)
  if (rules === undefined) {
    const known = [...permissions.agents.keys()].join(", ")
    throw new UsageError(`OpenCode has no agent ${JSON.stringify(agent)} here; known: ${known}`)
  }
  const compiled = compilePermissions(rules)
  const verdict = judge(readScript(command), compiled, project.place)
  const sentBack = sendBack(command, rules, project)
  const isOff = !isGuarded(compiled)
  const why = verdict.reasons.map(describeReason)
  const originOf = originsIn(compiled, rules)
  if (json) {
    const commands = verdict.commands.map((judged) => {
      const { text, role, depth, forms, action, pattern } = judged
      return { text, role, depth, forms, action, pattern, origin: originOf(judged) ?? null }
    })
    const result = {
      version: 1,
      command,
      verdict: verdict.kind,
      guard: isOff ? "off" : "on",
      agent,
      opencode: permissions.major,
    }
    io.write(
      `${JSON.stringify({ ...result, why, reasons: verdict.reasons, commands, sentBack, rules }, undefined, 2)}\n`,
    )
  } else {
    const heading = `${headings[verdict.kind]} (agent ${agent}, permissions of OpenCode ${permissions.major})`
    const lines = [
      heading,
      "",
      ...verdict.commands.flatMap((judged) => describeCommand(judged, originOf(judged), io.cwd)),
    ]
    if (why.length > 0)
      lines.push("", ...why.map((reason) => `${verdict.kind === "deny" ? "Denied" : "Asks"}: ${reason}`))
    if (sentBack !== null) lines.push("", "It is not asked about, but sent back to the model:", sentBack)
    if (isOff) lines.push("", "The guard is off: this agent's permissions allow every shell command.")
    io.write(`${lines.join("\n")}\n`)
  }
  for (const { origin, reason } of permissions.problems)
    io.writeError(`warning: ${origin.file}:${origin.line}: ${reason}\n`)
  for (const warning of project.config.warnings) io.writeError(`warning: ${warning}\n`)
  return codes[verdict.kind]
}

const headings: Readonly<Record<Verdict["kind"], string>> = {
  allow: "Allowed: it runs without asking",
  ask: "Asks: a person decides",
  deny: "Denied: it never runs",
}

/** The text that the model reads in place of a dialog, where restructuring is on. */
function sendBack(command: string, rules: readonly SourcedRule[], { config, place }: Project): string | null {
  const { restructure } = config
  const decision = decide(command, rules, place, restructure)
  const without = decide(command, rules, place, { ...restructure, enabled: false })
  return decision.kind === "reject" && without.kind === "ask" ? decision.message : null
}

/** Said of a command that does not stand in the line itself. */
const startedBy: Readonly<Record<JudgedCommand["role"], string>> = {
  simple: "",
  wrapped: "  [started by another command]",
  launched: "  [started elsewhere: only a denial counts]",
  assumed: "  [variables and braces filled in: only a denial counts]",
}

function describeCommand(judged: JudgedCommand, origin: Origin | undefined, cwd: string): readonly string[] {
  const { text, role, depth, forms, action, pattern } = judged
  const indent = "  ".repeat(depth)
  const where = origin === undefined ? "" : `  (${describeOrigin(origin, cwd)})`
  const others = forms.slice(1).map((form) => `${indent}       read as ${oneLine(form)}`)
  const started = startedBy[role]
  return [`${indent}${action.padEnd(5)}  ${oneLine(text)}  by ${quote(pattern)}${where}${started}`, ...others]
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))
}

/** Where the pattern stands that decided about a command: of equal patterns the last one wins. */
function originsIn(
  { bash }: Permissions,
  rules: readonly SourcedRule[],
): (judged: JudgedCommand) => Origin | undefined {
  const origins = new Map(bash.map(({ pattern, order }) => [pattern, rules[order]?.origin]))
  return ({ pattern }) => origins.get(pattern)
}
