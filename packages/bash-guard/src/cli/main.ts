import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Command, CommanderError, Option } from "commander"
import packageJson from "../../package.json" with { type: "json" }
import { type CommandOptions, type Io, UsageError } from "./io.ts"

const explainCodes = `
Exit codes: 0 allowed, 1 a person is asked, 2 wrong usage or a failure, 3 denied.`

const checkCodes = `
Exit codes: 0 nothing to correct, 1 something to correct, 2 wrong usage or a failure.`

interface Flags {
  readonly directory: string
  readonly opencode?: "1" | "2"
  readonly json?: true
}

/**
 * The command: parses the arguments and runs what they name. Never throws.
 *
 * @param args without the program's name.
 * @returns the exit code.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let code = 0
  const program = createProgram(io, (result) => {
    code = result
  })
  try {
    await program.parseAsync([...args], { from: "user" })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const isUsage = error instanceof UsageError
    io.writeError(`error: ${isUsage ? error.message : (error instanceof Error && error.stack) || String(error)}\n`)
    return 2
  }
}

function createProgram(io: Io, end: (code: number) => void): Command {
  const program = new Command("opencode-rulebook-bash-guard")
    .description("Says what bash-guard makes of a shell command, and checks OpenCode's bash permissions.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({ writeOut: io.write, writeErr: io.writeError })
    .showHelpAfterError("Run it with --help to see what it takes.")

  withFlags(program.command("explain"))
    .description("show how a command is read, which pattern decides about each part, and why it asks or is denied")
    .argument("<command>", "the command line, as one argument; - reads it from standard input")
    .option("--agent <name>", "judge by the permissions of this agent")
    .addHelpText("after", explainCodes)
    .action(async (command: string, flags: Flags & { readonly agent?: string }) => {
      // What reads shell and configuration is loaded when it is needed: --help answers at once.
      const { explain } = await import("./explain.ts")
      end(explain(command, optionsOf(flags), inFolder(flags.directory, io)))
    })

  withFlags(program.command("check"))
    .description(
      "find patterns without effect, patterns that never match, failed cases, and denials that need the guard",
    )
    .addHelpText("after", checkCodes)
    .action(async (flags: Flags) => {
      const { check } = await import("./check.ts")
      end(check(optionsOf(flags), inFolder(flags.directory, io)))
    })
  return program
}

function withFlags(command: Command): Command {
  return command
    .option("-C, --directory <path>", "run as if started in this folder, as OpenCode would be", ".")
    .addOption(
      new Option("--opencode <major>", "read the configuration as this version does; otherwise its keys tell").choices([
        "1",
        "2",
      ]),
    )
    .option("--json", "print JSON")
}

function optionsOf({ json, opencode, agent }: Flags & { readonly agent?: string }): CommandOptions {
  return { json: json === true, major: opencode === undefined ? undefined : opencode === "1" ? 1 : 2, agent }
}

/** As if the command had been started in another folder. */
function inFolder(directory: string, io: Io): Io {
  const cwd = resolve(io.cwd, directory)
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${cwd}: no such folder`)
  return { ...io, cwd }
}
