import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import {
  type MatchedRuleState,
  readReceipts,
  readState,
  type SessionReceipts,
  stateDirectory,
} from "@opencode-rulebook/rule-schema"

export interface ProjectOptions {
  readonly rules?: Readonly<Record<string, string>>
  readonly globalRules?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  /** Files above the project's folder, in the root of a repository that it is a part of; it is none of its own when left out. */
  readonly above?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

export type Project = Awaited<ReturnType<typeof createProject>>

/** A project and a home of its own, both temporary. */
export async function createProject(options: ProjectOptions) {
  const home = await mkdtemp(join(tmpdir(), "rulebook-"))
  const directory = join(home, "project")
  const rules = join(directory, ".opencode/rules")
  await writeTree(home, options.above ?? {})
  await writeTree(directory, options.files ?? {})
  await writeTree(rules, options.rules ?? {})
  await writeTree(join(home, ".config/opencode/rules"), options.globalRules ?? {})
  const env = { HOME: home, ...options.env }
  return {
    home,
    directory,
    worktree: options.above ? home : directory,
    path: (file: string) => join(directory, file),
    writeRules: (files: Readonly<Record<string, string>>) => writeTree(rules, files),
    removeRule: (file: string) => rm(join(rules, file)),
    readState: (sessionID: string): Promise<MatchedRuleState | undefined> =>
      readState(stateDirectory(env, home), sessionID),
    readReceipts: (sessionID: string): Promise<SessionReceipts | undefined> =>
      readReceipts(stateDirectory(env, home), sessionID),
    /** Runs with an environment of the project's: nothing of this machine's leaks into a test. */
    async withEnvironment<T>(work: () => Promise<T>): Promise<T> {
      const saved = process.env
      process.env = { ...env } as NodeJS.ProcessEnv
      try {
        return await work()
      } finally {
        process.env = saved
      }
    },
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

async function writeTree(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(root, { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}
