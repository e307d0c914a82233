import * as clack from "@clack/prompts"
import { TOOLS, type ToolName } from "@opencode-rulebook/rule-schema"
import type { Choices, InitFlags } from "./choices.ts"

type Prompts = Pick<typeof clack, "confirm" | "isCancel" | "multiselect" | "select">

/** Asks what the options leave open. Undefined when the user gives up. */
export async function askChoices(
  given: Choices,
  flags: InitFlags,
  found: readonly ToolName[],
  { confirm, isCancel, multiselect, select }: Prompts = clack,
): Promise<Choices | undefined> {
  const isGlobal =
    flags.global ??
    (await select({
      message: "Where should the plugin work?",
      options: [
        { value: false, label: "In this project", hint: ".opencode" },
        { value: true, label: "In all projects", hint: "your configuration" },
      ],
    }))
  if (isCancel(isGlobal)) return undefined
  const major =
    flags.opencode === undefined
      ? await select<1 | 2>({
          message: "Which OpenCode do you use?",
          options: [
            { value: 1, label: "OpenCode 1", hint: "1.18.3 or later" },
            { value: 2, label: "OpenCode 2" },
          ],
        })
      : given.major
  if (isCancel(major)) return undefined
  const rulesOf =
    flags.rulesOf === undefined && found.length > 0
      ? await multiselect<ToolName>({
          message: "There are rules of other tools here. Use them too? (space selects)",
          options: found.map((tool) => ({ value: tool, label: TOOLS[tool].title })),
          required: false,
        })
      : given.rulesOf
  if (isCancel(rulesOf)) return undefined
  const writesRule = flags.rule && (await confirm({ message: "Write a first rule?" }))
  if (isCancel(writesRule)) return undefined
  const installsSkill =
    flags.skill && (await confirm({ message: "Install the skill with which the agent writes rules?" }))
  if (isCancel(installsSkill)) return undefined
  return { ...given, isGlobal, major, rulesOf, writesRule, installsSkill }
}
