import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { stateDirectory } from "@opencode-rulebook/rule-schema"
import { main } from "../src/main.ts"

/** A project in a scratch folder, with a home of its own. */
export interface TestProject {
  readonly directory: string
  /** Where the plugin would keep its receipts. */
  readonly stateFolder: string
  run(args: readonly string[], options?: RunOptions): Promise<Output>
  /** Writes one more file, by its path as in `testProject`. */
  write(name: string, text: string): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface RunOptions {
  /** A folder of the project to run in. */
  readonly folder?: string
  readonly stdin?: string
  readonly env?: Record<string, string>
  readonly hasColors?: boolean
  readonly platform?: string
  readonly columns?: number
  readonly showsProgress?: boolean
  readonly isInteractive?: boolean
}

export interface Output {
  readonly code: number
  readonly out: string
  readonly err: string
}

/**
 * @param files texts by path; those below `rules/` are put into `.opencode/rules/`, those below `global/` into the user's rules.
 * @param git whether it is a git repository that tracks the files.
 */
export async function testProject(files: Record<string, string>, git = false): Promise<TestProject> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "rulebook-cli-")))
  const directory = join(scratch, "app")
  const home = join(scratch, "home")
  await mkdir(directory)
  await mkdir(home)
  for (const [name, text] of Object.entries(files)) await writeText(placeOf(name, directory, home), text)
  if (git) {
    execFileSync("git", ["-C", directory, "init", "--quiet", "--initial-branch", "main"])
    execFileSync("git", ["-C", directory, "add", "--all"])
  }
  return {
    directory,
    stateFolder: stateDirectory({}, home, "linux"),
    write: (name, text) => writeText(placeOf(name, directory, home), text),
    async run(
      args,
      {
        folder = "",
        stdin = "",
        env = {},
        hasColors = false,
        platform = "linux",
        columns,
        showsProgress = false,
        isInteractive = false,
      } = {},
    ) {
      const output = { out: "", err: "" }
      const code = await main(args, {
        cwd: join(directory, folder),
        env,
        home,
        platform,
        hasColors,
        columns,
        showsProgress,
        isInteractive,
        write: (text) => {
          output.out += text
        },
        writeError: (text) => {
          output.err += text
        },
        readStdin: async () => stdin,
      })
      return { code, ...output }
    },
    [Symbol.asyncDispose]: () => rm(scratch, { recursive: true }),
  }
}

/** A rule's text. */
export function rule(frontmatter: string, body = "Be careful."): string {
  return `---\n${frontmatter}\n---\n${body}\n`
}

function placeOf(name: string, directory: string, home: string): string {
  if (name.startsWith("global/")) return join(home, ".config/opencode/rules", name.slice("global/".length))
  if (name.startsWith("rules/")) return join(directory, ".opencode", name)
  return join(directory, name)
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
