import type { Command } from "commander"
import { Option } from "commander"
import type { Io } from "../io.ts"
import { UsageError } from "../usage-error.ts"
import { applyChanges, describeChange } from "./changes.ts"
import type { Choices, InitFlags } from "./choices.ts"
import { placeOf, type SetupFiles } from "./place.ts"
import { planSetup } from "./plan.ts"
import { pluginSpec } from "./plugin-spec.ts"

export function addInitOptions(command: Command): Command {
  return command
    .option("-g, --global", "for all projects, in the user's configuration")
    .addOption(new Option("--opencode <major>", "the OpenCode to set it up for (default: 1)").choices(["1", "2"]))
    .option("--plugin <name>", "the plugin's name or folder in the config files (default: this package)")
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
  const choices = await choicesOf(flags, io)
  if (choices === undefined) {
    io.write("Nothing was changed.\n")
    return 0
  }
  const place: SetupFiles = placeOf(choices.isGlobal, io)
  const changes = await planSetup(choices, place)
  if (changes.length === 0) {
    io.write("Everything is set up already. Nothing was changed.\n")
    return 0
  }
  if (!flags.dryRun) await applyChanges(changes)
  for (const change of changes) io.write(`${describeChange(change, io.cwd, flags.dryRun === true)}\n`)
  if (!flags.dryRun) io.write("Start OpenCode anew to load the plugin.\n")
  return 0
}

async function choicesOf(flags: InitFlags, io: Io): Promise<Choices | undefined> {
  if (flags.plugin !== undefined && flags.plugin.trim() === "") throw new UsageError("--plugin: the name is empty")
  const given: Choices = {
    isGlobal: flags.global === true,
    major: flags.opencode === "2" ? 2 : 1,
    plugin: flags.plugin ?? pluginSpec(import.meta.url),
    writesRule: flags.rule,
    installsSkill: flags.skill,
  }
  if (flags.yes || flags.dryRun || !io.isInteractive) return given
  const { askChoices } = await import("./ask.ts")
  return await askChoices(given, flags)
}
