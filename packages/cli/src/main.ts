import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Command, CommanderError } from "commander"
import packageJson from "../../opencode-rulebook/package.json" with { type: "json" }
import { check } from "./check/command.ts"
import { explain } from "./explain/command.ts"
import { addExplainOptions, type ExplainFlags } from "./explain/flags.ts"
import type { Io } from "./io.ts"
import { UsageError } from "./usage-error.ts"

const EXIT_CODES = `
Exit codes: 0 nothing was found, 1 something was found, 2 wrong usage or a failure.`

/**
 * The command: parses the arguments and runs what they name. Never throws.
 *
 * @param args without the program's name.
 * @returns the exit code: 0 clean, 1 findings, 2 wrong usage or a failure.
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
    const message =
      error instanceof UsageError ? error.message : (error instanceof Error && error.stack) || String(error)
    io.writeError(`error: ${message}\n`)
    return 2
  }
}

function createProgram(io: Io, end: (code: number) => void): Command {
  const program = new Command("opencode-rulebook")
    .description("Checks and explains rules for OpenCode.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({
      writeOut: io.write,
      writeErr: io.writeError,
      getOutHasColors: () => io.hasColors,
      getErrHasColors: () => io.hasColors,
    })
    .showHelpAfterError("Run it with --help to see what it takes.")
    .addHelpText("after", EXIT_CODES)

  program
    .command("check")
    .description("say what is wrong with rules, and what is legal but surely not meant")
    .argument("[paths...]", "rule files and folders; without any, all that a session here would load")
    .option("-C, --directory <path>", "run as if started in this folder, as OpenCode would be", ".")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", EXIT_CODES)
    .action(async (paths: string[], { directory, json }: { directory: string; json?: true }) => {
      end(await check(paths, { json: json === true }, inFolder(directory, io)))
    })

  const explaining = program
    .command("explain")
    .description("a dry run: which rules would be delivered, when, and why")
    .action(async (flags: ExplainFlags) => end(await explain(flags, inFolder(flags.directory, io))))
  addExplainOptions(explaining).addHelpText("after", EXIT_CODES)

  return program
}

/** As if the command had been started in another folder. */
function inFolder(directory: string, io: Io): Io {
  const cwd = resolve(io.cwd, directory)
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${cwd}: no such folder`)
  return { ...io, cwd }
}
