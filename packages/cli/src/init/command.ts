import { TOOLS, type ToolName } from "@opencode-rulebook/rule-schema"
import type { Command } from "commander"
import { Option } from "commander"
import { toolsWithRules } from "../check/sources.ts"
import type { Io } from "../io.ts"
import { openProject } from "../project.ts"
import { UsageError } from "../usage-error.ts"
import { applyChanges, describeChange } from "./changes.ts"
import type { Choices, InitFlags } from "./choices.ts"
import { placeOf, type SetupFiles } from "./place.ts"
import { planSetup } from "./plan.ts"
import { pluginSpec } from "./plugin-spec.ts"

const TOOL_NAMES = Object.values(TOOLS).map(({ name }): ToolName => name)

export function addInitOptions(command: Command): Command {
  return command
    .option("-g, --global", "for all projects, in the user's configuration")
    .addOption(new Option("--opencode <major>", "the OpenCode to set it up for (default: 1)").choices(["1", "2"]))
    .option("--plugin <name>", "the plugin's name or folder in the config files (default: this package)")
    .option("--rules-of <tools>", "other tools whose rules are read where they are, separated by commas")
    .option("--no-rule", "write no first rule")
    .option("--no-skill", "do not install the skill that writes rules")
    .option("-y, --yes", "ask nothing, and do what the options say")
    .option("--dry-run", "print what would change, and change nothing")
}

/**
 * `init`: adds the plugin to OpenCode's config files, writes a first rule and installs the skill. On a terminal it asks what the
 * options leave open. Run twice, it changes nothing the second time.
 *
 * @returns the exit code: 0.
 * @throws UsageError for a config file that can't be read as JSON, and for what can't be written.
 */
export async function init(flags: InitFlags, io: Io): Promise<number> {
  // The user's own configuration is for projects that nobody has looked at.
  const found = flags.global ? [] : await toolsWithRules(await openProject(io.cwd, io))
  const choices = await choicesOf(flags, found, io)
  if (choices === undefined) {
    io.write("Nothing was changed.\n")
    return 0
  }
  const place: SetupFiles = placeOf(choices.isGlobal, io)
  const changes = await planSetup(choices, place)
  const left = found.filter((tool) => !choices.rulesOf.includes(tool))
  if (changes.length === 0) io.write("Everything is set up already. Nothing was changed.\n")
  if (!flags.dryRun) await applyChanges(changes)
  for (const change of changes) io.write(`${describeChange(change, io.cwd, flags.dryRun === true)}\n`)
  if (left.length > 0 && flags.rulesOf === undefined) {
    const titles = left.map((tool) => TOOLS[tool].title).join(", ")
    io.write(`There are rules of ${titles} here. To use them too: opencode-rulebook init --rules-of ${left.join()}\n`)
  }
  if (!flags.dryRun && changes.length > 0) io.write("Restart OpenCode to load the plugin.\n")
  return 0
}

async function choicesOf(flags: InitFlags, found: readonly ToolName[], io: Io): Promise<Choices | undefined> {
  if (flags.plugin !== undefined && flags.plugin.trim() === "") throw new UsageError("--plugin: the name is empty")
  const given: Choices = {
    isGlobal: flags.global === true,
    major: flags.opencode === "2" ? 2 : 1,
    plugin: flags.plugin ?? pluginSpec(import.meta.url),
    rulesOf: toolsNamed(flags.rulesOf ?? ""),
    writesRule: flags.rule,
    installsSkill: flags.skill,
  }
  if (flags.yes || flags.dryRun || !io.isInteractive) return given
  const { askChoices } = await import("./ask.ts")
  return await askChoices(given, flags, found)
}

/** @throws UsageError for a name that is no tool's. */
function toolsNamed(text: string): readonly ToolName[] {
  const names = text.split(",").map((name) => name.trim().toLowerCase())
  return names
    .filter((name) => name !== "")
    .map((name) => {
      const tool = TOOL_NAMES.find((known) => known === name)
      if (tool === undefined) throw new UsageError(`--rules-of: ${name} is not one of ${TOOL_NAMES.join(", ")}`)
      return tool
    })
}
