import { createPaint, type Io, type Style } from "../io.ts"
import { openProject } from "../project.ts"
import type { Diagnosis, Patient } from "./diagnosis.ts"
import { checkHostVersion } from "./host-version.ts"
import { checkLog } from "./log.ts"
import { checkPlugin } from "./plugin.ts"
import { checkRules } from "./rules.ts"
import { checkState } from "./state.ts"

/** Every check, in the order in which a cause comes before its effects. */
const CHECKS: readonly ((patient: Patient) => Promise<readonly Diagnosis[]>)[] = [
  checkHostVersion,
  checkPlugin,
  checkState,
  checkRules,
  checkLog,
]

const MARKS = { ok: ["✓", "green"], warning: ["!", "yellow"], error: ["✗", "red"] } as const satisfies Record<
  Diagnosis["severity"],
  readonly [mark: string, style: Style]
>

/**
 * `doctor`: is the plugin installed and able to work here? It changes nothing.
 *
 * @returns the exit code: 0 when all is well, 1 otherwise.
 */
export async function doctor({ json }: { readonly json: boolean }, io: Io): Promise<number> {
  const patient: Patient = { io, project: await openProject(io.cwd, io) }
  const diagnoses = (await Promise.all(CHECKS.map((check) => check(patient)))).flat()
  if (json) io.write(`${JSON.stringify({ version: 1, diagnoses }, undefined, 2)}\n`)
  else io.write(textOf(diagnoses, io))
  return diagnoses.every(({ severity }) => severity === "ok") ? 0 : 1
}

function textOf(diagnoses: readonly Diagnosis[], io: Io): string {
  const paint = createPaint(io.hasColors)
  const blocks = diagnoses.map(({ check, severity, message, remedy }) => {
    const [mark, style] = MARKS[severity]
    const advice = remedy === undefined ? "" : `\n    ${remedy}.`
    return `${paint(style, mark)} ${paint("bold", check)}: ${message}${advice}`
  })
  const wrong = diagnoses.filter(({ severity }) => severity !== "ok").length
  const end =
    wrong === 0 ? "No problems found." : wrong === 1 ? "1 thing needs attention." : `${wrong} things need attention.`
  return `${blocks.join("\n")}\n\n${end}\n`
}
