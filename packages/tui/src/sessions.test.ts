import { expect, test } from "bun:test"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ruleDirectories, stateDirectory, writeState } from "@opencode-rulebook/rule-schema"
import type { RulesView } from "./rows.ts"
import type { ReadRules } from "./rule-reader.ts"
import { createFollowedSessions } from "./sessions.ts"

test("the folder's rules are read before any session is on the screen; a host that can't say where they are is no failure", () => {
  const directories = ruleDirectories({ env: {}, home: "/home/dev", directory: "/home/dev/app", worktree: undefined })
  const asked: unknown[] = []
  const readRules: ReadRules = async (read) => {
    asked.push(read)
    return { rules: [], broken: [], problems: [], folders: [] }
  }
  createFollowedSessions({ places: () => ({ directories }) }, readRules)
  expect(asked).toEqual([directories])
  const places = () => {
    throw new Error("not yet")
  }
  createFollowedSessions({ places }, readRules)
  expect(asked).toHaveLength(1)
})

test("a session that goes on without an answer says nothing of the server part", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-sessions-")))
  const rules = join(root, ".opencode/rules")
  await mkdir(rules, { recursive: true })
  const sessions = createFollowedSessions({
    places: () => ({ directories: ruleDirectories({ env: {}, home: root, directory: root, worktree: undefined }) }),
  })
  let wake: (view: RulesView) => void = () => undefined
  const shows = (fits: (view: RulesView) => boolean) =>
    new Promise<RulesView>((resolve) => {
      wake = (view) => fits(view) && resolve(view)
    })
  const first = shows(({ kind }) => kind === "ready")
  // No session has this id: it has no state.
  const id = "ses_that_never_was"
  const stop = sessions.follow(id, (view) => wake(view))
  expect(await first).toMatchObject({ isUnserved: false })

  sessions.wentOn(id, false)
  sessions.wentOn("ses_other", true)
  const changed = shows((view) => view.kind === "ready" && view.rulebook.rules.length === 1)
  await writeFile(join(rules, "a.md"), "Text.")
  expect(await changed).toMatchObject({ isUnserved: false })
  stop()
  sessions.stop()
  await rm(root, { recursive: true })
})

test("a session that goes on is read again, and no other", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-sessions-")))
  const directories = ruleDirectories({ env: {}, home: root, directory: root, worktree: undefined })
  const reads: Record<string, number> = {}
  let wake = () => {}
  const states = join(root, "state")
  const before = process.env["XDG_STATE_HOME"]
  process.env["XDG_STATE_HOME"] = states
  const ids = ["ses_a", "ses_b"]
  for (const sessionID of ids) {
    await writeState(stateDirectory({ XDG_STATE_HOME: states }, root), {
      version: 2,
      sessionID,
      directory: root,
      updatedAt: 1,
      rules: [],
    })
  }
  const sessions = createFollowedSessions({
    places: (id) => ({
      directories,
      async directoriesOf() {
        reads[id] = (reads[id] ?? 0) + 1
        wake()
        return directories
      },
    }),
  })
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => (wake = resolve))
  }
  for (const id of ids) sessions.follow(id, () => undefined)
  // Each twice: what changed before it was watched is looked for once more.
  await until(() => ids.every((id) => reads[id] === 2))
  for (const count of [3, 4]) {
    sessions.wentOn("ses_a", true)
    await until(() => reads["ses_a"] === count)
  }
  expect(reads).toEqual({ ses_a: 4, ses_b: 2 })
  sessions.stop()
  if (before === undefined) delete process.env["XDG_STATE_HOME"]
  else process.env["XDG_STATE_HOME"] = before
  await rm(root, { recursive: true })
})

test("the end of one, or of all that are followed: nothing is told afterwards", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "rulebook-sessions-")))
  const rules = join(root, ".opencode/rules")
  await mkdir(rules, { recursive: true })
  const directories = ruleDirectories({ env: {}, home: root, directory: root, worktree: undefined })
  const [ended, other] = [1, 2].map(() => createFollowedSessions({ places: () => ({ directories }) }))
  const told: [name: string, rules: number][] = []
  let wake = () => {}
  const tell = (name: string) => (view: RulesView) => {
    if (view.kind === "ready") told.push([name, view.rulebook.rules.length])
    wake()
  }
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => (wake = resolve))
  }
  const has = (name: string, count: number) => told.some(([one, rules]) => one === name && rules === count)
  ended?.follow("ses_a", tell("a"))
  const endOfB = other?.follow("ses_b", tell("b"))
  other?.follow("ses_c", tell("c"))
  await until(() => ["a", "b", "c"].every((name) => has(name, 0)))
  ended?.stop()
  endOfB?.()
  for (const count of [1, 2]) {
    await writeFile(join(rules, `${count}.md`), "Text.")
    await until(() => has("c", count))
  }
  expect(told.filter(([name, count]) => name !== "c" && count > 0)).toEqual([])
  other?.stop()
  await rm(root, { recursive: true })
})
