import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Command, CommanderError } from "commander"
import packageJson from "../../opencode-rulebook/package.json" with { type: "json" }
import { test } from "./cases/command.ts"
import { check } from "./check/command.ts"
import { completions, SHELLS } from "./completions.ts"
import { doctor } from "./doctor/command.ts"
import { explain } from "./explain/command.ts"
import { addExplainOptions, type ExplainFlags } from "./explain/flags.ts"
import type { InitFlags } from "./init/choices.ts"
import { addInitOptions, init } from "./init/command.ts"
import type { Io } from "./io.ts"
import { replay } from "./replay/command.ts"
import { addReplayOptions, type ReplayFlags } from "./replay/flags.ts"
import { type ReportFlags, report } from "./report/command.ts"
import { UsageError } from "./usage-error.ts"

const EXIT_CODES = `
Exit codes: 0 nothing was found, 1 something was found, 2 wrong usage or a failure.`

/** Options of the program, which may stand before and behind the command's name. */
interface GlobalFlags {
  readonly directory: string
  readonly color: boolean
}

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
    .description("Checks and explains rules for OpenCode, and sets the plugin up.")
    .version(packageJson.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .option("-C, --directory <path>", "run as if started in this folder, as OpenCode would be", ".")
    .option("--no-color", "write no colours")
    .exitOverride()
    .configureOutput({ writeOut: io.write, writeErr: io.writeError })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("Run it with --help to see what it takes.")
    .addHelpText("after", `${examples("check", "explain --file src/buffer.rs")}${EXIT_CODES}`)

  program
    .command("check")
    .description("report what is wrong with rules, and what is valid, but probably a mistake")
    .argument("[paths...]", "rule files and folders; without any, all that a session here would load")
    .option("--all", "every rules folder of the git repository, from wherever in it")
    .option("--quiet", "print nothing when nothing was found")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", `${examples("check", "check .opencode/rules/css.md --json")}${EXIT_CODES}`)
    .action(async (paths: string[], flags: { all?: true; quiet?: true; json?: true }, command: Command) => {
      const options = { all: flags.all === true, json: flags.json === true, quiet: flags.quiet === true }
      end(await check(paths, options, startedIn(command, io)))
    })

  addExplainOptions(program.command("explain"))
    .description("which rules would be delivered, when, and why (a dry run); with --session, which ones were")
    .addHelpText(
      "after",
      `${examples("explain --file src/a.rs", 'explain --prompt "deploy it"', "explain --session")}${EXIT_CODES}`,
    )
    .action(async (flags: ExplainFlags, command: Command) => end(await explain(flags, startedIn(command, io))))

  program
    .command("test")
    .description("play the cases beside the rules, in files that end in .cases.yaml")
    .argument("[paths...]", "files of cases, and folders; without any, those beside the rules of a session here")
    .option("--json", "print the results as JSON")
    .option("--junit <file>", "write the results as JUnit XML to this file")
    .addHelpText("after", `${examples("test", "test --junit results.xml")}${EXIT_CODES}`)
    .action(async (paths: string[], flags: { json?: true; junit?: string }, command: Command) => {
      end(await test(paths, { json: flags.json === true, junit: flags.junit }, startedIn(command, io)))
    })

  program
    .command("report")
    .description("what the rules came to over all sessions of this project, from the plugin's receipts")
    .option("--since <when>", "leave out sessions that ended before: a day (2026-11-30), or how long ago (12h, 7d, 2w)")
    .option("--limit <number>", "only so many sessions, the newest ones")
    .option("--html <file>", "write the report as one page that needs nothing else")
    .option("--force", "overwrite a file that is not such a page")
    .option("--json", "print the report as JSON")
    .addHelpText("after", `${examples("report", "report --since 7d --html report.html")}${EXIT_CODES}`)
    .action(async (flags: ReportFlags, command: Command) => end(await report(flags, startedIn(command, io))))
  addReplayOptions(program.command("replay"))
    .description("what the rules as they are now would have done in past sessions")
    .addHelpText("after", `${examples("replay --since 7d", "replay --rules drafts --diff session.json")}${EXIT_CODES}`)
    .action(async (sessions: string[], flags: ReplayFlags, command: Command) => {
      end(await replay(sessions, flags, startedIn(command, io)))
    })

  addInitOptions(program.command("init"))
    .description("set the plugin up in a project, or for all projects")
    .addHelpText("after", `${examples("init", "init --global --yes")}${EXIT_CODES}`)
    .action(async (flags: InitFlags, command: Command) => end(await init(flags, startedIn(command, io))))

  program
    .command("doctor")
    .description("find out whether the plugin is installed and can work here")
    .option("--json", "print what was found as JSON")
    .addHelpText("after", `${examples("doctor", "doctor --json")}${EXIT_CODES}`)
    .action(async (flags: { json?: true }, command: Command) => {
      end(await doctor({ json: flags.json === true }, startedIn(command, io)))
    })

  program
    .command("lsp")
    .description("a language server for rule files, on standard input and output")
    .option("--stdio", "accepted because editors pass it; it has no effect")
    .addHelpText("after", examples("lsp --stdio"))
    .action(async (_flags: object, command: Command) => {
      const { serve } = await import("./lsp/server.ts")
      await serve(process.stdin, process.stdout, startedIn(command, io))
    })

  program
    .command("completions")
    .description("print a script that completes this command in a shell")
    .argument("<shell>", SHELLS.join(", "))
    .addHelpText("after", examples("completions bash >> ~/.bashrc"))
    .action((shell: string) => io.write(completions(shell, program)))

  return program
}

function examples(...commands: readonly string[]): string {
  return `\nExamples:\n${commands.map((command) => `  opencode-rulebook ${command}`).join("\n")}\n`
}

/** As if the command had been started in the folder of `-C`. */
function startedIn(command: Command, io: Io): Io {
  const { directory, color } = command.optsWithGlobals<GlobalFlags>()
  const cwd = resolve(io.cwd, directory)
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${cwd}: no such folder`)
  return { ...io, cwd, hasColors: io.hasColors && color }
}
