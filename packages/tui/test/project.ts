import { afterEach, beforeEach } from "bun:test"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type MatchedRuleState, type RuleStatus, stateDirectory, writeState } from "@opencode-rulebook/rule-schema"

const NAMES = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "OPENCODE_CONFIG_DIR"] as const

/** A project in `app` with one rule, and one of the user's own, for each test of the file anew. Paths are relative to all of it. */
export interface TestProject {
  path(relative: string): string
  put(path: string, text: string): Promise<void>
  /** Writes the state of a session in which both rules have this status. */
  publish(sessionID: string, status: RuleStatus, notices?: readonly string[]): Promise<void>
}

/** To be called once, at the top of a test file: prepares before each test and cleans up behind it. */
export function testProject(): TestProject {
  const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]))
  let root = ""
  const path = (relative: string) => join(root, relative)

  async function put(relative: string, text: string): Promise<void> {
    await mkdir(dirname(path(relative)), { recursive: true })
    await writeFile(path(relative), text)
  }

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-tui-")))
    for (const name of NAMES) delete process.env[name]
    process.env["HOME"] = path("home")
    process.env["XDG_STATE_HOME"] = path("state")
    await put("app/.opencode/rules/rust.md", '---\nname: Rust\nglobs: "*.rs"\n---\nText.')
    await put("home/.config/opencode/rules/style.md", "---\nname: Style\n---\nText.")
  })
  afterEach(async () => {
    for (const name of NAMES) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
    await rm(root, { recursive: true, force: true })
  })

  return {
    path,
    put,
    async publish(sessionID, status, notices = []) {
      const rules = ["global:style.md", "project:rust.md"].map((id) => ({ id, digest: "other", status }))
      const state: MatchedRuleState = { version: 1, sessionID, directory: path("app"), updatedAt: 1, rules, notices }
      await writeState(stateDirectory(process.env, path("home")), state)
    },
  }
}
