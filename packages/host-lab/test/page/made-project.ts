import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { appendReceipts } from "@opencode-rulebook/rule-schema"
import type { SessionScript } from "../../../cli/test/support/receipts.ts"

/** A project with receipts that no host wrote. */
export interface MadeProject extends AsyncDisposable {
  readonly directory: string
  /** Runs the built command there, under Node. */
  run(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }>
}

const COMMAND = join(import.meta.dir, "../../../opencode-rulebook/dist/cli.js")

/**
 * @param rules texts by path in the rules folder.
 * @param sessions the oldest first.
 */
export async function madeProject(
  rules: Readonly<Record<string, string>>,
  sessions: (directory: string) => readonly SessionScript[],
): Promise<MadeProject> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), "rulebook-page-")))
  const directory = join(scratch, "shop")
  const state = join(scratch, "state")
  await mkdir(directory)
  for (const [name, text] of Object.entries(rules)) {
    const path = join(directory, ".opencode/rules", name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  for (const { id, receipts } of sessions(directory)) {
    await appendReceipts(join(state, "opencode/rulebook"), id, receipts)
  }
  const env = { PATH: process.env["PATH"] ?? "", HOME: scratch, XDG_STATE_HOME: state, TZ: "UTC" }
  return {
    directory,
    async run(...args) {
      const child = Bun.spawn(["node", COMMAND, ...args], { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] })
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return { code, out, err }
    },
    [Symbol.asyncDispose]: () => rm(scratch, { recursive: true }),
  }
}
